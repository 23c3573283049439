import { delay } from '../../../base/poll.js';
import { endsWithin, restWithin } from '../process-rest.js';
import type { XConnection } from './connection.js';
import { PROPERTY_CHANGE, STRUCTURE_NOTIFY, SUBSTRUCTURE_NOTIFY } from './event-masks.js';
import type { Properties } from './properties.js';
import { TO_MANAGER } from './window-ops.js';

const MAX_WAIT_MS = 1000;
const FALLBACK_WAIT_MS = 60;
const MAX_MANAGER_MS = 500;
const NO_REQUEST_MS = 15;
/** Where it should be sent, and where Qt 5 sends it. */
const ANSWER = SUBSTRUCTURE_NOTIFY | STRUCTURE_NOTIFY;

/**
 * Waits until a window's application has read all input sent so far: it returns `_NET_WM_PING` in order with the other events.
 * One that does not support the ping has read them once it sleeps. False where neither is so before the limit, null where nothing
 * tells.
 */
export type Ping = (window: number, signal: AbortSignal) => Promise<boolean | null>;

export async function openPing(x: XConnection, properties: Properties): Promise<Ping> {
  const [protocols, ping] = await Promise.all([x.atom('WM_PROTOCOLS'), x.atom('_NET_WM_PING')]);
  /** Applications return the ping to the root window, whose other events are not needed: selected only during a wait. */
  const selectAnswers = (eventMask: number): Promise<void> =>
    x.send((done) => x.client.ChangeWindowAttributes(x.root, { eventMask }, done));
  let waiting = 0;
  let last = 0x70000000;

  return async (window, signal) => {
    if (window === 0 || !(await properties.numbers(window, 'WM_PROTOCOLS')).includes(ping)) {
      const [pid] = window === 0 ? [] : await properties.numbers(window, '_NET_WM_PID');
      await delay(FALLBACK_WAIT_MS, signal);
      return pid === undefined ? null : restWithin(pid, MAX_WAIT_MS, signal);
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
      waiting += 1;
      await selectAnswers(ANSWER);
      await x.send((done) => x.client.SendClientMessage(window, window, protocols, 32, [ping, stamp, window], 0, done));
      return await endsWithin(MAX_WAIT_MS, signal, () => answered);
    } finally {
      stop();
      waiting -= 1;
      if (waiting === 0) await selectAnswers(0).catch(() => {});
    }
  };
}

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
    if (!(await properties.numbers(x.root, '_NET_SUPPORTED')).includes(request)) return delay(NO_REQUEST_MS, signal);
    const answered = new AbortController();
    const stop = x.onEvent((event) => {
      if (event.name === 'PropertyNotify' && event.wid === window && event.atom === extents) answered.abort();
    });
    try {
      await x.send((done) => x.client.SendClientMessage(x.root, window, request, 32, [], TO_MANAGER, done));
      await delay(MAX_MANAGER_MS, AbortSignal.any([signal, answered.signal])).catch(() => {});
      signal.throwIfAborted();
    } finally {
      stop();
    }
  };
  return { wait, close: () => x.send((done) => x.client.DestroyWindow(window, done)) };
}
