/**
 * What the X server knows of its windows, kept in memory and up to date by events: an answer takes one round trip, and is as recent
 * as if the server had been asked. Comes in: a connection that nothing else uses. Goes out: answers. Called by window-lookup.ts.
 */
import type { XEvent, XGeometry, XTree, XWindowAttributes, XRandr, XReply } from 'x11';
import {
  type WindowCache,
  type CachedValue,
  type Question,
  createCachedValue,
  type CachedWindow,
  type NumberProperty,
  openWindowCache,
  type ShapeRectangle,
  type TextProperty,
} from './window-cache.js';
import { createEmitter } from '../../../base/emitter.js';
import { DesktopError, type Rect } from '../../desktop.js';
import { type XConnection, whenMissing } from './connection.js';
import { message } from '../../../messages/index.js';

/** Handles one event; true where something known has changed. */
type Handler = (event: XEvent, cache: WindowCache) => boolean;

/** Bit in the type of an event that was sent by a client, not by the server. */
const SENT_BY_CLIENT = 0x80;

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['PropertyNotify', onProperty],
  ['ShapeNotify', ({ window = 0 }, cache) => cache.known(window)?.shape?.expire() ?? false],
  ['CreateNotify', ({ parent = 0 }, cache) => expireTree(cache, parent)],
  ['DestroyNotify', ({ event = 0, wid = 0 }, cache) => anyOf(expireTree(cache, event), cache.remove(wid))],
  ['MapNotify', onMapping],
  ['UnmapNotify', onMapping],
  ['GravityNotify', ({ wid = 0 }, cache) => cache.known(wid)?.geometry.expire() ?? false],
  ['ConfigureNotify', onConfigure],
  ['ReparentNotify', onReparent],
  ['CirculateNotify', ({ event = 0 }, cache) => expireTree(cache, event)],
]);

/** Marks what the event reports as changed. True where that was known and up to date before. */
export function expireChanged(event: XEvent, cache: WindowCache): boolean {
  // Any client can send another one an event with any content.
  if (((event.rawData?.[0] ?? 0) & SENT_BY_CLIENT) !== 0) return false;
  return HANDLERS.get(event.name)?.(event, cache) ?? false;
}

/** The window through which the event was selected; 0 for other events. */
function selectedThrough({ name, wid = 0, event, parent, window }: XEvent): number {
  if (!HANDLERS.has(name)) return 0;
  if (name === 'CreateNotify') return parent ?? 0;
  if (name === 'ShapeNotify') return window ?? 0;
  return event ?? wid;
}

/** Unlike `||` it evaluates all of them. */
const anyOf = (...changed: boolean[]): boolean => changed.includes(true);

const expireTree = (cache: WindowCache, xid: number): boolean => cache.known(xid)?.tree.expire() ?? false;

function onProperty({ wid = 0, atom = 0 }: XEvent, cache: WindowCache): boolean {
  const window = cache.known(wid);
  return (window?.numbers.get(atom) ?? window?.texts.get(atom))?.expire() ?? false;
}

function onMapping({ wid = 0 }: XEvent, cache: WindowCache): boolean {
  return cache.known(wid)?.attributes.expire() ?? false;
}

function onConfigure({ wid: through = 0, wid1: xid = 0, aboveSibling = 0 }: XEvent, cache: WindowCache): boolean {
  const window = cache.known(xid);
  return anyOf(
    window?.geometry.expire() ?? false,
    // A window without a shape of its own covers its frame.
    window?.shape?.expire() ?? false,
    through !== xid && isRestacked(cache, through, xid, aboveSibling) && expireTree(cache, through),
  );
}

function isRestacked(cache: WindowCache, parent: number, xid: number, below: number): boolean {
  const children = cache.known(parent)?.tree.last()?.children ?? [];
  const index = children.indexOf(xid);
  return index < 0 || (children[index - 1] ?? 0) !== below;
}

function onReparent({ event = 0, wid = 0, parent = 0 }: XEvent, cache: WindowCache): boolean {
  const window = cache.known(wid);
  return anyOf(
    window?.tree.expire() ?? false,
    window?.geometry.expire() ?? false,
    expireTree(cache, event),
    expireTree(cache, parent),
  );
}

/** Everything is null, 0 or empty for a window that does not exist. */
export interface WindowReader {
  readonly root: number;
  /** Bits of a window's id that its connection chooses. */
  readonly resourceMask: number;
  attributes(xid: number): XWindowAttributes | null;
  geometry(xid: number): XGeometry | null;
  tree(xid: number): XTree | null;
  /** False where the server has no shapes: then a window covers its frame. */
  readonly hasShapes: boolean;
  /** The areas of its bounding shape, relative to the window. */
  shape(xid: number): readonly ShapeRectangle[] | null;
  pid(xid: number): number;
  /** 32-bit values: cardinals, windows or atoms. */
  numbers(xid: number, name: NumberProperty): readonly number[];
  /** The first 4 KB of it; null where there is no such property. */
  text(xid: number, name: TextProperty): string | null;
  atomName(atom: number): string;
  /** null where the server has none, only its screen. */
  monitors(): readonly Monitor[] | null;
}

interface WindowModel {
  /** The result of `compute`, which may be called several times, until all that it reads is known. */
  answer<T>(compute: (reader: WindowReader) => T, asked?: Asked): Promise<T>;
  /** A question that asks `compute` again only once something has changed: until then each answer is the same object. */
  question<T>(compute: (reader: WindowReader) => T): (call?: AbortSignal) => Promise<T>;
  /** Keeps nothing of a window in memory that was not there before. */
  pidOf(xid: number): Promise<number>;
  /** Called when something that an answer was made from has changed, or may have. */
  onChange(listener: () => void): () => void;
}

interface Asked {
  /** See `Windows`. */
  call?: AbortSignal | undefined;
  /** Any request with a reply: when that has come, all events before it have been handled. */
  roundTrip?: () => Promise<void>;
}

/** `version`: of what is known, as it was when the result was made; null where its changes may not be heard of. */
interface Found<T> {
  result: T;
  version: number | null;
}

/** After this many rounds of reading, a value is accepted although it has changed again. */
const MAX_ROUNDS_UNTIL_STILL = 8;
const MAX_ROUNDS = 1000;
/** A window with this many events between two questions, none of which changes anything, is dropped: reading it again costs less. */
const MAX_USELESS_EVENTS = 200;

export async function openWindowModel(x: XConnection): Promise<WindowModel> {
  const [cache, monitorCache] = await Promise.all([openWindowCache(x), openMonitorCache(x)]);
  const changes = createEmitter<void>();
  /** Another number for each change of what is known. */
  let version = 0;
  const atomNames = new Map<number, string>();
  /** Since the last question, by the window through which they were selected. */
  const uselessEvents = new Map<number, number>();

  const changed = (): void => {
    version += 1;
    changes.emit();
  };

  const countUseless = (xid: number): void => {
    if (cache.known(xid) === undefined) return;
    const count = (uselessEvents.get(xid) ?? 0) + 1;
    uselessEvents.set(xid, count);
    if (count < MAX_USELESS_EVENTS) return;
    uselessEvents.delete(xid);
    cache.forget(xid);
    changed();
  };

  x.onEvent((event) => {
    // A change of the root window can be one of both.
    const reported = [expireChanged(event, cache), monitorCache.expire(event)];
    if (reported.includes(true)) changed();
    else countUseless(selectedThrough(event));
  });

  const readAtomName = (atom: number) => async (): Promise<void> =>
    void atomNames.set(atom, (await x.atomName(atom).catch(whenMissing)) ?? '');

  /** Shared by all questions of the same moment. */
  let nextRoundTrip: Promise<void> | null = null;
  const sendRequest = async (): Promise<void> => {
    await Promise.resolve();
    nextRoundTrip = null;
    await x.sync();
  };
  const sendOwnRequest = (roundTrip: () => Promise<void>): Promise<void> => {
    const own = roundTrip();
    nextRoundTrip = own;
    queueMicrotask(() => {
      if (nextRoundTrip === own) nextRoundTrip = null;
    });
    return own;
  };
  /** Calls of the backend that have had a round trip. */
  const answered = new WeakSet<AbortSignal>();

  const ask = async ({ call, roundTrip }: Asked): Promise<Question> => {
    const question: Question = { since: x.client.seq_num, acceptChanged: false, missing: new Set() };
    uselessEvents.clear();
    if (roundTrip !== undefined) await sendOwnRequest(roundTrip);
    else if (call === undefined || !answered.has(call)) await (nextRoundTrip ??= sendRequest());
    if (call !== undefined) answered.add(call);
    return question;
  };

  const find = async <T>(question: Question, compute: (reader: WindowReader) => T): Promise<Found<T>> => {
    const { reader, isHeard } = createReader(x, { cache, monitorCache }, question, (atom) => {
      const name = atomNames.get(atom);
      if (name === undefined) question.missing.add(readAtomName(atom));
      return name ?? '';
    });
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      question.missing.clear();
      question.acceptChanged = round >= MAX_ROUNDS_UNTIL_STILL;
      const result = compute(reader);
      if (question.missing.size === 0)
        return { result, version: isHeard() && !question.acceptChanged ? version : null };
      await Promise.all([...question.missing].map((read) => read()));
      version += 1;
    }
    throw new DesktopError('failed', message('native.windows_change'));
  };

  const answer: WindowModel['answer'] = async (compute, asked = {}) => (await find(await ask(asked), compute)).result;

  const question: WindowModel['question'] = <T>(compute: (reader: WindowReader) => T) => {
    let last: Found<T> | null = null;
    return async (call) => {
      const asked = await ask({ call });
      if (last?.version === version) return last.result;
      const found = await find(asked, compute);
      last = found;
      return found.result;
    };
  };

  const pidOf: WindowModel['pidOf'] = async (xid) => {
    const isKnown = cache.known(xid) !== undefined;
    const pid = await answer((reader) => reader.pid(xid));
    if (!isKnown) {
      cache.forget(xid);
      // Another answer may have been made of it meanwhile, and its changes are not heard of from now on.
      changed();
    }
    return pid;
  };

  return { answer, question, pidOf, onChange: changes.on };
}

function createReader(
  { root, display }: Pick<XConnection, 'root' | 'display'>,
  { cache, monitorCache }: { cache: WindowCache; monitorCache: MonitorCache },
  question: Question,
  atomName: WindowReader['atomName'],
): { reader: WindowReader; isHeard(): boolean } {
  /** Windows that the question has read: a later window with the same id is not mixed with an earlier one. */
  const seen = new Map<number, CachedWindow>();
  const windowOf = (xid: number): CachedWindow => {
    const window = seen.get(xid) ?? cache.get(xid);
    seen.set(xid, window);
    return window;
  };
  const get = <T>(value: CachedValue<T> | null | undefined): T | null => value?.get(question) ?? null;
  const numbers: WindowReader['numbers'] = (xid, name) =>
    get(windowOf(xid).numbers.get(cache.atoms.numbers.get(name) ?? 0)) ?? [];
  // The property is set by the application and may be false.
  const pid: WindowReader['pid'] = (xid) => {
    const { creator } = windowOf(xid);
    const byServer = creator?.get(question) ?? null;
    if (creator !== null && byServer === null) return 0;
    return byServer || (numbers(xid, '_NET_WM_PID')[0] ?? 0);
  };
  const reader: WindowReader = {
    root,
    resourceMask: display.resource_mask,
    hasShapes: cache.hasShapes,
    pid,
    attributes: (xid) => get(windowOf(xid).attributes),
    geometry: (xid) => get(windowOf(xid).geometry),
    tree: (xid) => get(windowOf(xid).tree),
    shape: (xid) => get(windowOf(xid).shape),
    numbers,
    text: (xid, name) => get(windowOf(xid).texts.get(cache.atoms.texts.get(name) ?? 0)),
    atomName,
    monitors: () => get(monitorCache.monitors),
  };
  /** Whether the events of all windows that were read are still selected. */
  return { reader, isHeard: () => [...seen].every(([xid, window]) => cache.known(xid) === window) };
}

interface Monitor {
  /** An atom. */
  name: number;
  primary: boolean;
  frame: Rect;
}

/** The monitors, kept up to date by events. Monitors may also be parts of one physical screen. */
interface MonitorCache {
  /** null where the server has none, only its screen: RandR 1.5 brought them. */
  readonly monitors: CachedValue<Monitor[]> | null;
  /** True where the event reports a change of what was known. */
  expire(event: XEvent): boolean;
}

const GET_MONITORS = 42;
const MONITOR_BYTES = 24;
/** What RandR reports: first the screen, then outputs and the like. Monitors that a program sets are told of as changes of the root. */
const RANDR_EVENTS = 2;

/** The window cache selects the events of the root window. */
async function openMonitorCache(x: XConnection): Promise<MonitorCache> {
  const randr = await x.extension('randr');
  if (randr === null || randr.major_version < 1 || (randr.major_version === 1 && randr.minor_version < 5))
    return { monitors: null, expire: () => false };
  const { ScreenChange, CrtcChange, OutputChange } = randr.NotifyMask;
  randr.SelectInput(x.root, ScreenChange | CrtcChange | OutputChange);
  let answers = true;
  const root = { xid: x.root, exists: () => answers, onMissing: () => void (answers = false) };
  const monitors = createCachedValue<Monitor[], Monitor[]>(x, root, requestMonitors(x, randr), (same) => same);
  const reportsChange = ({ name, type, wid1 }: XEvent): boolean =>
    name === 'ConfigureNotify' ? wid1 === x.root : type >= randr.firstEvent && type < randr.firstEvent + RANDR_EVENTS;
  return { monitors, expire: (event) => reportsChange(event) && monitors.expire() };
}

/** The RandR request GetMonitors, which the library does not have. */
function requestMonitors({ client, root }: XConnection, randr: XRandr): (reply: XReply<Monitor[]>) => void {
  const request = Buffer.alloc(12);
  request.writeUInt8(randr.majorOpcode, 0);
  request.writeUInt8(GET_MONITORS, 1);
  request.writeUInt16LE(request.length / 4, 2);
  request.writeUInt32LE(root, 4);
  request.writeUInt8(1, 8);
  return (reply) => {
    client.seq_num += 1;
    client.replies[client.seq_num] = [readMonitors, reply];
    client.pack_stream.put(request);
    client.pack_stream.submit(true);
  };
}

/** The reply after its first 8 bytes. */
function readMonitors(reply: Buffer): Monitor[] {
  const found: Monitor[] = [];
  for (let at = 24, left = reply.readUInt32LE(4); left > 0; left -= 1) {
    const side = (offset: number) => reply.readUInt16LE(at + offset);
    const frame = { x: reply.readInt16LE(at + 8), y: reply.readInt16LE(at + 10), width: side(12), height: side(14) };
    found.push({ name: reply.readUInt32LE(at), primary: reply.readUInt8(at + 4) !== 0, frame });
    at += MONITOR_BYTES + 4 * side(6);
  }
  return found;
}
