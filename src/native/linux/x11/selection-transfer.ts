import type { XProperty, XEvent } from 'x11';
import type { Emitter } from '../../../base/emitter.js';
import { DesktopError } from '../../desktop.js';
import { uint32 } from './selection-server.js';
import type { XConnection } from './connection.js';
import { PROPERTY_CHANGE } from './event-masks.js';
import type { SelectionData, SelectionOffer } from '../offer.js';
import { message } from '../../../messages/index.js';

/** The connection, the window that owns the selection, and the atoms of a transfer. Owners write the data into `transferProperty`. */
interface SelectionContext {
  x: XConnection;
  window: number;
  clipboard: number;
  transferProperty: number;
  incr: number;
  atomType: number;
  integer: number;
}

const TIME_TIMEOUT_MS = 2000;
const MANAGER_TIMEOUT_MS = 1000;
const MAX_TRANSFER_MIB = 64;
const MAX_TRANSFER_BYTES = MAX_TRANSFER_MIB * 1024 * 1024;
const [REPLACE, APPEND] = [0, 2];

export async function createSelectionContext(x: XConnection, name: string): Promise<SelectionContext> {
  const [clipboard, transferProperty, incr, atomType, integer] = (await Promise.all(
    [name, 'CHAPERONE_SELECTION', 'INCR', 'ATOM', 'INTEGER'].map((name) => x.atom(name)),
  )) as [number, number, number, number, number];
  const window = x.client.AllocID();
  await x.send((done) =>
    x.client.CreateWindow(window, x.root, 0, 0, 1, 1, 0, 0, 1, 0, { eventMask: PROPERTY_CHANGE }, done),
  );
  return { x, window, clipboard, transferProperty, incr, atomType, integer };
}

/** The server's time, from an empty change to a property of our window. */
export async function serverTime({ x, window, integer }: SelectionContext): Promise<number> {
  const stamp = await x.atom('CHAPERONE_TIME');
  const event = queueEvents(x, (one) => one.name === 'PropertyNotify' && one.wid === window && one.atom === stamp);
  await x.send((done) => x.client.ChangeProperty(APPEND, window, stamp, integer, 32, [], done));
  return (await event.next(AbortSignal.timeout(TIME_TIMEOUT_MS))).time ?? 0;
}

const takeTransferProperty = ({ x, window, transferProperty }: SelectionContext): Promise<XProperty> =>
  x.query<XProperty>((r) => x.client.GetProperty(1, window, transferProperty, 0, 0, 0x1fffffff, r));

async function receiveIncrementally(
  context: SelectionContext,
  changes: EventQueue,
  signal: AbortSignal,
): Promise<XProperty> {
  const read: Buffer[] = [];
  for (let size = 0; ;) {
    await changes.next(signal);
    const part = await takeTransferProperty(context);
    if (part.data.length === 0) return { ...part, data: Buffer.concat(read) };
    read.push(part.data);
    size += part.data.length;
    if (size > MAX_TRANSFER_BYTES)
      throw new DesktopError('failed', message('native.clipboard_too_large', { megabytes: MAX_TRANSFER_MIB }));
  }
}

/** null where the owner refuses. */
export async function transfer(
  context: SelectionContext,
  target: string,
  signal: AbortSignal,
): Promise<SelectionData | null> {
  const { x, window, clipboard, transferProperty, incr } = context;
  const wanted = await x.atom(target);
  const answer = queueEvents(
    x,
    (event) => event.name === 'SelectionNotify' && event.requestor === window && event.target === wanted,
  );
  const changes = queueEvents(
    x,
    (event) =>
      event.name === 'PropertyNotify' && event.wid === window && event.atom === transferProperty && event.state === 0,
  );
  try {
    const time = await serverTime(context);
    await x.send((done) => x.client.ConvertSelection(window, clipboard, wanted, transferProperty, time, done));
    if ((await answer.next(signal)).property !== transferProperty) return null;
    changes.clear();
    let property = await takeTransferProperty(context);
    if (property.type === incr) property = await receiveIncrementally(context, changes, signal);
    return { type: await x.atomName(property.type), format: property.format, data: Buffer.from(property.data) };
  } finally {
    answer.stop();
    changes.stop();
  }
}

export async function listenForOtherOwners(
  { x, window, clipboard }: SelectionContext,
  others: Emitter<void>,
  listener: () => void,
): Promise<boolean> {
  const fixes = await x.extension('fixes');
  if (fixes === null) return false;
  const masks = fixes.SelectionEventMask;
  const all = masks.SetSelectionOwner | masks.SelectionWindowDestroy | masks.SelectionClientClose;
  fixes.SelectSelectionInput(window, clipboard, all);
  others.on(listener);
  await x.sync();
  return true;
}

export async function saveToManager(
  context: SelectionContext,
  ours: () => Promise<SelectionOffer | null>,
): Promise<void> {
  const { x, window, transferProperty, atomType } = context;
  const [manager, save] = await Promise.all([x.atom('CLIPBOARD_MANAGER'), x.atom('SAVE_TARGETS')]);
  if ((await x.query<number>((r) => x.client.GetSelectionOwner(manager, r))) === 0) return;
  const kept = queueEvents(
    x,
    (event) => event.name === 'SelectionNotify' && event.requestor === window && event.target === save,
  );
  try {
    const names = [...((await ours())?.keys() ?? [])];
    const wanted = uint32(await Promise.all(names.map((target) => x.atom(target))));
    await x.send((done) => x.client.ChangeProperty(REPLACE, window, transferProperty, atomType, 32, wanted, done));
    const time = await serverTime(context);
    await x.send((done) => x.client.ConvertSelection(window, manager, save, transferProperty, time, done));
    await kept.next(AbortSignal.timeout(MANAGER_TIMEOUT_MS));
  } finally {
    kept.stop();
  }
}

const EVENT_TIMEOUT_MS = 2000;

type EventQueue = ReturnType<typeof queueEvents>;

/** Queues matching events from now on, so that none is missed between two waits. */
function queueEvents(x: XConnection, matches: (event: XEvent) => boolean) {
  const queue: XEvent[] = [];
  let wake: () => void = () => {};
  const stop = x.onEvent((event) => {
    if (!matches(event)) return;
    queue.push(event);
    wake();
  });
  const next = (signal: AbortSignal): Promise<XEvent> =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        wake = () => {};
        settle();
      };
      const abort = (): void => finish(() => reject(signal.reason));
      const timer = setTimeout(
        () => finish(() => reject(new DesktopError('not_responding', message('native.clipboard_owner_silent')))),
        EVENT_TIMEOUT_MS,
      );
      wake = () => {
        const event = queue.shift();
        if (event !== undefined) finish(() => resolve(event));
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      wake();
    });
  return { next, clear: (): void => void queue.splice(0), stop };
}
