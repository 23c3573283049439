/** How long an application is waited for, where it gives itself a time; on a stream, and with a clock of the test's. */
import { duplexPair } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAppConnection } from '../../src/main/gabp/connection.js';
import { frameTransport } from '../../src/main/transport/frames.js';
import { welcomeOf } from '../support/scripted-app.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const signal = new AbortController().signal;

/** An application that answers a hello and nothing else. */
async function connectionTo(limits: object) {
  const [here, there] = duplexPair();
  const app = frameTransport(there);
  app.onMessage((given) => {
    const { id, method } = given as { id: string; method: string };
    const answer = { v: 'gabp/1', id, type: 'response', result: welcomeOf({ limits }) };
    if (method === 'session/hello') void app.send(answer);
  });
  return openAppConnection(frameTransport(here), { token: 't', launchId: 'l', version: '1', signal });
}

const own = { timeoutMs: 30_000, longestMs: 600_000, signal };
test.each([
  [
    'its own of two minutes lengthens ours, with time to say that it has ended the call',
    { requestTimeout: 120 },
    own,
    122_000,
  ],
  ['its own of an hour lengthens ours to our longest', { requestTimeout: 3600 }, own, 600_000],
  ['its own of five seconds shortens ours', { requestTimeout: 5 }, own, 7_000],
  ['its own never lengthens what the entry says', { requestTimeout: 120 }, { timeoutMs: 30_000, signal }, 30_000],
  ['without one ours counts', {}, own, 30_000],
])('[req:TP-22] %s', async (_how, limits, limit, expectedMs) => {
  const connection = await connectionTo(limits);
  let failed: unknown = null;
  const asked = connection.request('tools/call', {}, limit).catch((thrown: unknown) => (failed = thrown));
  await vi.advanceTimersByTimeAsync(expectedMs - 1);
  expect(failed).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(failed).toMatchObject({
    reason: 'unknown',
    message: `The application did not answer within ${expectedMs / 1000} s.`,
  });
  connection.close();
});
