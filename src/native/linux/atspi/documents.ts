import { DesktopError } from '../../desktop.js';
import type { XWindow } from '../x11/windows.js';
import type { Ref } from './bus.js';
import { wakePages } from './pages.js';
import { ROLE } from './roles.js';
import type { Scene } from './scene.js';
import { has, STATE, stateSet } from './states.js';

/** The address of the page a browser window shows; null for other windows, and where the browser does not tell. */
export type DocumentUrls = (window: XWindow, executable: string, signal: AbortSignal) => Promise<string | null>;

const BROWSERS = /chrom|firefox|brave|msedge|vivaldi|opera|epiphany|falkon|librewolf/i;
const PATIENCE = 1500;
const SILENCE = 3000;

export function openDocumentUrls(scene: Scene): DocumentUrls {
  const { bus, reader } = scene;
  const shown = new Map<number, Ref>();
  /** Until when a browser that hangs is not asked again. */
  const silent = new Map<number, number>();

  const isShowing = async (ref: Ref, signal: AbortSignal): Promise<boolean> => {
    const [states] = await bus.call(ref, 'Accessible.GetState', { signal });
    return has(stateSet(states), STATE.showing);
  };

  const findDocument = async (window: XWindow, signal: AbortSignal): Promise<Ref | null> => {
    const known = shown.get(window.xid);
    if (known !== undefined && (await isShowing(known, signal).catch(() => false))) return known;
    const top = await scene.topLevelOf(window, signal);
    if (top === null) return null;
    const limits = { maxDepth: 40, maxNodes: 20_000, deadline: Date.now() + PATIENCE };
    const { nodes } = await reader.snapshot(top.ref, top.path, limits, signal);
    const node = nodes.find(({ item }) => item.role === ROLE.documentWeb && has(item.states, STATE.showing));
    if (node === undefined) {
      await wakePages(bus, top.ref.bus, signal);
      return null;
    }
    shown.set(window.xid, node.item.ref);
    return node.item.ref;
  };

  return async (window, executable, signal) => {
    if (!BROWSERS.test(executable.slice(executable.lastIndexOf('/') + 1)) || !window.normal) return null;
    if (Date.now() < (silent.get(window.pid) ?? 0)) return null;
    try {
      const found = await findDocument(window, signal);
      if (found === null) return null;
      const [attributes] = await bus.call(found, 'Document.GetAttributes', { signal });
      if (typeof attributes !== 'object' || attributes === null) return null;
      const known = new Map<string, unknown>(Object.entries(attributes));
      // Chromium's name for it, then Firefox's.
      const url = [known.get('URI'), known.get('DocURL')].find((value) => typeof value === 'string' && value !== '');
      return typeof url === 'string' ? url : null;
    } catch (error) {
      if (!(error instanceof DesktopError) || error.code === 'lost') throw error;
      if (error.code === 'not_responding') silent.set(window.pid, Date.now() + SILENCE);
      return null;
    }
  };
}
