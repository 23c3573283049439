import { expect, test } from 'vitest';
import { type RunResult, createCallEvents } from '../../src/main/pipeline/dependencies.js';
import { createAttention, type Condition } from '../../src/main/agents/attention.js';
import { createImages } from '../../src/main/calls/images.js';
import type { CallSeat } from '../../src/main/calls/seats.js';
import { createToolCalls } from '../../src/main/calls/tool-calls.js';
import { gestureTool } from '../../src/main/tools/input/index.js';
import { createCommandRunner } from '../../src/native/process/index.js';
import { appleTools } from '../../src/main/tools/commands/apple-scripts.js';
import { ALLOWED, CALLER } from '../support/pipeline.js';
import { message, verbatim } from '../../src/messages/index.js';

const RAN: RunResult = { executionId: 'x', value: {}, text: 'ran', effect: 'dangerous', verified: null, decision: ALLOWED, evidenceDir: null, kept: [], incomplete: false, times: { totalMs: 0, stages: [], desktop: [] } }; // prettier-ignore

function table() {
  const attention = createAttention();
  const shell = createCommandRunner();
  const none = { shell, commandEnv: { plain: {}, desktop: {} }, scripting: null };
  const action = appleTools(none).find(({ name }) => name === 'execute_apple_script');
  if (action === undefined) throw new Error('no such tool');
  const seat: CallSeat = {
    runner: { run: async () => RAN },
    attention,
    tool: () => undefined,
    desktop: { displays: async () => [] },
    mayReadTitles: async () => true,
  };
  const calls = createToolCalls({
    appTools: () => [],
    tools: [action, gestureTool()].map((one) => ({ group: 'test', core: false, action: one })),
    seats: { of: () => seat, away: seat, opening: { runner: seat.runner, action } },
    events: createCallEvents((thrown) => expect.fail(String(thrown))),
    recorder: { interrupted: async () => null, refused: async () => undefined },
    images: createImages(),
    chat: { collectWritten: () => [] },
    workspaceFor: async () => '/work',
    log: (thrown) => expect.fail(String(thrown)),
  });
  let count = 0;
  const call = async (name: string) => {
    const made = { callId: String((count += 1)), name, arguments: {} };
    const { isError } = await calls.callTool(CALLER, made, { signal: new AbortController().signal, onProgress: () => undefined }); // prettier-ignore
    return isError === true ? 'refused' : 'ran';
  };
  return { attention, both: async () => [await call('execute_apple_script'), await call('gesture')] };
}

test('[req:DS-3-15] what is off the desktop goes on while the person has that, and nothing else does', async () => {
  const { attention, both } = table();
  expect(await both()).toEqual(['ran', 'ran']);
  attention.set('taken_over', message('attention.taken_over'));
  expect(await both()).toEqual(['ran', 'refused']);
});

test.each<Condition>(['paused', 'locked', 'permission', 'display_lost'])(
  'while %s nothing runs, on the desktop or off it, also when the person has taken over as well',
  async (condition) => {
    const { attention, both } = table();
    attention.set('taken_over', message('attention.taken_over'));
    attention.set(condition, verbatim('for a reason.'));
    expect(await both()).toEqual(['refused', 'refused']);
  },
);
