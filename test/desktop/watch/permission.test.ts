import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AGENT, never, openBench, told, type Bench } from './support.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const poll = (name: string, after: number | null = null, timeoutMs = 20_000) =>
  bench.observations.poll(AGENT, name, { after, timeoutMs }, never);

describe('what the person allowed', () => {
  test('counts before each delivery: nothing is told while agents are paused, and the difference once they may go on', async () => {
    const { world, id, make, host, observations, delivered } = bench;
    const name = await make();
    world.change(id('name'), { value: 'before' });
    await expect.poll(() => delivered.length).toBe(1);
    host.approvalState = 'paused';
    world.change(id('name'), { value: 'during' });
    expect(await poll(name, null, 300)).toMatchObject({
      events: [],
      info: { state: 'ACTIVE', notes: expect.arrayContaining([expect.stringContaining('paused')]) },
    });
    world.change(id('name'), { value: 'after' });
    expect(delivered).toHaveLength(1);
    host.approvalState = 'open';
    const events = [...(await poll(name)).events];
    while (events.length < 2) events.push(...(await poll(name)).events);
    expect(JSON.stringify(events)).not.toContain('during');
    expect(events.at(-1)).toMatchObject({ changes: [{ before: 'before', after: 'after' }] });
    expect(observations.get(AGENT, name).notes.join()).not.toContain('paused');
  });

  test('and what stands in the way of all agents, likewise', async () => {
    const { world, id, make, host } = bench;
    const name = await make();
    host.holding = 'The screen is locked.';
    world.change(id('name'), { value: 'locked' });
    expect(await poll(name, null, 300)).toMatchObject({
      events: [],
      info: { notes: expect.arrayContaining([expect.stringContaining('locked')]) },
    });
    host.holding = null;
    expect(told((await poll(name)).events)).toEqual(['element_modified Name value']);
  });

  test('ends it for good when it is taken back, with what was not read yet', async () => {
    const { world, id, make, host, delivered } = bench;
    const name = await make();
    world.change(id('name'), { value: 'unread' });
    await expect.poll(() => delivered.length).toBe(1);
    host.approvalState = 'revoked';
    expect(await poll(name)).toMatchObject({
      events: [],
      dropped: 1,
      info: { state: 'CANCELLED', reason: expect.stringContaining('revoked the permission') },
    });
    host.approvalState = 'open';
    world.change(id('name'), { value: 'later' });
    expect(await poll(name, 0)).toMatchObject({ events: [], info: { state: 'CANCELLED' } });
    expect(delivered.map(({ event }) => event.kind)).toEqual(['element_modified', 'observation_ended']);
  });

  test('is one agent’s: to another its observation does not exist', async () => {
    const { world, id, make, observations, delivered } = bench;
    const [mine, other] = [await make(), await make({}, 'agent-2')];
    for (const name of [mine, mine.replace('observations/', ''), 'observations/none', '../../x', '__proto__', ''])
      for (const act of [
        () => observations.get('agent-2', name),
        () => observations.cancel('agent-2', name),
        () => observations.owner('agent-2', name),
      ])
        expect(act).toThrow(/no observation/);
    await expect(observations.poll('agent-2', mine, { after: 0, timeoutMs: 0 }, never)).rejects.toMatchObject({
      details: { reason: 'unknown_observation' },
    });
    expect(observations.list('agent-2').map(({ name }) => name)).toEqual([other]);
    world.change(id('name'), { value: 'x' });
    await expect.poll(() => delivered.length).toBe(2);
    for (const { agentId, observationId } of delivered)
      expect([AGENT, mine], agentId).toContain(agentId === AGENT ? `observations/${observationId}` : mine);
  });
});
