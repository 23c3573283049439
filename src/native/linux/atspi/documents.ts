import { DesktopError, type ShownDocuments } from '../../desktop.js';
import type { TopLevelWindow } from '../windows.js';
import { type Ref, refOf, refs } from './bus.js';
import { delay } from '../../../base/poll.js';
import { requestPageAccessibility } from './page-waiter.js';
import { ROLE } from './roles.js';
import type { AccessibleTree } from './accessible-tree.js';
import { readRole, readStates } from './queries.js';
import { has, STATE } from './states.js';
import { urlOf } from './document-context.js';
import { message } from '../../../messages/index.js';

/** What a browser window shows, in all its panes; null for windows of other programs. */
export type Documents = (
  window: TopLevelWindow,
  executable: string,
  signal: AbortSignal,
) => Promise<ShownDocuments | null>;

const BROWSERS =
  /chrom|firefox|brave|msedge|vivaldi|opera|epiphany|falkon|librewolf|waterfox|floorp|thorium|yandex|ice(?:cat|weasel)|^zen(?:-bin)?$/i;
const UNKNOWN_DOCUMENTS: ShownDocuments = { urls: [], complete: false };
const QUERY_TIMEOUT_MS = 1500;
const RETRY_AFTER_MS = 3000;
const NAVIGATION_TIMEOUT_MS = 1000;
const POLL_MS = 60;
const ALL = 1;
const ANY = 2;
/** Collection match rule as in secure-areas.ts, for another role. */
const DOCUMENT_MATCH_RULE = {
  signature: '(aiia{ss}iaiiasib)uib',
  body: [[[], ALL, [], ALL, [0, 0, 1 << (ROLE.documentWeb - 64), 0], ANY, [], ALL, false], ALL, 0, true],
};

export function openDocuments(accessibleTree: AccessibleTree): Documents {
  const { bus, reader } = accessibleTree;
  /** The accessible counterparts of windows, valid while title and frame are unchanged. */
  const known = new Map<number, { as: string; tops: Ref[] }>();
  bus.onEnd(() => known.clear());
  /** By process: until when a browser that hangs is not asked again. */
  const unresponsiveUntil = new Map<number, number>();
  /** By window: until when incomplete documents are not waited for again. */
  const incompleteUntil = new Map<number, number>();

  const topsOf = async (window: TopLevelWindow, signal: AbortSignal): Promise<Ref[]> => {
    const as = JSON.stringify([window.title, window.frame]);
    const found = known.get(window.id);
    if (found?.as === as) return found.tops;
    const tops = await accessibleTree.alikeTopLevels(window, signal);
    if (tops.length === 1) known.set(window.id, { as, tops });
    else known.delete(window.id);
    return tops;
  };

  const isShowing = async (ref: Ref, signal: AbortSignal): Promise<boolean> =>
    has(await readStates(bus, ref, signal), STATE.showing);

  /** A frame within a page belongs to that page. Firefox has each page in a frame, which is in no page. */
  const isFramed = async (ref: Ref, signal: AbortSignal): Promise<boolean> => {
    const parent = refOf(await bus.property(ref, 'Accessible.Parent', { signal }));
    if (parent === null || (await readRole(bus, parent, signal)) !== ROLE.internalFrame) return false;
    const above = await accessibleTree.ancestors(parent, signal);
    const roles = await Promise.all(above.map((one) => readRole(bus, one, signal)));
    return roles.includes(ROLE.documentWeb);
  };

  const searchDocuments = async (top: Ref, signal: AbortSignal): Promise<Ref[]> => {
    const limits = { maxDepth: 60, maxNodes: 20_000, deadline: Date.now() + QUERY_TIMEOUT_MS };
    const { nodes, truncated } = await reader.snapshot(top, [], limits, signal);
    if (truncated.nodes || truncated.time) throw new DesktopError('not_responding', message('native.browser_slow'));
    return nodes.filter(({ item }) => item.role === ROLE.documentWeb).map(({ item }) => item.ref);
  };

  const documentsIn = async (top: Ref, signal: AbortSignal): Promise<Ref[]> => {
    try {
      const options = { ...DOCUMENT_MATCH_RULE, timeout: QUERY_TIMEOUT_MS, signal };
      return refs((await bus.call(top, 'Collection.GetMatches', options))[0]);
    } catch (error) {
      if (error instanceof DesktopError && ['unsupported', 'failed'].includes(error.code))
        return searchDocuments(top, signal);
      throw error;
    }
  };

  /** After a navigation the new page appears in the tree a moment after the old one has left it. */
  const waitForDocuments = async (
    window: TopLevelWindow,
    readShown: () => Promise<ShownDocuments>,
    signal: AbortSignal,
  ) => {
    const start = Date.now();
    const end = start < (incompleteUntil.get(window.id) ?? 0) ? start : start + NAVIGATION_TIMEOUT_MS;
    for (;;) {
      const shown = await readShown();
      if (shown.complete || !window.shown) return shown;
      if (Date.now() >= end) {
        if (end > start) incompleteUntil.set(window.id, Date.now() + RETRY_AFTER_MS);
        return shown;
      }
      await delay(POLL_MS, signal);
    }
  };

  const shownIn = async (top: Ref, signal: AbortSignal): Promise<ShownDocuments> => {
    const documents = await documentsIn(top, signal);
    const shown = await Promise.all(
      documents.map(async (ref) => (await isShowing(ref, signal)) && !(await isFramed(ref, signal))),
    );
    const urls = await Promise.all(
      documents.filter((_, index) => shown[index] === true).map((ref) => urlOf(bus, ref, signal)),
    );
    if (urls.length === 0 && !(await isDialog(top, signal))) {
      await requestPageAccessibility(bus, top.bus, signal);
      return UNKNOWN_DOCUMENTS;
    }
    const reported = urls.filter((url) => url !== null);
    return { urls: reported, complete: reported.length === urls.length };
  };

  const shownBy = async (window: TopLevelWindow, signal: AbortSignal): Promise<ShownDocuments> => {
    const found = await Promise.all((await topsOf(window, signal)).map((top) => shownIn(top, signal)));
    const complete = found.length > 0 && found.every((one) => one.complete);
    return { urls: found.flatMap(({ urls }) => urls), complete };
  };

  /** Asked before each key, one answer after another: all that was asked the last time is sent at once. */
  const readShown = (window: TopLevelWindow, signal: AbortSignal): Promise<ShownDocuments> => {
    const own = AbortSignal.any([signal]);
    return bus.reading([`documents ${window.id}`], own, () => shownBy(window, own));
  };

  /** File choosers and other dialogs of a browser show no page. */
  const isDialog = async (top: Ref, signal: AbortSignal): Promise<boolean> => {
    const role = await readRole(bus, top, signal);
    return role === ROLE.dialog || role === ROLE.fileChooser || role === ROLE.alert;
  };

  return async (window, executable, signal) => {
    if (!BROWSERS.test(executable.slice(executable.lastIndexOf('/') + 1)) || !window.normal) return null;
    if (Date.now() < (unresponsiveUntil.get(window.pid) ?? 0)) return UNKNOWN_DOCUMENTS;
    try {
      return await waitForDocuments(window, () => readShown(window, signal), signal);
    } catch (error) {
      known.delete(window.id);
      if (!(error instanceof DesktopError) || error.code === 'lost') throw error;
      if (error.code === 'not_responding') unresponsiveUntil.set(window.pid, Date.now() + RETRY_AFTER_MS);
      return UNKNOWN_DOCUMENTS;
    }
  };
}
