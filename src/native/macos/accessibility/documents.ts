/** What the windows of browsers show, in all their panes. */
import { basename } from 'node:path';
import { DesktopError, type App, type ShownDocuments, type Tree, type TreeLimits } from '../../desktop.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { documentOf } from './describe.js';
import { ATTRIBUTE, ROLE } from './names.js';
import { isChromiumBrowser } from './page-waking.js';
import { listOf, textOf } from './answers.js';

export interface Documents {
  /** undefined for windows of other programs. */
  of(scope: Scope, app: App, window: Ref): ShownDocuments | undefined;
}

const BROWSERS =
  /^(safari|google chrome|chrom|firefox|brave|microsoft edge|vivaldi|opera|arc$|orion|librewolf|duckduckgo|zen$)/i;

/** What is not searched through in time may show more. */
const SEARCH_MS = 1000;
const MOST_ELEMENTS = 3000;
const LOOK = [ATTRIBUTE.role, ATTRIBUTE.children] as const;

export const UNKNOWN_DOCUMENTS: ShownDocuments = { urls: [], complete: false };

const programOf = ({ program }: App): string => basename(program ?? '');

export const isBrowser = (app: App): boolean => BROWSERS.test(programOf(app));

export function openDocuments(core: Core): Documents {
  /** By process and the time it was started. */
  const woken = new Set<string>();
  return {
    of(scope, app, window) {
      if (!isBrowser(app)) return undefined;
      try {
        const shown = search(core, scope, window);
        if (shown.urls.length === 0 && isChromiumBrowser(programOf(app))) wakeOnce(app);
        return shown;
      } catch (thrown) {
        if (!(thrown instanceof DesktopError) || thrown.code === 'permission') throw thrown;
        return UNKNOWN_DOCUMENTS;
      }
    },
  };

  /** The pages come a moment later, and are found by a later reading. */
  function wakeOnce({ pid, startTime }: App): void {
    const key = `${pid} ${startTime}`;
    if (woken.has(key)) return;
    woken.add(key);
    core.woken.wake(pid);
  }
}

/** Frames within a page belong to it. Not complete without any page: its browser may not have built them yet. */
function search(core: Core, scope: Scope, window: Ref): ShownDocuments {
  const { ax, bound } = core;
  const deadline = Date.now() + SEARCH_MS;
  const urls: (string | null)[] = [];
  let seen = 0;
  const waiting: Ref[] = [window];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (Date.now() >= deadline || seen > MOST_ELEMENTS) return { urls: reported(urls), complete: false };
    seen++;
    const [role, children] = ax.attributes(scope, next, LOOK);
    if (textOf(role) === ROLE.webArea) urls.push(documentOf(ax, scope, next).url);
    else waiting.push(...listOf(children).filter((child) => bound.coreFoundation.CFEqual(child, window) === 0));
  }
  return { urls: reported(urls), complete: urls.length > 0 && !urls.includes(null) };
}

const reported = (urls: readonly (string | null)[]): string[] => urls.filter((url) => url !== null);

/**
 * The tree without the documents that must not be shown, and all that is in them. Done by the host: what hides a document cannot be
 * sent to the helper process.
 */
export function withoutHidden(tree: Tree, hides: TreeLimits['hides']): Tree {
  if (hides === undefined) return tree;
  const places: (number | null)[] = [];
  const nodes: Tree['nodes'] = [];
  for (const node of tree.nodes) {
    const parent = node.parent < 0 ? -1 : (places[node.parent] ?? null);
    const { document } = node.element;
    const hidden = parent === null || (document !== undefined && hides(document.url));
    places.push(hidden ? null : nodes.push({ ...node, parent }) - 1);
  }
  return { ...tree, nodes };
}
