import { expect, test } from 'vitest';
import { Stopped } from '../../../src/main/pipeline/failures.js';
import { createTestPipeline, failure } from '../../support/pipeline.js';
import { verbatim } from '../../../src/messages/index.js';

const COPY = { tool: 'wait_element', arguments: { title: 'Send', timeout: 1 } };

test('[req:MT-T-wait] a wait takes its time, ends at once when it is stopped, and asks nobody', async () => {
  const pipeline = createTestPipeline();
  const result = await pipeline.run('wait', { duration: 0.05 });
  expect(result).toMatchObject({ value: { waited: expect.any(Number) as number }, effect: 'bookkeeping' });
  const work = failure(pipeline.run('wait', { duration: 60 }));
  while (pipeline.deps.executions.all().length === 0) await new Promise((resolve) => setImmediate(resolve));
  pipeline.deps.executions.stop(new Stopped('abort', verbatim('Aborted by the caller.')));
  expect((await work).code).toBe('DESKTOP_ABORTED');
  for (const duration of [-1, 61, 'long', null, Number.POSITIVE_INFINITY])
    expect((await failure(pipeline.run('wait', { duration }))).message).toContain('duration');
  expect(pipeline.asked.map(({ action }) => action.effect)).toEqual(['bookkeeping', 'bookkeeping']);
});

test('hostile lists of steps are refused before anybody is asked', async () => {
  const pipeline = createTestPipeline();
  const copy = { tool: 'click_element', arguments: { element_id: await pipeline.refer('copy') } };
  const lists: [unknown, RegExp][] = [
    [[], /steps/],
    ['click', /steps/],
    [Array(21).fill(copy), /steps/],
    [[{ ...copy, confirm: true }], /confirm/],
    [[{ tool: 7 }], /tool/],
    [[{ tool: 'toString' }], /steps\.0\.tool/],
    [[copy, { tool: '__proto__' }], /steps\.1\.tool/],
    [[copy, { tool: 'element/click_element' }], /steps\.1\.tool/],
    [[copy, { tool: 'click_element', arguments: { element_id: 'e:1', force: true } }], /steps\.1: .*force/],
    [[copy, { tool: 'click_element', arguments: [] }], /steps\.1\.arguments/],
    [[copy, { tool: 'type_text', arguments: { text: 'x' } }], /steps\.1\.arguments: name the application/],
    [[copy, { tool: 'type_text', arguments: { text: 'x'.repeat(200_000), application: 'a' } }], /at most 100000/],
    [[COPY, COPY], /at least one must act/],
    [[copy, ...Array(11).fill({ ...COPY, arguments: { title: 'x' } })], /300 s/],
  ];
  for (const [steps, words] of lists) {
    const error = await failure(pipeline.run('run_plan', { steps }));
    expect(error.code).toBe('DESKTOP_INVALID_REQUEST');
    expect(error.message).toMatch(words);
  }
  const never = ['send_message', 'run_plan', 'execute_macro', 'left_mouse_down', 'execute_shell_command', 'find_text', 'capture_screenshot', 'get_clipboard', 'create_macro']; // prettier-ignore
  for (const tool of never) {
    const error = await failure(pipeline.run('run_plan', { steps: [copy, { tool }] }));
    expect(error.details['reason']).toBe('not_a_step');
    expect(error.next).toContain('click_element');
    expect(error.next).not.toContain(tool);
  }
  expect(pipeline.asked).toEqual([]);
  expect(pipeline.world.journal()).toEqual([]);
});
