import { matches } from '../../native/desktop.js';
import type {
  App,
  Capture,
  Desktop,
  Element,
  InstalledApp,
  Rect,
  Scope,
  Tree,
  TreeLimits,
  TreeNode,
  Window,
} from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { factsOf } from './ports.js';
import type { Imaging, Protection } from './ports.js';

export interface Mask {
  protection: Protection;
  imaging: Pick<Imaging, 'mask'>;
  /** Application ids, in any spelling, of which nothing is ever shown to an agent. Asked at every look: a call may wait for hours. */
  excludedApps(): ReadonlySet<string>;
}

interface Hidden {
  windows: Window[];
  /** Processes of which nothing at all is shown. */
  pids: ReadonlySet<number>;
}

/**
 * The desktop as agents may see it: our own windows, windows that show the page, excluded applications and secure fields
 * are covered in captures and left out of trees. Handlers and evidence only ever get this one.
 */
export function maskedDesktop(desktop: Desktop, mask: Mask): Desktop {
  const { protection, imaging } = mask;

  const isExcluded = (app: NamedApp) => namesExcluded([...mask.excludedApps()], app);
  const hides = (window: Window) => isExcluded(window.app) || protection.isProtected(factsOf(window));
  const isInOurs = ({ pid, document }: Element) =>
    document !== undefined && protection.hidesDocument(pid, document.url);

  function assertSeeing(): void {
    if (!protection.blind()) return;
    throw new WireError(
      'DESKTOP_HOST_NOT_READY',
      'A pairing link is open, so nothing on screen is shown to agents until it is used or has run out.',
      {
        reason: 'pairing',
        next: 'Ask the person to open the pairing link that Chaperone printed, or wait two minutes until it has run out; then make the same call again.',
      },
    );
  }

  async function hiddenNow(signal: AbortSignal): Promise<Hidden> {
    const windows = (await desktop.windows(signal)).filter(hides);
    const windowless = mask.excludedApps().size === 0 ? [] : await desktop.apps(signal);
    const apps = [...windows.map((window) => window.app), ...windowless].filter(isExcluded);
    return { windows, pids: new Set(apps.map((app) => app.pid)) };
  }

  /** Looked up before and after the picture, so that what appears or moves meanwhile is covered at both places. */
  async function areas(signal: AbortSignal): Promise<Rect[]> {
    const [{ windows }, secure] = await Promise.all([hiddenNow(signal), desktop.secureAreas(signal)]);
    return [...windows.filter((window) => window.visible).map((window) => window.frame), ...secure];
  }

  async function capture(target: Parameters<Desktop['capture']>[0], signal: AbortSignal): Promise<Capture> {
    assertSeeing();
    if (target.kind === 'window') assertNone((await hiddenNow(signal)).windows, target.windowId);
    const before = await areas(signal);
    const picture = await desktop.capture(target, signal);
    return imaging.mask(picture, [...before, ...(await areas(signal))]);
  }

  function assertNone(windows: Window[], id: string | undefined): void {
    const window = windows.find((one) => one.id === id);
    if (window !== undefined) throw refused(window);
  }

  function refused(window: Window): WireError {
    return hidden(isExcluded(window.app) ? null : protection.cure(factsOf(window)));
  }

  /** What is hidden in that process. */
  async function assertShown(scope: Scope, signal: AbortSignal): Promise<Hidden> {
    assertSeeing();
    const { windows, pids } = await hiddenNow(signal);
    if (pids.has(scope.pid)) throw hidden();
    assertNone(windows, scope.windowId);
    if (scope.elementId !== undefined && isInOurs(await desktop.element(scope.elementId, signal))) throw hidden();
    return { windows: windows.filter((window) => window.app.pid === scope.pid), pids };
  }

  /** Also of windows that no window manager knows. */
  const withoutOurs = (limits: TreeLimits, { pid }: Scope): TreeLimits => ({
    ...limits,
    hides: (url) => protection.hidesDocument(pid, url),
  });

  /** The process that window belongs to; null when it is gone. */
  async function assertOpen(id: string, signal: AbortSignal): Promise<number | null> {
    assertSeeing();
    const window = (await desktop.windows(signal)).find((one) => one.id === id);
    if (window !== undefined && hides(window)) throw refused(window);
    return window?.app.pid ?? null;
  }

  /** What ends a whole process must not end a window of it that is not open to agents. */
  async function assertAloneOpen(pid: number | null, signal: AbortSignal): Promise<void> {
    assertSeeing();
    const { windows, pids } = await hiddenNow(signal);
    if (pid !== null && (pids.has(pid) || windows.some((window) => window.app.pid === pid))) throw hidden();
  }

  async function findOpen(application: string, signal: AbortSignal): Promise<InstalledApp> {
    const found = await desktop.findApplication(application, signal);
    // A running application that goes by the same id would be brought to the front.
    const running = (await desktop.apps(signal)).filter((app) => namesExcluded([found.id], app));
    if ([found, ...running].some(isExcluded)) throw hidden();
    return found;
  }

  async function shown(look: Promise<Element | null>, signal: AbortSignal): Promise<Element | null> {
    const element = await look;
    if (element === null || isInOurs(element)) return null;
    return isCovered(await hiddenNow(signal), element) ? null : element;
  }

  return {
    ...desktop,
    apps: async (signal) => (await desktop.apps(signal)).filter((app) => !isExcluded(app)),
    async windows(signal) {
      assertSeeing();
      return (await desktop.windows(signal)).filter((window) => !hides(window));
    },
    async frontmost(signal) {
      assertSeeing();
      const { app, window } = await desktop.frontmost(signal);
      const hide = (window !== null && hides(window)) || (app !== null && isExcluded(app));
      return hide ? { app: null, window: null } : { app, window };
    },
    async windowAt(point, signal) {
      assertSeeing();
      const window = await desktop.windowAt(point, signal);
      if (window !== null && hides(window)) throw refused(window);
      return window;
    },
    capture,
    async tree(scope, limits, signal) {
      const inside = await assertShown(scope, signal);
      return withoutHidden(await desktop.tree(scope, withoutOurs(limits, scope), signal), inside);
    },
    /** Beside a hidden window the tree is searched instead: what it scrolled out of sight has a place outside its frame, and counts tell as well. */
    async find(scope, selector, limit, limits, signal) {
      const inside = await assertShown(scope, signal);
      const open = withoutOurs(limits, scope);
      if (inside.windows.length === 0) return desktop.find(scope, selector, limit, open, signal);
      const { nodes, truncated } = withoutHidden(await desktop.tree(scope, open, signal), inside);
      const fits = nodes.map((node) => node.element).filter((element) => matches(selector, element));
      return { elements: fits.slice(0, limit), matched: fits.length, truncated };
    },
    async element(id, signal) {
      assertSeeing();
      const element = await shown(desktop.element(id, signal), signal);
      if (element === null) throw hidden();
      return element;
    },
    async ancestors(id, signal) {
      assertSeeing();
      return (await desktop.ancestors(id, signal)).filter((element) => !isInOurs(element));
    },
    async elementAt(point, signal) {
      assertSeeing();
      return shown(desktop.elementAt(point, signal), signal);
    },
    async focusedElement(signal) {
      assertSeeing();
      return shown(desktop.focusedElement(signal), signal);
    },
    async scrollerOf(id, signal) {
      assertSeeing();
      return shown(desktop.scrollerOf(id, signal), signal);
    },
    async windowState(id, signal) {
      await assertOpen(id, signal);
      return desktop.windowState(id, signal);
    },
    findApplication: findOpen,
    async launch(application, options, signal) {
      await findOpen(application, signal);
      const launched = await desktop.launch(application, options, signal);
      // Only now is it known which program a command has started in the end.
      if (isExcluded(launched.app)) throw hidden();
      return launched;
    },
    async killWindow(id, signal) {
      await assertAloneOpen(await assertOpen(id, signal), signal);
      return desktop.killWindow(id, signal);
    },
    async quitApp(pid, signal) {
      await assertAloneOpen(pid, signal);
      return desktop.quitApp(pid, signal);
    },
    async readClipboard(signal) {
      assertSeeing();
      return desktop.readClipboard(signal);
    },
  };
}

/** Every id counts that the application goes by: which one comes first can be chosen by a window class or a desktop file. */
export type NamedApp = Pick<App, 'id' | 'otherIds'>;

export function namesExcluded(excluded: readonly string[], { id, otherIds = [] }: NamedApp): boolean {
  const own = new Set([id, ...otherIds].map(plainAppId));
  return excluded.some((one) => own.has(plainAppId(one)));
}

/** How ids of applications are compared: whatever their case, with or without `.desktop`. */
export function plainAppId(id: string): string {
  return id.toLowerCase().replace(/\.desktop$/, '');
}

/** `cure`: what helps where it need not be hidden. */
function hidden(cure: string | null = null): WireError {
  return new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    'That window is not open to agents: it belongs to Chaperone or to an application the person excluded.',
    {
      reason: 'protected',
      next: cure ?? 'Work in another window.',
    },
  );
}

/** Same process and inside the frame; an element without a frame belongs to no window and is left out as well. */
function isCovered({ windows, pids }: Hidden, element: Element): boolean {
  if (pids.has(element.pid)) return true;
  const own = windows.filter((window) => window.app.pid === element.pid);
  if (own.length === 0) return false;
  const { frame } = element;
  return frame === null || own.some((window) => overlaps(window.frame, frame));
}

function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Drops covered nodes with everything below them and renumbers the parents. */
function withoutHidden(tree: Tree, inside: Hidden): Tree {
  if (inside.windows.length === 0) return tree;
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
