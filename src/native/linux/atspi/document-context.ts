import { DesktopError, keepNodes } from '../../desktop.js';
import type { AccessibilityBus, Ref } from './bus.js';
import type { AppContext } from './app-context.js';
import { ROLE } from './roles.js';
import type { Ancestor, Ancestry } from './ancestry.js';
import { type ObjectSnapshot, type SnapshotNode, withAncestors } from './object-reader.js';

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

const BROWSERS: ReadonlySet<string> = new Set(['chromium', 'gecko', 'webkitgtk']);

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
    if (!BROWSERS.has(app.toolkit.name)) return {};
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
    if (!BROWSERS.has(app.toolkit.name)) return {};
    const document = withAncestors(snapshot, node).find(({ item }) => item.role === ROLE.documentWeb);
    if (document === undefined) return outerContext(snapshot, app, signal);
    return { document: { url: await urlIn(document.item.ref, signal) } };
  };

  const without: DocumentContexts['without'] = async (snapshot, app, hides, signal) => {
    if (!BROWSERS.has(app.toolkit.name)) return snapshot;
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
export async function urlOf(bus: AccessibilityBus, document: Ref, signal: AbortSignal): Promise<string | null> {
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

export function emptyWhenRefused(error: unknown): unknown[] {
  if (error instanceof DesktopError && error.code !== 'lost') return [];
  throw error;
}
