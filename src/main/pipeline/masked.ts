/**
 * The desktop as agents may see it: our own windows, windows that show the page, excluded applications and secure fields
 * are covered in captures and left out of trees. Plans, handlers and evidence only ever get this one. Every method is named
 * with its rule: one that is missing here does not compile.
 */
import { matches } from '../../native/desktop.js';
import type {
  DesktopActs,
  DesktopBackend,
  DesktopReader,
  Element,
  GuardedInput,
  Rect,
  Scope,
  TreeLimits,
} from '../../native/desktop.js';
import { createHiding, hiddenError, isCovered, withoutHidden } from './hidden.js';
import type { Mask } from './hidden.js';

export function maskedReader(desktop: DesktopReader & Pick<DesktopBackend, 'secureAreas'>, mask: Mask): DesktopReader {
  const { protection, imaging } = mask;
  const hiding = createHiding(desktop, mask);
  const { assertSeeing, assertScope, hiddenNow, isExcluded, hides, isInOurs } = hiding;

  /** Looked up before and after the picture, so that what appears or moves meanwhile is covered at both places. */
  async function areas(signal: AbortSignal): Promise<Rect[]> {
    const [{ windows }, secure] = await Promise.all([hiddenNow(signal), desktop.secureAreas(signal)]);
    return [...windows.filter((window) => window.visible).map((window) => window.frame), ...secure];
  }

  /** Also of windows that no window manager knows. */
  const withoutOurs = (limits: TreeLimits, { pid }: Scope): TreeLimits => ({
    ...limits,
    hides: (url) => protection.hidesDocument(pid, url),
  });

  async function shown(look: Promise<Element | null>, signal: AbortSignal): Promise<Element | null> {
    const element = await look;
    if (element === null || isInOurs(element)) return null;
    return isCovered(await hiddenNow(signal), element) ? null : element;
  }

  return {
    platform: desktop.platform,
    version: desktop.version,
    permissions: desktop.permissions,
    displays: desktop.displays,
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
      hiding.assertVisible(window);
      return window;
    },
    async capture(target, signal) {
      assertSeeing();
      if (target.kind === 'window') hiding.assertVisible(await hiding.windowWithId(target.windowId, signal));
      const before = await areas(signal);
      const picture = await desktop.capture(target, signal);
      return imaging.mask(picture, [...before, ...(await areas(signal))]);
    },
    async tree(scope, limits, signal) {
      const inside = await assertScope(scope, signal);
      return withoutHidden(await desktop.tree(scope, withoutOurs(limits, scope), signal), inside);
    },
    /** Beside a hidden window the tree is searched instead: what it scrolled out of sight has a place outside its frame, and counts tell as well. */
    async find(scope, selector, limit, limits, signal) {
      const inside = await assertScope(scope, signal);
      const open = withoutOurs(limits, scope);
      if (inside.windows.length === 0) return desktop.find(scope, selector, limit, open, signal);
      const { nodes, truncated } = withoutHidden(await desktop.tree(scope, open, signal), inside);
      const fits = nodes.map((node) => node.element).filter((element) => matches(selector, element));
      return { elements: fits.slice(0, limit), matched: fits.length, truncated };
    },
    async element(id, signal) {
      assertSeeing();
      const element = await shown(desktop.element(id, signal), signal);
      if (element === null) throw hiddenError();
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
      assertSeeing();
      hiding.assertVisible(await hiding.windowWithId(id, signal));
      return desktop.windowState(id, signal);
    },
    findApplication: hiding.findApplication,
    pointer: desktop.pointer,
    async readClipboard(signal) {
      assertSeeing();
      return desktop.readClipboard(signal);
    },
    onClipboardChange: desktop.onClipboardChange,
    onChange: desktop.onChange,
  };
}

/** Acts that reach a window or an element are passed on: the guard looks at what they reach. Those that end or start a whole process are refused here. */
export function maskedActs(desktop: DesktopBackend, mask: Mask): DesktopActs & GuardedInput {
  const hiding = createHiding(desktop, mask);
  return {
    performAction: desktop.performAction,
    setValue: desktop.setValue,
    insertText: desktop.insertText,
    setSelected: desktop.setSelected,
    setExpanded: desktop.setExpanded,
    focusElement: desktop.focusElement,
    scrollIntoView: desktop.scrollIntoView,
    focusWindow: desktop.focusWindow,
    setWindowFrame: desktop.setWindowFrame,
    setWindowMinimized: desktop.setWindowMinimized,
    setWindowMaximized: desktop.setWindowMaximized,
    closeWindow: desktop.closeWindow,
    async killWindow(id, signal) {
      hiding.assertSeeing();
      const window = await hiding.windowWithId(id, signal);
      hiding.assertVisible(window);
      await hiding.assertNoneHidden(window?.app.pid ?? null, signal);
      return desktop.killWindow(id, signal);
    },
    async quitApp(pid, signal) {
      await hiding.assertNoneHidden(pid, signal);
      return desktop.quitApp(pid, signal);
    },
    async launch(application, options, signal) {
      await hiding.findApplication(application, signal);
      const launched = await desktop.launch(application, options, signal);
      // Only now is it known which program a command has started in the end.
      if (hiding.isExcluded(launched.app)) throw hiddenError();
      return launched;
    },
    writeClipboard: desktop.writeClipboard,
    movePointer: desktop.movePointer,
    button: desktop.button,
    scroll: desktop.scroll,
    key: desktop.key,
    typeText: desktop.typeText,
    paste: desktop.paste,
    dropFiles: desktop.dropFiles,
  };
}
