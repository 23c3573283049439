import type { XEvent, XProperty } from 'x11';
import { type XConnection, whenMissing, words, PROPERTY_CHANGE } from './connection.js';
import type { SelectionData, SelectionOffer } from '../offer.js';
import { type Emitter, createEmitter } from '../../../base/emitter.js';
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';

/** The selection while this program owns it. `mayRead` decides for each requesting window; `onServed` is called after each answered request. */
interface OwnedSelection {
  offer: SelectionOffer;
  time: number;
  mayRead: (requestor: number) => Promise<boolean>;
  onServed: (request: ServedRequest) => void;
}

export interface ServedRequest {
  target: string;
  requestor: number;
  property: number;
}

const CHUNK_BYTES = 200_000;
const [REPLACE, APPEND] = [0, 2];
const META_TARGETS = ['TARGETS', 'TIMESTAMP', 'MULTIPLE'];
const WHOLE_PROPERTY = 0x1fffffff;
/** Far more targets than any program requests at once. */
const MAX_PAIRS = 1000;

/** Answers the requests of other programs for a selection that this program owns. */
function createSelectionServer(
  x: XConnection,
  selection: number,
): (event: XEvent, now: OwnedSelection | null) => Promise<void> {
  const writeProperty = async (requestor: number, property: number, content: SelectionData): Promise<boolean> => {
    const type = await x.atom(content.type);
    let from = 0;
    do {
      // The server refuses requests over its size limit, so a long value is appended in parts.
      const part = content.data.subarray(from, from + CHUNK_BYTES);
      const mode = from === 0 ? REPLACE : APPEND;
      const sent = await x
        .send((done) => x.client.ChangeProperty(mode, requestor, property, type, content.format, part, done))
        .then(() => true, whenMissing);
      if (sent !== true) return false;
      from += CHUNK_BYTES;
    } while (from < content.data.length);
    return true;
  };

  const dataFor = async (target: string, now: OwnedSelection): Promise<SelectionData | null> => {
    if (target === 'TIMESTAMP') return { type: 'INTEGER', format: 32, data: uint32([now.time]) };
    if (target !== 'TARGETS') return now.offer.get(target) ?? null;
    const atoms = await Promise.all([...META_TARGETS, ...now.offer.keys()].map((name) => x.atom(name)));
    return { type: 'ATOM', format: 32, data: uint32(atoms) };
  };

  const answerTarget = async (
    requestor: number,
    target: number,
    property: number,
    now: OwnedSelection,
  ): Promise<boolean> => {
    const name = await x.atomName(target);
    const content = await dataFor(name, now);
    if (content === null || property === 0) return false;
    const written = await writeProperty(requestor, property, content);
    if (written) now.onServed({ target: name, requestor, property });
    return written;
  };

  /** MULTIPLE: a list of pairs of target and property. ICCCM: the property of a target that is refused becomes 0. */
  const answerMultiple = async (requestor: number, property: number, now: OwnedSelection): Promise<boolean> => {
    const list = await x
      .query<XProperty>((r) => x.client.GetProperty(0, requestor, property, 0, 0, WHOLE_PROPERTY, r))
      .catch(whenMissing);
    const atoms = words(list).slice(0, 2 * MAX_PAIRS);
    if (atoms.length < 2) return false;
    for (let at = 0; at + 1 < atoms.length; at += 2)
      if (!(await answerTarget(requestor, atoms[at] ?? 0, atoms[at + 1] ?? 0, now))) atoms[at + 1] = 0;
    return writeProperty(requestor, property, { type: 'ATOM_PAIR', format: 32, data: uint32(atoms) });
  };

  return async ({ requestor = 0, target = 0, time = 0, property: asked = 0 }, now) => {
    const property = asked === 0 ? target : asked;
    const multiple = (await x.atomName(target)) === 'MULTIPLE';
    const allowed = now !== null && (await now.mayRead(requestor));
    const served =
      allowed &&
      (await (multiple ? answerMultiple(requestor, asked, now) : answerTarget(requestor, target, property, now)));
    const reply = Buffer.alloc(32);
    reply[0] = 31;
    [time, requestor, selection, target, served ? property : 0].forEach((value, index) =>
      reply.writeUInt32LE(value >>> 0, 4 + index * 4),
    );
    await x.send((done) => x.client.SendEvent(requestor, 0, 0, reply, done)).catch(whenMissing);
  };
}

function uint32(values: number[]): Buffer {
  const data = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => data.writeUInt32LE(value >>> 0, index * 4));
  return data;
}

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

async function createSelectionContext(x: XConnection, name: string): Promise<SelectionContext> {
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
async function serverTime({ x, window, integer }: SelectionContext): Promise<number> {
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
async function transfer(context: SelectionContext, target: string, signal: AbortSignal): Promise<SelectionData | null> {
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

async function listenForOtherOwners(
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

async function saveToManager(context: SelectionContext, ours: () => Promise<SelectionOffer | null>): Promise<void> {
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

/** One X selection. It reads one transfer at a time, and answers any number of requests while this program owns it. */
export interface Selection {
  /** The window by which this program owns it. */
  readonly window: number;
  /** The server's time now. */
  time(): Promise<number>;
  /** Window that owns it; 0 for none. */
  owner(): Promise<number>;
  isOurs(): Promise<boolean>;
  /** Names of the offered targets; empty where nobody owns the selection. */
  targets(signal: AbortSignal): Promise<string[]>;
  /** null where the owner refuses. Rejects with `not_responding` when the owner does not answer. */
  fetch(target: string, signal: AbortSignal): Promise<SelectionData | null>;
  /** Takes ownership. `mayRead` decides for each requesting window; `onServed` is called after each answered request. */
  own(
    offer: SelectionOffer,
    mayRead?: (requestor: number) => Promise<boolean>,
    onServed?: (request: ServedRequest) => void,
  ): Promise<void>;
  disown(): Promise<void>;
  /** What this program offers now, if it still owns the selection. */
  ownOffer(): Promise<SelectionOffer | null>;
  /** Called when another program takes or gives up ownership; false where the server cannot report it. */
  onOtherOwner(listener: () => void): Promise<boolean>;
  /** Asks the clipboard manager, where there is one, to keep the content when this program ends. */
  saveToManager(): Promise<void>;
  close(): Promise<void>;
}

export async function openSelection(x: XConnection, name = 'CLIPBOARD'): Promise<Selection> {
  const context = await createSelectionContext(x, name);
  const { clipboard, atomType, window } = context;
  const serve = createSelectionServer(x, clipboard);
  let held: OwnedSelection | null = null;
  let busy: Promise<unknown> = Promise.resolve();
  let owning: Promise<unknown> = Promise.resolve();
  const others = createEmitter<void>();

  const owner = (): Promise<number> => x.query<number>((r) => x.client.GetSelectionOwner(clipboard, r));
  const ownOffer = async () => ((await owner()) === window ? (held?.offer ?? null) : null);

  const fetch = async (target: string, signal: AbortSignal): Promise<SelectionData | null> => {
    const mine = await ownOffer();
    if (mine !== null) return mine.get(target) ?? null;
    const work = busy.then(() => transfer(context, target, signal));
    busy = work.catch(() => {});
    return work;
  };

  const targets = async (signal: AbortSignal): Promise<string[]> => {
    const mine = await ownOffer();
    if (mine !== null) return [...mine.keys()];
    if ((await owner()) === 0) return [];
    const content = await fetch('TARGETS', signal);
    if (content === null) return ['UTF8_STRING', 'STRING'];
    const property = { type: atomType, format: content.format, bytesAfter: 0, data: content.data };
    return Promise.all(words(property).map((atom) => x.atomName(atom)));
  };

  /** The event of a loss may arrive after ownership has been taken again. */
  const releaseIfLost = async (before: OwnedSelection | null): Promise<void> => {
    if ((await owner()) !== window && held === before) held = null;
  };

  const take = async (
    offer: SelectionOffer,
    mayRead: OwnedSelection['mayRead'],
    onServed: OwnedSelection['onServed'],
  ): Promise<void> => {
    const time = await serverTime(context);
    held = { offer, time, mayRead, onServed };
    await x.send((done) => x.client.SetSelectionOwner(window, clipboard, time, done));
    if ((await owner()) === window) return;
    held = null;
    throw new DesktopError('failed', message('native.clipboard_taken'));
  };

  const stop = x.onEvent((event) => {
    if (event.name === 'SelectionClear' && event.owner === window) releaseIfLost(held).catch(() => {});
    // The core protocol and XFIXES both have an event of this name; only the one of XFIXES has an owner.
    if (event.name === 'SelectionNotify' && event.selection === clipboard && (event.owner ?? window) !== window)
      others.emit();
    // The requestor may be gone by now.
    if (event.name === 'SelectionRequest' && event.owner === window) serve(event, held).catch(() => {});
  });

  return {
    window,
    time: () => serverTime(context),
    owner,
    onOtherOwner: (listener) => listenForOtherOwners(context, others, listener),
    isOurs: async () => held !== null && (await owner()) === window,
    targets,
    fetch,
    own: (offer, mayRead = () => Promise.resolve(true), onServed = () => {}) => {
      const work = owning.then(() => take(offer, mayRead, onServed));
      owning = work.catch(() => {});
      return work;
    },
    disown: async () => {
      if ((await owner()) === window) await x.send((done) => x.client.SetSelectionOwner(0, clipboard, 0, done));
      held = null;
    },
    ownOffer,
    saveToManager: () => saveToManager(context, ownOffer),
    close: async () => {
      stop();
      held = null;
      await x.send((done) => x.client.DestroyWindow(window, done));
    },
  };
}
