import { expect, test } from 'vitest';
import { createExecutions } from '../../src/main/pipeline/executions.js';
import { createAttention } from '../../src/main/agents/attention.js';
import { watchTakeover } from '../../src/main/agents/takeover.js';
import { CALLER } from '../support/pipeline.js';
import { waitFor } from '../support/eventually.js';

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
