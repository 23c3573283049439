import { afterEach, expect, test, vi } from 'vitest';
import { createExecutions } from '../../src/main/pipeline/executions.js';
import { createAttention } from '../../src/main/agents/attention.js';
import { watchTakeover } from '../../src/main/agents/takeover.js';
import { CALLER } from '../support/pipeline.js';
import { waitFor } from '../support/eventually.js';

afterEach(() => void vi.useRealTimers());

test('[req:DS-3-15] the desktop is the person’s until three seconds after the last of their input', async () => {
  vi.useFakeTimers();
  const attention = createAttention();
  let moved: (at: null) => void = () => undefined;
  let acts = true;
  const watch = watchTakeover({
    desktop: { onPersonInput: (listener) => ((moved = listener), () => undefined) },
    executions: createExecutions(),
    attention,
    acting: () => acts,
    inOurWindows: async () => false,
    onInputInOurWindows: () => undefined,
    log: (thrown) => expect.fail(String(thrown)),
  });
  const taken = () => attention.port.current() !== null;
  moved(null);
  await vi.advanceTimersByTimeAsync(2_000);
  // The act has ended by then; the person has not.
  acts = false;
  moved(null);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(taken()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(taken()).toBe(false);
  watch.close();
});

test('where it cannot be told whose window the person is in, the desktop is theirs', async () => {
  const executions = createExecutions();
  const attention = createAttention();
  const stopped: string[] = [];
  executions.add({ executionId: 'e', aliases: [], caller: CALLER, tool: 'click', stop: ({ by }) => stopped.push(by) });
  let moved: (at: null) => void = () => undefined;
  const logged: unknown[] = [];
  const watch = watchTakeover({
    desktop: {
      onPersonInput(listener) {
        moved = listener;
        return () => undefined;
      },
    },
    executions,
    attention,
    acting: () => true,
    inOurWindows: () => Promise.reject(new Error('the window manager does not answer')),
    onInputInOurWindows: () => undefined,
    log: (thrown) => logged.push(thrown),
  });
  moved(null);
  await waitFor(() => expect(stopped).toEqual(['person']));
  expect(attention.port.current()?.summary).toContain('the person');
  expect(logged).toHaveLength(1);
  watch.close();
});
