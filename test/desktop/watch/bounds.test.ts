import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DesktopError, type DesktopReader } from '../../../src/native/desktop.js';
import { AGENT, never, openBench, row, told, type Bench } from './support.js';
import { verbatim } from '../../../src/messages/index.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const MINUTE = 60_000;
const poll = (name: string, after: number | null = null, timeoutMs = 20_000) =>
  bench.observations.poll(AGENT, name, { after, timeoutMs }, never);
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (thrown: { details?: { reason?: string } }) => thrown.details?.reason,
  );

describe('a reader that is slow', () => {
  test('is told how many events are lost, and gets the latest in order', async () => {
    const { world, id, make, observations, delivered } = bench;
    const name = await make({ types: ['tree_changes'] });
    for (let added = 0; added < 620; added += 1) world.addElement(id('list'), row(100 + added));
    await expect.poll(() => observations.get(AGENT, name).last_sequence, { timeout: 20_000 }).toBe(620);
    const first = await poll(name);
    expect(first).toMatchObject({ dropped: 120, next: 220, more: true });
    expect(first.events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 100 }, (_, index) => 121 + index),
    );
    let last = first;
    while (last.more) {
      last = await poll(name);
      expect(last.dropped).toBe(0);
    }
    expect(last.events.at(-1)?.sequence).toBe(620);
    // Nothing is lost to who listens.
    expect(delivered.map(({ event }) => event['sequence'])).toEqual(
      Array.from({ length: 620 }, (_, index) => 1 + index),
    );
  });

  test('costs no more memory for what it does not read, however large', async () => {
    const { world, id, make, observations } = bench;
    const name = await make();
    for (let change = 0; change < 260; change += 1)
      world.addElement(id('list'), {
        ...row(change),
        role: 'AXTextField',
        value: 'v'.repeat(9000),
        title: 't'.repeat(9000),
      });
    await expect.poll(() => observations.get(AGENT, name).last_sequence, { timeout: 20_000 }).toBe(260);
    const all = [];
    for (let got = await poll(name, 0); ; got = await poll(name)) {
      all.push(...got.events);
      if (!got.more) break;
    }
    expect(JSON.stringify(all).length).toBeLessThan(600_000);
    expect(all.length).toBeGreaterThan(10);
  });

  test('may ask again for what it was given, as long as it is kept', async () => {
    const { world, id, make } = bench;
    const name = await make();
    world.change(id('name'), { value: 'x' });
    expect((await poll(name)).events).toHaveLength(1);
    expect(await poll(name, null, 0)).toMatchObject({ events: [], next: 1, dropped: 0 });
    expect((await poll(name, 0)).events).toHaveLength(1);
    expect(await poll(name, Number.MAX_SAFE_INTEGER, 0)).toMatchObject({ events: [], next: 1, dropped: 0 });
  });
});

describe('how many there may be', () => {
  test('is bounded for an agent, thousands of tries or not, and others still have room', async () => {
    const { make, observations } = bench;
    const tries = await Promise.all(Array.from({ length: 2000 }, () => refusal(make())));
    expect(tries.filter((one) => one === 'none')).toHaveLength(16);
    expect(tries.filter((one) => one === 'too_many_observations')).toHaveLength(1984);
    expect(observations.list(AGENT)).toHaveLength(16);
    await make({}, 'agent-2');
    const [oldest] = observations.list(AGENT);
    observations.cancel(AGENT, oldest?.name ?? '');
    await make();
    expect(observations.activeCount()).toBe(17);
  });

  test('is bounded for all agents together', async () => {
    const { make, observations } = bench;
    for (let agent = 0; agent < 4; agent += 1)
      for (let count = 0; count < 16; count += 1) await make({}, `agent-${agent}`);
    expect(await refusal(make({}, 'agent-late'))).toBe('too_many_observations');
    expect(observations.activeCount()).toBe(64);
  });

  test('nothing that could not be watched stays behind', async () => {
    const { make, observations, request } = bench;
    const { scope } = request();
    await expect(make({ scope: { ...scope, elementId: 'element-none' } })).rejects.toMatchObject({ code: 'stale' });
    await expect(make({ scope: { ...scope, app: { ...bench.app, pid: 1 } } })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(observations.activeCount()).toBe(0);
    expect(observations.list(AGENT)).toEqual([]);
  });
});

describe('an observation ends', () => {
  test('when it is cancelled: at once for who waits, and it answers for a while afterwards', async () => {
    const { world, id, make, observations, host, delivered } = bench;
    const name = await make();
    const waiting = poll(name, null, 3_600_000);
    expect(observations.cancel(AGENT, name)).toMatchObject({ state: 'CANCELLED', expires: null });
    expect(await waiting).toMatchObject({ events: [], info: { state: 'CANCELLED' } });
    expect(observations.cancel(AGENT, name)).toMatchObject({ state: 'CANCELLED' });
    world.change(id('name'), { value: 'too late' });
    expect(await poll(name)).toMatchObject({ events: [], info: { state: 'CANCELLED' } });
    expect(delivered.map(({ event }) => event)).toEqual([
      {
        observation: name,
        time: expect.any(String),
        kind: 'observation_ended',
        state: 'CANCELLED',
        reason: expect.any(String),
      },
    ]);
    host.time += 9 * MINUTE;
    expect(observations.get(AGENT, name).state).toBe('CANCELLED');
    host.time += 2 * MINUTE;
    expect(() => observations.get(AGENT, name)).toThrow(/no observation/);
    expect(observations.activeCount()).toBe(0);
  });

  test('when nobody has asked for half an hour; asking puts it off', async () => {
    const { make, observations, host } = bench;
    const name = await make();
    expect(observations.get(AGENT, name).expires).toBe(new Date(host.time + 30 * MINUTE).toISOString());
    host.time += 29 * MINUTE;
    await poll(name, null, 0);
    host.time += 29 * MINUTE;
    observations.endUnused();
    expect(observations.get(AGENT, name).state).toBe('ACTIVE');
    host.time += MINUTE;
    observations.endUnused();
    expect(observations.get(AGENT, name)).toMatchObject({
      state: 'COMPLETED',
      reason: expect.stringContaining('30 minutes'),
    });
  });

  test('when its agent has been gone for a minute; coming back in time keeps it', async () => {
    const { make, observations, host } = bench;
    const name = await make();
    const after = (ms: number, present: boolean) => {
      host.time += ms;
      host.present = present;
      observations.endUnused();
      return observations.get(AGENT, name).state;
    };
    expect(after(1000, false)).toBe('ACTIVE');
    expect(after(59_000, false)).toBe('ACTIVE');
    expect(after(500, true)).toBe('ACTIVE');
    expect(after(MINUTE, false)).toBe('ACTIVE');
    expect(after(MINUTE, false)).toBe('COMPLETED');
    expect(observations.get(AGENT, name).reason).toBe('Its agent has disconnected.');
  });

  test('when the desktop is lost, as failed', async () => {
    const { make, world } = bench;
    const name = await make();
    world.lose('pulled');
    expect((await poll(name)).info).toMatchObject({ state: 'FAILED', reason: expect.stringContaining('pulled') });
  });

  test('with the room', async () => {
    const { make, observations } = bench;
    const waiting = poll(await make(), null, 3_600_000);
    observations.close();
    expect((await waiting).info.state).toBe('CANCELLED');
  });
});

describe('an application that does not answer', () => {
  test('is waited for, and said to be; what changed is told when it answers again', async () => {
    const { world, id, make, pid, observations } = bench;
    const name = await make();
    world.hang(pid);
    world.change(id('name'), { value: 'meanwhile' });
    await expect.poll(() => observations.get(AGENT, name).notes.join()).toMatch(/does not answer/);
    expect(await poll(name, null, 0)).toMatchObject({ events: [], info: { state: 'ACTIVE' } });
    world.recover(pid);
    expect(told((await poll(name)).events)).toEqual(['element_modified Name value']);
  });

  test('from the start makes a pending observation, whose first answer is no change', async () => {
    const { world, id, make, pid, observations } = bench;
    world.hang(pid);
    const name = await make();
    expect(observations.get(AGENT, name)).toMatchObject({
      state: 'PENDING',
      notes: expect.arrayContaining([expect.stringContaining('does not answer')]),
    });
    world.recover(pid);
    await expect.poll(() => observations.get(AGENT, name).state).toBe('ACTIVE');
    world.change(id('name'), { value: 'now' });
    expect(told((await poll(name)).events)).toEqual(['element_modified Name value']);
  });
});

test('hints that never come are made up for by the interval, and what listens to hints stops listening at the end', async () => {
  let listening = 0;
  const deaf = (desktop: DesktopReader): DesktopReader => ({
    ...desktop,
    onChange() {
      listening += 1;
      return () => void (listening -= 1);
    },
  });
  const part = await openBench(deaf);
  const name = await part.make();
  expect(listening).toBe(1);
  part.world.change(part.id('name'), { value: 'unhinted' });
  expect(told(await part.until(name, () => true))).toEqual(['element_modified Name value']);
  part.observations.cancel(AGENT, name);
  expect(listening).toBe(0);
  await part.close();
});

test('a listener that fails keeps nobody else from hearing, and a failing look is no end', async () => {
  let broken = false;
  const part = await openBench((desktop) => ({
    ...desktop,
    tree: (scope, limits, signal) =>
      broken
        ? Promise.reject(new DesktopError('failed', verbatim('it stumbled')))
        : desktop.tree(scope, limits, signal),
  }));
  const heard: unknown[] = [];
  part.observations.onEvent(() => {
    throw new Error('a listener fails');
  });
  part.observations.onEvent((one) => heard.push(one));
  const name = await part.make();
  broken = true;
  part.world.change(part.id('name'), { value: 'x' });
  await expect.poll(() => part.observations.get(AGENT, name).notes.join()).toMatch(/stumbled/);
  broken = false;
  expect(told(await part.until(name, () => true))).toEqual(['element_modified Name value']);
  expect(heard).toHaveLength(1);
  await part.close();
});
