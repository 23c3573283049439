import type { XEvent } from 'x11';
import type { WindowCache } from './window-cache.js';

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
export function selectedThrough({ name, wid = 0, event, parent, window }: XEvent): number {
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
