import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withReadSlots } from '../../src/main/calls/index.js';
import type { RunResult } from '../../src/main/pipeline/dependencies.js';
import type { Effect } from '../../src/main/protocol/index.js';
import { gestureTool } from '../../src/main/tools/input/index.js';
import { ALLOWED, CALLER } from '../support/pipeline.js';

const RAN: RunResult = { executionId: 'x', value: {}, text: 'ran', effect: 'read', verified: null, decision: ALLOWED, evidenceDir: null, kept: [], incomplete: false, times: { totalMs: 0, stages: [], desktop: [] } }; // prettier-ignore

/** A runner whose calls end when the test says so. */
function scene() {
  const running: { name: string; end(): void }[] = [];
  const runner = withReadSlots({
    run: (_action, { callId }) => new Promise((resolve) => running.push({ name: callId, end: () => resolve(RAN) })),
  });
  const call = (
    agentId: string,
    callId: string,
    effect: Effect = 'disclose',
    signal = new AbortController().signal,
  ) => {
    const caller = { ...CALLER, agent: { ...CALLER.agent, id: agentId } };
    const ids = { callId, requestId: callId, aliases: [], caller, workspace: '/work' };
    const rest = { input: {}, arguments: {}, timeoutMs: null, gate: null, signal };
    return runner.run({ ...gestureTool(), effect }, { ...ids, ...rest });
  };
  const started = () => running.map(({ name }) => name);
  const end = async (name: string) => {
    running.find((one) => one.name === name)?.end();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { call, started, end };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('some reads run at once; of those that wait the agents take turns', async () => {
  const { call, started, end } = scene();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8']) void call('a', name);
  void call('b', 'b1', 'read');
  void call('c', 'c1');
  void call('b', 'b2');
  expect(started()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) await end(name);
  expect(started().slice(5)).toEqual(['a6', 'b1', 'c1', 'a7', 'b2', 'a8']);
});

it('acts and bookkeeping wait for no read', () => {
  const { call, started } = scene();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) void call('a', name);
  const effects: Effect[] = ['bookkeeping', 'pointer', 'input', 'dangerous'];
  for (const effect of effects) void call('a', effect, effect);
  expect(started()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', ...effects]);
});

it('a read that takes long keeps no other waiting', async () => {
  const { call, started, end } = scene();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) void call('a', name);
  await end('a1');
  await vi.advanceTimersByTimeAsync(1000);
  expect(started()).toHaveLength(7);
  // Their slots are not given away twice.
  for (const name of started()) await end(name);
  for (const name of ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']) void call('b', name);
  expect(started()).toHaveLength(12);
});

it('a read that is cancelled while it waits goes on at once, and takes nobody’s slot', async () => {
  const { call, started, end } = scene();
  const cancelled = new AbortController();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void call('a', name);
  void call('b', 'b1', 'disclose', cancelled.signal);
  void call('c', 'c1');
  expect(started()).toHaveLength(5);
  cancelled.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(started().slice(5)).toEqual(['b1']);
  await end('a1');
  expect(started().slice(6)).toEqual(['c1']);
});
