import { DesktopError, keepNodes } from '../../desktop.js';
import type { AccessibilityBus, Ref } from './bus.js';
import type { AppContext } from './app-context.js';
import { ROLE } from './roles.js';
import type { Scene } from './scene.js';
import type { Snapshot, SnapshotNode } from './snapshot.js';

/** What is told of an element beside itself: see `document` and `leadsTo` of Element. */
interface Around {
  document?: { url: string | null };
  leadsTo?: string;
}

/** Which document elements are in, and what they link to. */
export interface Surroundings {
  /** Of a node of a snapshot; without links. */
  ofNode(snapshot: Snapshot, node: SnapshotNode, app: AppContext, signal: AbortSignal): Promise<Around>;
  /** Of an element and its ancestors, nearest first. */
  ofChain(chain: readonly Ref[], app: AppContext, signal: AbortSignal): Promise<Around>;
  /** The snapshot without the documents for which `hides` says yes. */
  without(
    snapshot: Snapshot,
    app: AppContext,
    hides: (url: string | null) => boolean,
    signal: AbortSignal,
  ): Promise<Snapshot>;
}

const BROWSERS: ReadonlySet<string> = new Set(['chromium', 'gecko', 'webkitgtk']);

export function openSurroundings({ bus, ancestors }: Pick<Scene, 'bus' | 'ancestors'>): Surroundings {
  /** For as long as somebody has the snapshot that it was seen in. */
  const urls = new WeakMap<Ref, Promise<string | null>>();
  const outer = new WeakMap<Ref, Promise<Around>>();

  const urlIn = (document: Ref, signal: AbortSignal): Promise<string | null> => {
    const url = urls.get(document) ?? urlOf(bus, document, signal);
    urls.set(document, url);
    return url;
  };

  const ofChain: Surroundings['ofChain'] = async (chain, app, signal) => {
    if (!BROWSERS.has(app.toolkit.name)) return {};
    const roles = await Promise.all(
      chain.map(async (ref) => (await bus.call(ref, 'Accessible.GetRole', { signal }).catch(orNothing))[0]),
    );
    const document = chain[roles.indexOf(ROLE.documentWeb)];
    const link = chain[roles.indexOf(ROLE.link)];
    const [url, leadsTo] = await Promise.all([
      document === undefined ? null : urlOf(bus, document, signal),
      link === undefined ? null : linkOf(bus, link, signal),
    ]);
    // Who went away meanwhile may have been the document.
    const isIn = document !== undefined || roles.includes(undefined);
    return { ...(isIn ? { document: { url } } : {}), ...(leadsTo === null ? {} : { leadsTo }) };
  };

  /** Around the whole snapshot. */
  const around = async ({ nodes }: Snapshot, app: AppContext, signal: AbortSignal): Promise<Around> => {
    const first = nodes[0];
    if (first === undefined || first.path.length < 2) return {};
    const { ref } = first.item;
    const found = outer.get(ref) ?? ancestors(ref, signal).then((chain) => ofChain(chain, app, signal));
    outer.set(ref, found);
    const { document } = await found;
    return document === undefined ? {} : { document };
  };

  const ofNode: Surroundings['ofNode'] = async (snapshot, node, app, signal) => {
    if (!BROWSERS.has(app.toolkit.name)) return {};
    for (let at: SnapshotNode | undefined = node; at !== undefined; at = snapshot.nodes[at.parent]) {
      if (at.item.role === ROLE.documentWeb) return { document: { url: await urlIn(at.item.ref, signal) } };
    }
    return around(snapshot, app, signal);
  };

  const without: Surroundings['without'] = async (snapshot, app, hides, signal) => {
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

/** The address of a document; null where the browser does not tell. */
export async function urlOf(bus: AccessibilityBus, document: Ref, signal: AbortSignal): Promise<string | null> {
  const [attributes] = await bus.call(document, 'Document.GetAttributes', { signal }).catch(orNothing);
  if (typeof attributes !== 'object' || attributes === null) return null;
  const known = new Map<string, unknown>(Object.entries(attributes));
  // Chromium's name for it, then Firefox's.
  const url = [known.get('URI'), known.get('DocURL')].find((value) => typeof value === 'string' && value !== '');
  return typeof url === 'string' ? url : null;
}

/** null where it does not say. */
async function linkOf(bus: AccessibilityBus, link: Ref, signal: AbortSignal): Promise<string | null> {
  const [uri] = await bus.call(link, 'Hyperlink.GetURI', { signature: 'i', body: [0], signal }).catch(orNothing);
  return typeof uri === 'string' && uri !== '' ? uri : null;
}

function orNothing(error: unknown): unknown[] {
  if (error instanceof DesktopError && error.code !== 'lost') return [];
  throw error;
}
