import { DesktopError, keepNodes, type ShownDocuments } from '../../desktop.js';
import { type AccessibilityBus, type Ref, idOf, rootOf, refOf, refs } from './bus.js';
import type { AppContext } from './app-context.js';
import { ROLE, has, STATE } from './accessible-object.js';
import type { Ancestor, Ancestry, AccessibleTree } from './accessible-tree.js';
import { type ObjectSnapshot, type SnapshotNode, withAncestors } from './object-reader.js';
import { delay } from '../../../base/poll.js';
import type { TopLevelWindow } from '../windows.js';
import { readRole, readStates } from './queries.js';
import { message } from '../../../messages/index.js';

/** See `document` and `leadsTo` of Element. */
interface DocumentContext {
  document?: { url: string | null };
  leadsTo?: string;
}

/** The documents that elements are in, and the targets of links. */
interface DocumentContexts {
  /** Of a node of a snapshot; without `leadsTo`. */
  ofNode(snapshot: ObjectSnapshot, node: SnapshotNode, app: AppContext, signal: AbortSignal): Promise<DocumentContext>;
  /** Of an element and its ancestors, nearest first. */
  ofChain(chain: readonly Ancestor[], app: AppContext, signal: AbortSignal): Promise<DocumentContext>;
  /** The snapshot without the documents for which `hides` returns true. */
  without(
    snapshot: ObjectSnapshot,
    app: AppContext,
    hides: (url: string | null) => boolean,
    signal: AbortSignal,
  ): Promise<ObjectSnapshot>;
}

const BROWSER_TOOLKITS: ReadonlySet<string> = new Set(['chromium', 'gecko', 'webkitgtk']);

export function openDocumentContexts(bus: AccessibilityBus, { lineOf }: Pick<Ancestry, 'lineOf'>): DocumentContexts {
  /** Kept as long as the snapshot of the document. */
  const urls = new WeakMap<Ref, Promise<string | null>>();
  const outerContexts = new WeakMap<Ref, Promise<DocumentContext>>();

  const urlIn = (document: Ref, signal: AbortSignal): Promise<string | null> => {
    const url = urls.get(document) ?? urlOf(bus, document, signal);
    urls.set(document, url);
    return url;
  };

  const ofChain: DocumentContexts['ofChain'] = async (chain, app, signal) => {
    if (!BROWSER_TOOLKITS.has(app.toolkit.name)) return {};
    const document = chain.find(({ role }) => role === ROLE.documentWeb);
    const link = chain.find(({ role }) => role === ROLE.link);
    const [url, leadsTo] = await Promise.all([
      document === undefined ? null : urlOf(bus, document.ref, signal),
      link === undefined ? null : linkOf(bus, link.ref, signal),
    ]);
    // An ancestor without a known role may be the document.
    const isIn = document !== undefined || chain.some(({ role }) => role === undefined);
    return { ...(isIn ? { document: { url } } : {}), ...(leadsTo === null ? {} : { leadsTo }) };
  };

  /** The document that the whole snapshot is in. */
  const outerContext = async (
    { nodes }: ObjectSnapshot,
    app: AppContext,
    signal: AbortSignal,
  ): Promise<DocumentContext> => {
    const first = nodes[0];
    if (first === undefined || first.path.length < 2) return {};
    const { ref } = first.item;
    const found =
      outerContexts.get(ref) ?? lineOf(first.item, signal).then((line) => ofChain(line.ancestors, app, signal));
    outerContexts.set(ref, found);
    const { document } = await found;
    return document === undefined ? {} : { document };
  };

  const ofNode: DocumentContexts['ofNode'] = async (snapshot, node, app, signal) => {
    if (!BROWSER_TOOLKITS.has(app.toolkit.name)) return {};
    const document = withAncestors(snapshot, node).find(({ item }) => item.role === ROLE.documentWeb);
    if (document === undefined) return outerContext(snapshot, app, signal);
    return { document: { url: await urlIn(document.item.ref, signal) } };
  };

  const without: DocumentContexts['without'] = async (snapshot, app, hides, signal) => {
    if (!BROWSER_TOOLKITS.has(app.toolkit.name)) return snapshot;
    const hidden: boolean[] = [];
    for (const { item, parent } of snapshot.nodes) {
      const inHidden = hidden[parent] === true;
      hidden.push(inHidden || (item.role === ROLE.documentWeb && hides(await urlIn(item.ref, signal))));
    }
    if (hidden[0] === true) return { ...snapshot, nodes: [] };
    const marked = snapshot.nodes.map((node, index) => ({ ...node, hidden: hidden[index] === true }));
    return { ...snapshot, nodes: keepNodes(marked, (node) => !node.hidden) };
  };

  return { ofNode, ofChain, without };
}

/** The address of a document; null where the browser does not report it. */
async function urlOf(bus: AccessibilityBus, document: Ref, signal: AbortSignal): Promise<string | null> {
  const [attributes] = await bus.call(document, 'Document.GetAttributes', { signal }).catch(emptyWhenRefused);
  if (typeof attributes !== 'object' || attributes === null) return null;
  const known = new Map<string, unknown>(Object.entries(attributes));
  // Chromium's name for it, then Firefox's.
  const url = [known.get('URI'), known.get('DocURL')].find((value) => typeof value === 'string' && value !== '');
  return typeof url === 'string' ? url : null;
}

/** null where it is not reported. */
async function linkOf(bus: AccessibilityBus, link: Ref, signal: AbortSignal): Promise<string | null> {
  const [uri] = await bus.call(link, 'Hyperlink.GetURI', { signature: 'i', body: [0], signal }).catch(emptyWhenRefused);
  return typeof uri === 'string' && uri !== '' ? uri : null;
}

function emptyWhenRefused(error: unknown): unknown[] {
  if (error instanceof DesktopError && error.code !== 'lost') return [];
  throw error;
}

/** Web pages appear in a browser's tree some time after their window, and again after each navigation. */
interface PageWaiter {
  /** The snapshot with its pages, taken again while they are missing; `note` says that they did not appear. */
  waitForPages(
    first: ObjectSnapshot,
    takeSnapshot: () => Promise<ObjectSnapshot>,
    deadline: number,
    signal: AbortSignal,
  ): Promise<{ snapshot: ObjectSnapshot; note: string | null }>;
}

const MAX_WAIT_MS = 4000;
const PAGE_POLL_MS = 120;
/** A page that stays empty is not waited for again during this time. */
const EMPTY_CACHE_MS = 20_000;

export function openPageWaiter(bus: AccessibilityBus): PageWaiter {
  const emptyUntil = new Map<string, number>();

  /** The id of what is not there yet; null where all is there. */
  const findMissing = async (snapshot: ObjectSnapshot, signal: AbortSignal): Promise<string | null> => {
    const { nodes, truncated } = snapshot;
    if (truncated.depth || truncated.nodes || truncated.time) return null;
    const pages = nodes.filter((node) => isPage(node) && !isSpare(snapshot, node));
    const root = nodes[0]?.item.ref;
    if (pages.length === 0) return root === undefined ? null : idOf(root);
    for (const { item } of pages) {
      if (
        (item.childCount === 0 || has(item.states, STATE.busy)) &&
        (await urlOf(bus, item.ref, signal)) !== 'about:blank'
      )
        return idOf(item.ref);
    }
    return null;
  };

  return {
    waitForPages: async (first, takeSnapshot, deadline, signal) => {
      const end = Math.min(Date.now() + MAX_WAIT_MS, Date.now() + (deadline - Date.now()) / 2);
      let snapshot = first;
      let missing = await findMissing(snapshot, signal);
      const [root] = first.nodes;
      if (missing !== null && root !== undefined) await requestPageAccessibility(bus, root.item.ref.bus, signal);
      while (missing !== null && Date.now() < end && Date.now() > (emptyUntil.get(missing) ?? 0)) {
        await delay(PAGE_POLL_MS, signal);
        snapshot = await takeSnapshot();
        missing = await findMissing(snapshot, signal);
      }
      if (missing === null) return { snapshot, note: null };
      for (const [id, until] of emptyUntil) if (until < Date.now()) emptyUntil.delete(id);
      emptyUntil.set(missing, Date.now() + EMPTY_CACHE_MS);
      return { snapshot, note: noteFor(snapshot) };
    },
  };
}

const isPage = ({ item }: SnapshotNode): boolean => item.role === ROLE.documentWeb && has(item.states, STATE.showing);

/** Chromium keeps windows without a title ready for its own menus and hints; their documents stay empty until one is used. */
function isSpare(snapshot: ObjectSnapshot, page: SnapshotNode): boolean {
  const window = withAncestors(snapshot, page).find(({ item }) => item.role === ROLE.frame);
  return page.item.childCount === 0 && window?.item.name === '';
}

/** Chromium makes its pages accessible once a client requests relations. */
async function requestPageAccessibility(bus: AccessibilityBus, name: string, signal: AbortSignal): Promise<void> {
  await bus.call(rootOf(name), 'Accessible.GetRelationSet', { signal }).catch(emptyWhenRefused);
}

function noteFor({ nodes }: ObjectSnapshot): string | null {
  if (nodes.some(({ item }) => item.role === ROLE.documentWeb)) return null;
  return `Only ${nodes.length} elements and no page are open to accessibility here. If it shows a page, quit the application and open it again with open_application.`;
}

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
