/** Which windows and applications agents may not see, and errors for them. Password fields: `masked.ts`, `secret-fields.ts`. */
import type {
  ShownDocuments,
  Window,
  CaptureTarget,
  DesktopReader,
  Element,
  Scope,
  Tree,
  TreeNode,
} from '../../native/desktop.js';
import { overlaps } from '../../base/rect.js';
import { WireError } from '../protocol/index.js';
import { isExcludedApp, type NamedApp } from '../approvals/policy.js';
import type { Imaging } from '../evidence/imaging.js';
import { message } from '../../messages/index.js';

/** The facts that decide whether a window is protected. */
export interface WindowFacts {
  pid: number;
  title: string;
  documentUrl: string | null;
  documents?: ShownDocuments;
  /** Left out: true. */
  normal?: boolean;
  crowded?: true;
}

export const windowFactsOf = (window: Window): WindowFacts => ({ ...window, pid: window.app.pid });

/** Chaperone's windows and browser windows that show its page: never typed into, never clicked, masked in captures and trees. */
export interface Protection {
  /** null is the bare desktop. */
  isProtected(window: WindowFacts | null): boolean;
  /** The next step where a window is protected only because its browser does not report what it shows; else null. */
  hintFor(window: WindowFacts): string | null;
  /** True for a document of Chaperone in any window; `url` is null where that browser does not report it. */
  hidesDocument(pid: number, url: string | null): boolean;
  /** True while a pairing link is unspent: captures, trees and clipboard reads are refused. */
  isPairingLinkOpen(): boolean;
}

export interface Mask {
  protection: Protection;
  imaging: Pick<Imaging, 'mask'>;
  /** Ids, in any spelling, of applications that are never shown to agents. Read at every access, because a call may wait for hours. */
  excludedApps(): ReadonlySet<string>;
}

interface Hidden {
  windows: Window[];
  /** Processes that are hidden completely. */
  pids: ReadonlySet<number>;
}

export type MaskRules = ReturnType<typeof createMaskRules>;

/** Decides what agents may not see: Chaperone's windows, windows that show its page, excluded applications. The assertions throw for a hidden target. */
export function createMaskRules(desktop: DesktopReader, mask: Mask) {
  const [{ protection }, exclusions] = [mask, exclusionsOf(mask)];
  const { isExcluded, excludesAny } = exclusions;
  const isHiddenWindow = (window: Window) =>
    isExcluded(window.app) || protection.isProtected(windowFactsOf(window)) || isUnclear(window, mask);
  const isInOwnDocument = ({ pid, document }: Element) =>
    document !== undefined && protection.hidesDocument(pid, document.url);
  function assertNotBlind(): void {
    if (!protection.isPairingLinkOpen()) return;
    throw new WireError('DESKTOP_HOST_NOT_READY', message('error.link_open'), {
      reason: 'pairing',
      next: 'Ask the person to open the pairing link that Chaperone printed, or wait two minutes until it has run out; then make the same call again.',
    });
  }

  async function hiddenNow(signal: AbortSignal, shown = desktop.windows(signal)): Promise<Hidden> {
    const windows = hiddenAmong(await shown, isHiddenWindow);
    const windowless = excludesAny() ? await desktop.apps(signal) : [];
    const apps = [...windows.map((window) => window.app), ...windowless].filter(isExcluded);
    return { windows, pids: new Set(apps.map((app) => app.pid)) };
  }

  function assertVisible(window: Window | null | undefined): void {
    if (window == null || !isHiddenWindow(window)) return;
    throw hiddenError(isExcluded(window.app) ? null : protection.hintFor(windowFactsOf(window)));
  }

  /** Throws for a hidden scope. Returns what else is hidden in that process. */
  async function hiddenIn({ pid, windowId }: Scope, signal: AbortSignal): Promise<Hidden> {
    assertNotBlind();
    const { windows, pids } = await hiddenNow(signal);
    if (pids.has(pid)) throw hiddenError();
    assertVisible(windows.find(({ id }) => id === windowId));
    return { windows: windows.filter((window) => window.app.pid === pid), pids };
  }

  const windowWithId = async (id: string | undefined, signal: AbortSignal): Promise<Window | undefined> =>
    (await desktop.windows(signal)).find((one) => one.id === id);

  return {
    ...exclusions,
    isHiddenWindow,
    isInOwnDocument,
    assertNotBlind,
    hiddenNow,
    assertVisible,
    windowWithId,
    /** Whether all that the process shows is hidden, and will be. False where it shows nothing. */
    async isAllHidden(pid: number, signal: AbortSignal): Promise<boolean> {
      const own = (await desktop.windows(signal)).filter(({ app, normal }) => app.pid === pid && normal);
      // One may be hidden only until its browser tells what it shows.
      const isForGood = (window: Window) => protection.hintFor(windowFactsOf(window)) === null;
      return own.length > 0 && own.every((one) => isExcluded(one.app) || (isHiddenWindow(one) && isForGood(one)));
    },
    /** Throws where the target is one of them. */
    async hiddenFrom(target: CaptureTarget, signal: AbortSignal): Promise<Hidden> {
      const windows = desktop.windows(signal);
      if (target.kind === 'window') assertVisible((await windows).find(({ id }) => id === target.windowId));
      return hiddenNow(signal, windows);
    },
    hiddenIn,
    /** As `hiddenIn`; throws for an element in an own document too. */
    async assertScope(scope: Scope, signal: AbortSignal): Promise<Hidden> {
      const hidden = await hiddenIn(scope, signal);
      if (scope.elementId !== undefined && isInOwnDocument(await desktop.element(scope.elementId, signal)))
        throw hiddenError();
      return hidden;
    },
    /** An act that ends a process must not end a hidden window. */
    async assertNoneHidden(pid: number | null, signal: AbortSignal): Promise<void> {
      assertNotBlind();
      const { windows, pids } = await hiddenNow(signal);
      if (pid !== null && (pids.has(pid) || windows.some((window) => window.app.pid === pid))) throw hiddenError();
    },
    async findApplication(application: string, signal: AbortSignal) {
      const found = await desktop.findApplication(application, signal);
      // Starting it would bring a running application with the same id to the front.
      const running = (await desktop.apps(signal)).filter((app) => isExcludedApp([found.id], app));
      if ([found, ...running].some(isExcluded)) throw hiddenError();
      return found;
    },
  };
}

const exclusionsOf = (mask: Mask) => ({
  isExcluded: (app: NamedApp) => isExcludedApp([...mask.excludedApps()], app),
  excludesAny: () => mask.excludedApps().size > 0,
});

/** What shows in a window that has too many in it may be excluded. */
const isUnclear = ({ crowded }: Window, mask: Mask) => crowded === true && mask.excludedApps().size > 0;

/** Hidden windows, and those that show in windows that are not. */
const hiddenAmong = (windows: readonly Window[], isHidden: (window: Window) => boolean): Window[] =>
  windows.flatMap((window) => (isHidden(window) ? [window] : (window.inside ?? []).filter(isHidden)));

/** `hint`: the next step where the window is hidden only as a precaution. */
export function hiddenError(hint: string | null = null): WireError {
  return new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.hidden_window'), {
    reason: 'protected',
    next: hint ?? 'Work in another window.',
  });
}

/** Whether the element lies in a hidden window of its process; an element without a frame counts as hidden. */
export function isCovered({ windows, pids }: Hidden, element: Element): boolean {
  if (pids.has(element.pid)) return true;
  const own = windows.filter((window) => window.app.pid === element.pid);
  if (own.length === 0) return false;
  const { frame } = element;
  return frame === null || own.some((window) => overlaps(window.frame, frame));
}

/** Removes hidden nodes with their descendants and renumbers the parents. */
export function withoutHidden(tree: Tree, inside: Hidden): Tree {
  if (inside.windows.length === 0 && inside.pids.size === 0) return tree;
  const kept = new Map<number, number>();
  const nodes: TreeNode[] = [];
  tree.nodes.forEach((node, index) => {
    const parent = node.parent < 0 ? -1 : kept.get(node.parent);
    if (parent === undefined || (node.depth > 0 && isCovered(inside, node.element))) return;
    kept.set(index, nodes.length);
    nodes.push({ ...node, parent });
  });
  return { ...tree, nodes };
}
