import { DesktopError, type ShownDocuments } from '../../desktop.js';
import type { XWindow } from '../x11/windows.js';
import { type Ref, refOf, refs } from './bus.js';
import { delay } from '../../../base/poll.js';
import { wakePages } from './pages.js';
import { ROLE } from './roles.js';
import type { Scene } from './scene.js';
import { has, STATE, stateSet } from './states.js';
import { urlOf } from './surroundings.js';

/** What a browser window shows, in all its panes; null for windows of other programs. */
export type Documents = (window: XWindow, executable: string, signal: AbortSignal) => Promise<ShownDocuments | null>;

const BROWSERS = /chrom|firefox|brave|msedge|vivaldi|opera|epiphany|falkon|librewolf/i;
const UNKNOWN: ShownDocuments = { urls: [], complete: false };
const PATIENCE = 1500;
const SILENCE = 3000;
const COMING = 1000;
const STEP = 60;
const ALL = 1;
const ANY = 2;
/** As in secrets.ts: one role, whatever the rest, through all levels. */
const WEB_DOCUMENTS = {
  signature: '(aiia{ss}iaiiasib)uib',
  body: [[[], ALL, [], ALL, [0, 0, 1 << (ROLE.documentWeb - 64), 0], ANY, [], ALL, false], ALL, 0, true],
};

export function openDocuments(scene: Scene): Documents {
  const { bus, reader } = scene;
  /** The accessible counterparts of windows, as long as title and place are what they were found by. */
  const known = new Map<number, { as: string; tops: Ref[] }>();
  /** Until when a browser that hangs is not asked again. */
  const silent = new Map<number, number>();
  /** Until when a window that has not told what it shows is not waited for again. */
  const untold = new Map<number, number>();

  const topsOf = async (window: XWindow, signal: AbortSignal): Promise<Ref[]> => {
    const as = JSON.stringify([window.title, window.frame]);
    const found = known.get(window.xid);
    if (found?.as === as) return found.tops;
    const tops = await scene.alikeTopLevels(window, signal);
    if (tops.length === 1) known.set(window.xid, { as, tops });
    else known.delete(window.xid);
    return tops;
  };

  const isShowing = async (ref: Ref, signal: AbortSignal): Promise<boolean> => {
    const [states] = await bus.call(ref, 'Accessible.GetState', { signal });
    return has(stateSet(states), STATE.showing);
  };

  /** A frame within a page is a part of that page. */
  const isFramed = async (ref: Ref, signal: AbortSignal): Promise<boolean> => {
    const parent = refOf(await bus.property(ref, 'Accessible.Parent', { signal }));
    if (parent === null) return false;
    const [role] = await bus.call(parent, 'Accessible.GetRole', { signal });
    return role === ROLE.internalFrame;
  };

  const searched = async (top: Ref, signal: AbortSignal): Promise<Ref[]> => {
    const limits = { maxDepth: 60, maxNodes: 20_000, deadline: Date.now() + PATIENCE };
    const { nodes, truncated } = await reader.snapshot(top, [], limits, signal);
    if (truncated.nodes || truncated.time) throw new DesktopError('not_responding', 'The browser is too slow.');
    return nodes.filter(({ item }) => item.role === ROLE.documentWeb).map(({ item }) => item.ref);
  };

  const within = async (top: Ref, signal: AbortSignal): Promise<Ref[]> => {
    try {
      const options = { ...WEB_DOCUMENTS, timeout: PATIENCE, signal };
      return refs((await bus.call(top, 'Collection.GetMatches', options))[0]);
    } catch (error) {
      if (error instanceof DesktopError && ['unsupported', 'failed'].includes(error.code)) return searched(top, signal);
      throw error;
    }
  };

  /** After a navigation the new page comes into the tree a moment after the old one has left it. */
  const awaited = async (window: XWindow, look: () => Promise<ShownDocuments>, signal: AbortSignal) => {
    const start = Date.now();
    const end = start < (untold.get(window.xid) ?? 0) ? start : start + COMING;
    for (;;) {
      const shown = await look();
      if (shown.complete || !window.shown) return shown;
      if (Date.now() >= end) {
        if (end > start) untold.set(window.xid, Date.now() + SILENCE);
        return shown;
      }
      await delay(STEP, signal);
    }
  };

  const shownIn = async (top: Ref, signal: AbortSignal): Promise<ShownDocuments> => {
    const documents = await within(top, signal);
    const shown = await Promise.all(
      documents.map(async (ref) => (await isShowing(ref, signal)) && !(await isFramed(ref, signal))),
    );
    const urls = await Promise.all(
      documents.filter((_, index) => shown[index] === true).map((ref) => urlOf(bus, ref, signal)),
    );
    if (urls.length === 0 && !(await isDialog(top, signal))) {
      await wakePages(bus, top.bus, signal);
      return UNKNOWN;
    }
    const told = urls.filter((url) => url !== null);
    return { urls: told, complete: told.length === urls.length };
  };

  const shownBy = async (window: XWindow, signal: AbortSignal): Promise<ShownDocuments> => {
    const found = await Promise.all((await topsOf(window, signal)).map((top) => shownIn(top, signal)));
    const complete = found.length > 0 && found.every((one) => one.complete);
    return { urls: found.flatMap(({ urls }) => urls), complete };
  };

  /** A browser asks for files, and more, in windows that show no page. */
  const isDialog = async (top: Ref, signal: AbortSignal): Promise<boolean> => {
    const [role] = await bus.call(top, 'Accessible.GetRole', { signal });
    return role === ROLE.dialog || role === ROLE.fileChooser || role === ROLE.alert;
  };

  return async (window, executable, signal) => {
    if (!BROWSERS.test(executable.slice(executable.lastIndexOf('/') + 1)) || !window.normal) return null;
    if (Date.now() < (silent.get(window.pid) ?? 0)) return UNKNOWN;
    try {
      return await awaited(window, () => shownBy(window, signal), signal);
    } catch (error) {
      known.delete(window.xid);
      if (!(error instanceof DesktopError) || error.code === 'lost') throw error;
      if (error.code === 'not_responding') silent.set(window.pid, Date.now() + SILENCE);
      return UNKNOWN;
    }
  };
}
