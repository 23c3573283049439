import { delay } from '../../../base/poll.js';
import type { XConnection } from './connection.js';
import type { Properties } from './properties.js';

const PROPERTY_CHANGE = 0x400000;
const SUBSTRUCTURE = 0x180000;
const LONGEST = 500;
const GUESS = 15;

/**
 * Waits until the window manager has handled what was sent to it so far. A press goes to it first, and the pointer
 * stands still until it lets the press through, while keys go on: without this wait a key could overtake a click.
 */
export async function openWindowManagerTurn(
  x: XConnection,
  properties: Properties,
): Promise<{ wait(signal: AbortSignal): Promise<void>; close(): Promise<void> }> {
  const [request, extents] = await Promise.all([x.atom('_NET_REQUEST_FRAME_EXTENTS'), x.atom('_NET_FRAME_EXTENTS')]);
  const window = x.client.AllocID();
  await x.tell((done) =>
    x.client.CreateWindow(window, x.root, 0, 0, 1, 1, 0, 0, 1, 0, { eventMask: PROPERTY_CHANGE }, done),
  );

  const wait = async (signal: AbortSignal): Promise<void> => {
    if (!(await properties.numbers(x.root, '_NET_SUPPORTED')).includes(request)) return delay(GUESS, signal);
    const enough = new AbortController();
    const stop = x.onEvent((event) => {
      if (event.name === 'PropertyNotify' && event.wid === window && event.atom === extents) enough.abort();
    });
    try {
      await x.tell((done) => x.client.SendClientMessage(x.root, window, request, 32, [], SUBSTRUCTURE, done));
      await delay(LONGEST, AbortSignal.any([signal, enough.signal])).catch(() => {});
      signal.throwIfAborted();
    } finally {
      stop();
    }
  };
  return { wait, close: () => x.tell((done) => x.client.DestroyWindow(window, done)) };
}
