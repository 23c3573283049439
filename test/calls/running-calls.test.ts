import { expect, test } from 'vitest';
import { createRunningCalls } from '../../src/main/calls/index.js';

test('[req:AP-A-7] what runs when the person quits is waited for, and whoever asked has the answer by then', async () => {
  const running = createRunningCalls();
  const order: string[] = [];
  let end: () => void = () => undefined;
  void running.add(new Promise<void>((resolve) => (end = resolve))).then(() => order.push('answered'));
  const over = running.allAnswered(60_000).then(() => order.push('over'));
  end();
  await over;
  expect(order).toEqual(['answered', 'over']);
});

test('[req:AP-A-7] it is not waited for longer than so, and not at all once it has failed', async () => {
  const running = createRunningCalls();
  await expect(running.add(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  await running.allAnswered(60_000);
  void running.add(new Promise(() => undefined));
  await running.allAnswered(1);
});
