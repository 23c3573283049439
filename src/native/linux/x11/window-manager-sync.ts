import { delay } from '../../../base/poll.js';
import type { XConnection } from './connection.js';
import { PROPERTY_CHANGE } from './event-masks.js';
import type { Properties } from './properties.js';
import { TO_MANAGER } from './window-ops.js';

const MAX_WAIT_MS = 500;
const FALLBACK_WAIT_MS = 15;

/**
 * Waits until the window manager has handled all events sent to it so far. It gets each button press first, and pointer
 * events are frozen until it replays the press, but keys are not: without this wait a key could overtake a click.
 */
export async function openWindowManagerSync(
  x: XConnection,
  properties: Properties,
): Promise<{ wait(signal: AbortSignal): Promise<void>; close(): Promise<void> }> {
  const [request, extents] = await Promise.all([x.atom('_NET_REQUEST_FRAME_EXTENTS'), x.atom('_NET_FRAME_EXTENTS')]);
  const window = x.client.AllocID();
  await x.send((done) =>
    x.client.CreateWindow(window, x.root, 0, 0, 1, 1, 0, 0, 1, 0, { eventMask: PROPERTY_CHANGE }, done),
  );

  const wait = async (signal: AbortSignal): Promise<void> => {
    if (!(await properties.numbers(x.root, '_NET_SUPPORTED')).includes(request)) return delay(FALLBACK_WAIT_MS, signal);
    const answered = new AbortController();
    const stop = x.onEvent((event) => {
      if (event.name === 'PropertyNotify' && event.wid === window && event.atom === extents) answered.abort();
    });
    try {
      await x.send((done) => x.client.SendClientMessage(x.root, window, request, 32, [], TO_MANAGER, done));
      await delay(MAX_WAIT_MS, AbortSignal.any([signal, answered.signal])).catch(() => {});
      signal.throwIfAborted();
    } finally {
      stop();
    }
  };
  return { wait, close: () => x.send((done) => x.client.DestroyWindow(window, done)) };
}
