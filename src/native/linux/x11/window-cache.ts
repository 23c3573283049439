import type { XReply, XDone, XGeometry, XProperty, XRes, XShape, XTree, XWindowAttributes } from 'x11';
import {
  type XConnection,
  whenMissing,
  PROPERTY_CHANGE,
  STRUCTURE_NOTIFY,
  SUBSTRUCTURE_NOTIFY,
  words,
} from './connection.js';
import { decodeText } from '../encoded-text.js';

/** One question put to the cache: which values are new enough for it, and which have to be read before it can be answered. */
export interface Question {
  /** Sequence number of the last request that was sent before the question. */
  readonly since: number;
  /** Values that were read since then are taken even if they have changed again, and are not replaced by later ones. */
  acceptChanged: boolean;
  /** Reads without which the question cannot be answered. */
  readonly missing: Set<() => Promise<void>>;
}

/** A value that the X server holds. It is read when a question needs it, and again only after an event has reported a change. */
export interface CachedValue<T> {
  /** null where the window does not exist, and where the value has never been read. */
  get(question: Question): T | null;
  /** The last value that was read, whether or not it has changed since. */
  last(): T | null;
  /** For an event that reports a change. False where a change was reported before and the value was not read since. */
  expire(): boolean;
}

/** What the values of one window have in common. */
interface CachedOwner {
  readonly xid: number;
  exists(): boolean;
  /** The server has answered that there is no such window. */
  onMissing(): void;
}

/**
 * Replies and events arrive in the order of the server, so an event after a reply reports a later change. Therefore both are
 * handled as they arrive and not in a promise.
 */
export function createCachedValue<A, T>(
  x: XConnection,
  owner: CachedOwner,
  request: (reply: XReply<A>) => void,
  decode: (answer: A) => T,
): CachedValue<T> {
  let value: T | null = null;
  let current = false;
  let readAt = 0;
  let reading: Promise<void> | null = null;
  let accepted: WeakMap<Question, T> | null = null;

  const start = async (): Promise<void> => {
    const sentAt = x.client.seq_num + 1;
    await x
      .query<A>((settle) =>
        request((error, answer) => {
          reading = null;
          if (error) owner.onMissing();
          else [value, current, readAt] = [decode(answer), true, sentAt];
          return settle(error, answer);
        }),
      )
      .catch(whenMissing);
  };
  const read = (): Promise<void> => (reading ??= start());

  return {
    get: (question) => {
      if (!owner.exists()) return null;
      const before = accepted?.get(question);
      if (before !== undefined) return before;
      const isNew = current || (question.acceptChanged && readAt > question.since);
      if (!isNew) question.missing.add(read);
      else if (question.acceptChanged && value !== null) (accepted ??= new WeakMap()).set(question, value);
      return value;
    },
    last: () => value,
    expire: () => {
      const changed = current;
      current = false;
      return changed;
    },
  };
}

/** Cached values of one window, kept up to date by its events and those of its children while it is in the cache. */
export interface CachedWindow {
  readonly xid: number;
  readonly attributes: CachedValue<XWindowAttributes>;
  readonly geometry: CachedValue<XGeometry>;
  readonly tree: CachedValue<XTree>;
  /** null where the server has no shapes: then a window covers its frame. */
  readonly shape: CachedValue<ShapeRectangle[]> | null;
  /** The process that created it, by the socket; 0 for one on another machine. It never changes. null where the server cannot say. */
  readonly creator: CachedValue<number> | null;
  /** By atom. */
  readonly numbers: ReadonlyMap<number, CachedValue<number[]>>;
  readonly texts: ReadonlyMap<number, CachedValue<string | null>>;
}

export type ShapeRectangle = [x: number, y: number, width: number, height: number];

export type WindowCache = Awaited<ReturnType<typeof openWindowCache>>;

const NUMBERS = [
  '_NET_CLIENT_LIST_STACKING',
  '_NET_CLIENT_LIST',
  '_NET_ACTIVE_WINDOW',
  '_NET_SUPPORTING_WM_CHECK',
  '_NET_CURRENT_DESKTOP',
  '_NET_WM_DESKTOP',
  '_NET_WM_PID',
  '_NET_WM_WINDOW_TYPE',
  '_NET_WM_STATE',
  'WM_STATE',
  '_NET_FRAME_EXTENTS',
  '_GTK_FRAME_EXTENTS',
] as const;
const TEXTS = ['_NET_WM_NAME', 'WM_NAME', 'WM_CLASS'] as const;
/** Types of a text property; another one is read as Latin-1. */
const ENCODINGS = ['UTF8_STRING', 'COMPOUND_TEXT'] as const;
export type NumberProperty = (typeof NUMBERS)[number];
export type TextProperty = (typeof TEXTS)[number];

interface PropertyAtoms {
  readonly numbers: ReadonlyMap<NumberProperty, number>;
  readonly texts: ReadonlyMap<TextProperty, number>;
  /** By the atom of a type. */
  readonly encodings: ReadonlyMap<number, string>;
}

interface Extensions {
  shape: XShape | null;
  /** null where the server does not know the processes of its clients. */
  res: XRes | null;
}

const EVENTS = PROPERTY_CHANGE | STRUCTURE_NOTIFY | SUBSTRUCTURE_NOTIFY;
const ANY_TYPE = 0;
/** Limits in units of four bytes. A program may give its window a title of megabytes. */
const MAX_NUMBERS = 16_384;
const MAX_TEXT_WORDS = 1024;

/** Nothing else may use `x`: another selection of events on the same connection would replace the cache's. */
export async function openWindowCache(x: XConnection) {
  const [atoms, shape, res] = await Promise.all([internAtoms(x), x.extension('shape'), x.extension('res')]);
  const extensions = { shape, res: res !== null && (res.major > 1 || res.minor >= 2) ? res : null };
  const windows = new Map<number, { window: CachedWindow; remove(): void }>();

  const selectEvents = (xid: number, eventMask: number, onMissing: () => void): void => {
    const start = (done: XDone): void =>
      x.client.ChangeWindowAttributes(xid, { eventMask }, (error) => {
        if (error) onMissing();
        return done(error);
      });
    x.send(start).catch(() => {});
  };

  const add = (xid: number): CachedWindow => {
    let exists = true;
    const remove = (): void => {
      exists = false;
      if (windows.get(xid)?.window === window) windows.delete(xid);
    };
    const window = createWindow(x, { xid, exists: () => exists, onMissing: remove }, atoms, extensions);
    windows.set(xid, { window, remove });
    selectEvents(xid, EVENTS, remove);
    return window;
  };

  return {
    atoms,
    hasShapes: shape !== null,
    /** Adds the window, and selects its events, where it is not in the cache. */
    get: (xid: number): CachedWindow => windows.get(xid)?.window ?? add(xid),
    /** The window if it is in the cache. */
    known: (xid: number): CachedWindow | undefined => windows.get(xid)?.window,
    /** For a window that was destroyed: its values are null from now on. False where it was not in the cache. */
    remove: (xid: number): boolean => {
      const known = windows.get(xid);
      known?.remove();
      return known !== undefined;
    },
    /** Removes a window that still exists, and deselects its events. */
    forget: (xid: number): void => {
      if (windows.delete(xid)) selectEvents(xid, 0, () => {});
    },
  };
}

async function internAtoms(x: XConnection): Promise<PropertyAtoms> {
  const withAtom = async <Name extends string>(name: Name): Promise<[Name, number]> => [name, await x.atom(name)];
  const [numbers, texts, encodings] = await Promise.all([
    Promise.all(NUMBERS.map(withAtom)),
    Promise.all(TEXTS.map(withAtom)),
    Promise.all(ENCODINGS.map(withAtom)),
  ]);
  const byAtom = encodings.map(([name, atom]): [number, string] => [atom, name]);
  return { numbers: new Map(numbers), texts: new Map(texts), encodings: new Map(byAtom) };
}

function createWindow(x: XConnection, owner: CachedOwner, atoms: PropertyAtoms, extensions: Extensions): CachedWindow {
  const { client } = x;
  const { xid } = owner;
  const value = <T>(request: (reply: XReply<T>) => void) => createCachedValue<T, T>(x, owner, request, (same) => same);
  const property = <T>(atom: number, maxWords: number, decode: (property: XProperty) => T): CachedValue<T> =>
    createCachedValue<XProperty, T>(
      x,
      owner,
      (reply) => client.GetProperty(0, xid, atom, ANY_TYPE, 0, maxWords, reply),
      decode,
    );
  const text = ({ type, data }: XProperty): string | null =>
    type === 0 ? null : decodeText(atoms.encodings.get(type) ?? 'STRING', data);
  return {
    xid,
    attributes: value<XWindowAttributes>((reply) => client.GetWindowAttributes(xid, reply)),
    geometry: value<XGeometry>((reply) => client.GetGeometry(xid, reply)),
    tree: value<XTree>((reply) => client.QueryTree(xid, reply)),
    shape: extensions.shape === null ? null : shapeOf(x, owner, extensions.shape),
    creator: extensions.res === null ? null : creatorOf(x, owner, extensions.res),
    numbers: new Map([...atoms.numbers.values()].map((atom) => [atom, property(atom, MAX_NUMBERS, words)])),
    texts: new Map([...atoms.texts.values()].map((atom) => [atom, property(atom, MAX_TEXT_WORDS, text)])),
  };
}

function shapeOf(x: XConnection, owner: CachedOwner, shape: XShape): CachedValue<ShapeRectangle[]> {
  let selected = false;
  const request = (reply: XReply<{ rectangles: ShapeRectangle[] }>): void => {
    if (!selected) {
      shape.SelectInput(owner.xid, 1);
      // The library takes no function for an error of this request; the window may be gone.
      x.client.replies[x.client.seq_num] = [null, () => true];
      selected = true;
    }
    shape.GetRectangles(owner.xid, shape.Kind.Bounding, reply);
  };
  return createCachedValue(x, owner, request, ({ rectangles }) => rectangles);
}

function creatorOf(x: XConnection, owner: CachedOwner, res: XRes): CachedValue<number> {
  const spec = [{ client: owner.xid, mask: res.ClientIdMask.LocalClientPID }];
  // An error of this request does not mean that the window is gone.
  const request = (reply: XReply<{ value: number[] }[]>): void =>
    res.QueryClientIds(spec, (error, ids) => reply(null, error ? [] : ids));
  return createCachedValue(x, owner, request, (ids) => ids[0]?.value[0] ?? 0);
}
