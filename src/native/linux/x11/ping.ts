import { delay } from '../../../base/poll.js';
import type { XConnection } from './connection.js';
import type { Properties } from './properties.js';
import type { Windows } from './windows.js';

const SUBSTRUCTURE_NOTIFY = 0x80000;
const LONGEST = 1000;
const GUESS = 60;

/**
 * Waits until the active window's application has handled all input sent so far: `_NET_WM_PING` comes back in order
 * with the other events. Where an application does not take part, or hangs, a short wait has to do.
 */
export async function openPing(
  x: XConnection,
  windows: Windows,
  properties: Properties,
): Promise<(signal: AbortSignal) => Promise<void>> {
  const [protocols, ping] = await Promise.all([x.atom('WM_PROTOCOLS'), x.atom('_NET_WM_PING')]);
  await x.tell((done) => x.client.ChangeWindowAttributes(x.root, { eventMask: SUBSTRUCTURE_NOTIFY }, done));
  let last = 0x70000000;

  return async (signal) => {
    const window = await windows.active();
    if (window === 0 || !(await properties.numbers(window, 'WM_PROTOCOLS')).includes(ping)) {
      return delay(GUESS, signal);
    }
    const stamp = (last += 1);
    let stop: () => void = () => {};
    const answered = new Promise<void>((resolve) => {
      stop = x.onEvent((event) => {
        if (event.name !== 'ClientMessage' || event.rawData === undefined) return;
        const [type, serial] = [event.rawData.readUInt32LE(8), event.rawData.readUInt32LE(16)];
        if (type === protocols && serial === stamp && event.rawData.readUInt32LE(4) === x.root) resolve();
      });
    });
    try {
      await x.tell((done) => x.client.SendClientMessage(window, window, protocols, 32, [ping, stamp, window], 0, done));
      const enough = new AbortController();
      await Promise.race([answered, delay(LONGEST, AbortSignal.any([signal, enough.signal]))]).finally(() =>
        enough.abort(),
      );
    } finally {
      stop();
    }
  };
}
