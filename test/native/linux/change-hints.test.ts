import { expect, test } from 'vitest';
import type { ChangeHint } from '../../../src/native/desktop.js';
import type { ChangeListener, AccessibilityBus } from '../../../src/native/linux/atspi/bus.js';
import { openChangeHints } from '../../../src/native/linux/components.js';

test('what an application moves is told once, when it answers, and any other change at once', async () => {
  let tell: ChangeListener = () => undefined;
  const answers: (() => void)[] = [];
  const bus: Pick<AccessibilityBus, 'listen' | 'heardAll' | 'pidOf'> = {
    listen: (listener) => ((tell = listener), () => undefined),
    heardAll: () => new Promise((resolve) => answers.push(resolve)),
    pidOf: async () => 7,
  };
  const hints = openChangeHints(() => ({ stop: async () => undefined }), bus as AccessibilityBus);
  const heard: ChangeHint[] = [];
  const first = new Promise<void>((resolve) => {
    hints.on((hint) => {
      heard.push(hint);
      resolve();
    });
  });
  for (let place = 0; place < 100; place += 1) tell(':1.5', true);
  expect(answers).toHaveLength(1);
  expect(heard).toEqual([]);
  answers[0]?.();
  await first;
  expect(heard).toEqual([{ kind: 'elements', pid: 7, isLaidOut: true }]);
  tell(':1.5', true);
  expect(answers).toHaveLength(2);
  await hints.close();
});
