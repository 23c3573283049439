import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Progress } from '../../../src/main/calls/types.js';
import { withProgress } from '../../../src/main/serve/gabp/tool-caller.js';
import { connection } from '../support.js';
import { waitFor } from '../../support/eventually.js';

const running = (step: number): Progress => ({ callId: 'c', state: 'running', message: `Step ${step}.` });
const asked: Progress = { callId: 'c', state: 'awaiting_human', approvalId: 'a', message: 'asked' };

/** A call that ends with `end`. */
function call() {
  const sent: Progress[] = [];
  let end: () => void = () => undefined;
  let tell: (progress: Progress) => void = () => undefined;
  const done = withProgress(
    (progress) => void sent.push(progress),
    (onProgress) => {
      tell = onProgress;
      return new Promise<void>((resolve) => (end = resolve));
    },
  );
  return { sent, tell: (progress: Progress) => tell(progress), end: () => (end(), done) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('says that a call runs only where it has not ended soon, with its latest step', async () => {
  const quick = call();
  quick.tell(running(1));
  await quick.end();
  vi.runAllTimers();
  expect(quick.sent).toEqual([]);

  const long = call();
  long.tell(running(1));
  long.tell(running(2));
  expect(long.sent).toEqual([]);
  vi.runAllTimers();
  expect(long.sent).toEqual([running(2)]);
  long.tell(running(3));
  vi.runAllTimers();
  expect(long.sent).toEqual([running(2), running(3)]);
  await long.end();
});

it('says at once what a call waits for, and nothing older after it', () => {
  const { sent, tell } = call();
  tell(running(1));
  tell(asked);
  expect(sent).toEqual([asked]);
  vi.runAllTimers();
  expect(sent).toEqual([asked]);
  tell(running(2));
  vi.runAllTimers();
  expect(sent).toEqual([asked, running(2)]);
});

it('sends it over the connection of the call', async () => {
  vi.useRealTimers();
  const { hello, ask, nth, events, send } = connection();
  await hello();
  await ask('events/subscribe', { channels: ['call/progress'] });
  await send('tools/call', { name: 'test/look' }, 'c');
  (await nth(0)).options.onProgress(running(1));
  await waitFor(() => expect(events('call/progress')).toMatchObject([{ payload: running(1) }]));
});
