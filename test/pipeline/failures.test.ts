/** Why a call failed, in the words of agents and in a person's language. */
import { expect, test } from 'vitest';
import { nothingDone } from '../../src/main/pipeline/failures.js';
import { skippedResults, stepFailedError } from '../../src/main/pipeline/sequence.js';
import { coveredError } from '../../src/main/pipeline/target/scope.js';
import { targetChanged } from '../../src/main/pipeline/compare.js';
import { WireError } from '../../src/main/protocol/index.js';
import { createFormatter, message, verbatim } from '../../src/messages/index.js';
import de from '../../src/messages/de.json' with { type: 'json' };
import zh from '../../src/messages/zh.json' with { type: 'json' };
import type { Window } from '../../src/native/desktop.js';

const inGerman = createFormatter(de, 'de-DE').format;
const inChinese = createFormatter(zh, 'zh-CN').format;

const COVER: Window = {
  id: 'w1',
  title: 'Save?',
  app: { id: 'mail', name: 'Mail', pid: 7, startTime: 'then', frontmost: true },
  frame: { x: 0, y: 0, width: 400, height: 300 },
  focused: true,
  minimized: false,
  visible: true,
  normal: true,
  documentUrl: 'https://shop.example/cart',
};

const failedStep = (error: WireError, index: number, of: number) => {
  const steps = skippedResults(Array.from({ length: of }, () => 'click')).map((step) =>
    step.index < index ? { ...step, status: 'done' as const } : step,
  );
  const failed = steps[index - 1];
  if (failed === undefined) throw new Error('no such step');
  return stepFailedError(failed, error, steps, index > 1);
};

test('a failed step says why within its own sentence, in every language, without “Nothing was done”', () => {
  const failed = failedStep(coveredError('Send', COVER, { x: 1, y: 2 }), 2, 3);
  expect(failed.message).toBe(
    'Step 2 of 3 (click) failed: “Send” is covered by “Save?”. 1 step before it was done; 1 after it was not tried.',
  );
  expect(inGerman(failed.text)).toBe(
    'Schritt 2 von 3 (click) ist gescheitert: „Send“ ist von „Save?“ verdeckt. 1 Schritt davor wurde getan; 1 danach wurde nicht versucht.',
  );
  expect(inChinese(failed.text)).toBe(
    '第 2 步（共 3 步，click）失败：“Send”被“Save?”遮住。之前完成了 1 步；之后 1 步未尝试。',
  );
});

test.each([
  [1, 1, 'No step before it; it was the last.'],
  [1, 3, 'No step before it; 2 after it were not tried.'],
  [3, 4, '2 steps before it were done; 1 after it was not tried.'],
])('step %i of %i: what was done before it and what was left', (index, of, said) => {
  const error = new WireError('DESKTOP_ABORTED', verbatim('An application’s own words.'));
  expect(failedStep(error, index, of).message).toBe(
    `Step ${index} of ${of} (click) failed: An application’s own words. ${said}`,
  );
});

test('what changed is named with its field, and for agents in `details` as well', () => {
  const { text, message: english, details } = targetChanged([{ part: 'drop', field: 'point', approved: 1, now: 2 }]);
  expect(english).toBe('Nothing was done: the end of the drag point is not what was approved any more.');
  expect(details).toEqual({ drift: [{ what: 'end of the drag point', approved: 1, now: 2 }] });
  expect(inGerman(text)).toBe('Nichts wurde getan: das Ende des Ziehens (point) ist nicht mehr, was erlaubt wurde.');
  expect(targetChanged([{ part: 'pixels', approved: 1, now: 2 }]).message).toContain('the look of it is not');
  expect(text.code).toBe(nothingDone(message('stopped.one')).code);
});
