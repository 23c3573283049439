import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openGabp, type Gabp } from '../support/gabp.js';
import { connectAs, type Other } from '../support/other.js';
import { settle } from '../support/person.js';
import { startScene, type Scene } from '../support/world.js';

let scene: Scene;
let others: Other[] = [];
beforeEach(async () => {
  scene = await startScene();
});
afterEach(async () => {
  await Promise.all(others.map((other) => other.close()));
  others = [];
  await scene.close();
});

/** A process of its own that calls itself so. */
async function agentCalled(name: string): Promise<{ agent: Gabp; pid: number }> {
  const other = connectAs({ path: scene.host.socketPath });
  others.push(other);
  return { agent: await openGabp(scene, { name, stream: other.stream }), pid: other.pid };
}

const tick = (agent: Gabp) => agent.tool('click', { x: 90, y: 498 });
const ticks = () => scene.world.journal().filter(({ control, event }) => control === 'copy' && event === 'toggled');

describe('a name is a claim [req:DS-6-17]', () => {
  test('a borrowed one matches no grant, and the card shows it beside what the kernel says', async () => {
    const trusted = await agentCalled('Trusted Agent');
    const first = tick(trusted.agent);
    await scene.person.answer('allow', { grant: 'session' });
    expect((await first).isError).not.toBe(true);
    expect((await tick(trusted.agent)).isError).not.toBe(true);
    expect(ticks()).toHaveLength(2);
    const [{ grants }] = [await scene.person.next('grants')];
    expect(grants).toMatchObject([{ kind: 'session', agent: { pid: trusted.pid } }]);

    const thief = await agentCalled('Trusted Agent');
    const attempt = tick(thief.agent);
    const card = await scene.person.answer('deny');
    expect(card.agent).toMatchObject({ claim: 'Trusted Agent 1', pid: thief.pid, executable: process.execPath });
    expect(card.agent.name).not.toContain('Trusted');
    expect((await attempt).isError).toBe(true);
    expect(ticks()).toHaveLength(2);
  });

  test('changed in the middle of a connection it moves no grant, no pause and no card to another agent', async () => {
    const { agent, pid } = await agentCalled('honest');
    const before = await agent.request('agent/describe', { client: { name: 'one', version: '1' } });
    const after = await agent.request('agent/describe', {
      client: { name: 'Claude Code', version: '9' },
      cwd: '/root',
    });
    expect(after['agent']).toEqual(before['agent']);
    const attempt = tick(agent);
    const card = await scene.person.answer('deny');
    expect(card.agent).toMatchObject({ claim: 'Claude Code 9' });
    expect(card.agent.name).not.toContain('Claude');
    expect(card.agent.cwd).not.toBe('/root');
    await attempt;
    expect(pid).toBeGreaterThan(0);
  });

  test('one agent reads, resumes, cancels and aborts nothing of another’s [req:DS-4-3]', async () => {
    const victim = await agentCalled('victim');
    const thief = await agentCalled('victim');
    const waiting = victim.agent.tool('click', { x: 90, y: 498 }, 'the-call');
    const { approval } = await scene.person.next('approvalRequested');
    await expect(thief.agent.request('agent/resume', { callId: 'the-call' })).rejects.toMatchObject({
      details: { reason: 'unknown_call' },
    });
    expect(await thief.agent.request('agent/cancel', { callId: 'the-call', mode: 'abort' })).toEqual({
      cancelled: false,
    });
    for (const id of [approval.executionId, 'the-call', approval.id])
      expect(await scene.rpc.error('desktop.abort', { executionId: id })).toMatchObject({
        code: 'DESKTOP_INVALID_REQUEST',
      });
    expect(thief.agent.events).toEqual([]);
    await settle(scene.person, approval, 'allow');
    expect((await waiting).isError).not.toBe(true);
    expect(ticks()).toHaveLength(1);
  });
});
