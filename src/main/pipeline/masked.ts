/**
 * The desktop as agents may see it: Chaperone's windows, windows that show its page, excluded applications and secure fields
 * are covered in captures and left out of trees. Plans, handlers and evidence get only this desktop. Every method of the
 * interface is listed with its rule, so a new method does not compile until it has one.
 */
import {
  matches,
  type DesktopActs,
  type DesktopBackend,
  type DesktopReader,
  type Element,
  type GuardedInput,
  type Scope,
  type TreeLimits,
} from '../../native/desktop.js';
import type { KeptPicture } from './kept-picture.js';
import { createMaskedCapture, type MaskedCapture, type UnmaskedDesktop } from './masked-capture.js';
import { createMaskRules, hiddenError, isCovered, withoutHidden, type Mask, type MaskRules } from './mask-rules.js';

export interface HidingReader extends DesktopReader {
  /** Whether all windows of the process are hidden, and not only as a precaution: there is nothing to wait for. */
  isAllHidden(pid: number, signal: AbortSignal): Promise<boolean>;
  /** Whether a plan may wait for this process to start: how long it takes would tell an agent that may not see it. */
  maySpendTimeOn(pid: number): boolean;
}

export interface MaskedReader extends HidingReader {
  capture: MaskedCapture;
}

/** `kept`: a window's picture is taken again only once the window was painted, moved or resized. */
export function maskedReader(desktop: UnmaskedDesktop, mask: Mask, kept?: KeptPicture): MaskedReader {
  const hiding = createMaskRules(desktop, mask);
  const { assertNotBlind, hiddenNow, isExcluded, isHiddenWindow, isInOwnDocument } = hiding;
  const captureMasked = createMaskedCapture(desktop, hiding, mask, kept);

  async function visibleOrNull(look: Promise<Element | null>, signal: AbortSignal): Promise<Element | null> {
    const element = await look;
    if (element === null || isInOwnDocument(element)) return null;
    return isCovered(await hiddenNow(signal), element) ? null : element;
  }

  return {
    platform: desktop.platform,
    version: desktop.version,
    permissions: desktop.permissions,
    displays: desktop.displays,
    maySpendTimeOn: () => true,
    apps: async (signal) => (await desktop.apps(signal)).filter((app) => !isExcluded(app)),
    async windows(signal) {
      assertNotBlind();
      return (await desktop.windows(signal)).filter((window) => !isHiddenWindow(window));
    },
    async frontmost(signal) {
      assertNotBlind();
      const { app, window } = await desktop.frontmost(signal);
      const hide = (window !== null && isHiddenWindow(window)) || (app !== null && isExcluded(app));
      return hide ? { app: null, window: null } : { app, window };
    },
    async windowAt(point, signal) {
      assertNotBlind();
      const window = await desktop.windowAt(point, signal);
      hiding.assertVisible(window);
      return window;
    },
    async capture(target, signal, begin) {
      assertNotBlind();
      return captureMasked(target, signal, begin);
    },
    async windowPaint(id, after, signal) {
      assertNotBlind();
      const checked = hiding.windowWithId(id, signal).then(hiding.assertVisible);
      if (after !== null) await checked;
      const [paint] = await Promise.all([desktop.windowPaint(id, after, signal), checked]);
      return paint;
    },
    async untilApplication(id, state, signal) {
      assertNotBlind();
      hiding.assertVisible(await hiding.windowWithId(id, signal));
      return desktop.untilApplication(id, state, signal);
    },
    ...createMaskedTrees(desktop, hiding, mask),
    async element(id, signal) {
      assertNotBlind();
      const element = await visibleOrNull(desktop.element(id, signal), signal);
      if (element === null) throw hiddenError();
      return element;
    },
    async ancestors(id, signal) {
      assertNotBlind();
      return (await desktop.ancestors(id, signal)).filter((element) => !isInOwnDocument(element));
    },
    async elementAt(point, signal) {
      assertNotBlind();
      return visibleOrNull(desktop.elementAt(point, signal), signal);
    },
    async focusedElement(signal) {
      assertNotBlind();
      return visibleOrNull(desktop.focusedElement(signal), signal);
    },
    async scrollerOf(id, signal) {
      assertNotBlind();
      return visibleOrNull(desktop.scrollerOf(id, signal), signal);
    },
    async windowState(id, signal) {
      assertNotBlind();
      const checked = hiding.windowWithId(id, signal).then(hiding.assertVisible);
      const [state] = await Promise.all([desktop.windowState(id, signal), checked]);
      return state;
    },
    async isAllHidden(pid, signal) {
      assertNotBlind();
      return hiding.isAllHidden(pid, signal);
    },
    findApplication: hiding.findApplication,
    pointer: desktop.pointer,
    async readClipboard(signal) {
      assertNotBlind();
      return desktop.readClipboard(signal);
    },
    onClipboardChange: desktop.onClipboardChange,
    onChange: desktop.onChange,
  };
}

/** Elements are read without what is hidden before or after: a window may appear, move or go meanwhile. */
function createMaskedTrees(
  desktop: DesktopReader,
  { assertScope, hiddenIn }: Pick<MaskRules, 'assertScope' | 'hiddenIn'>,
  { protection }: Pick<Mask, 'protection'>,
): Pick<DesktopReader, 'tree' | 'find'> {
  /** Also hides documents in windows that the window manager does not list. */
  const withoutOwnDocuments = (limits: TreeLimits, { pid }: Scope): TreeLimits => ({
    ...limits,
    hides: (url) => protection.hidesDocument(pid, url),
  });

  const tree: DesktopReader['tree'] = async (scope, limits, signal) => {
    const before = await assertScope(scope, signal);
    const whole = await desktop.tree(scope, withoutOwnDocuments(limits, scope), signal);
    const after = await hiddenIn(scope, signal);
    return withoutHidden(whole, { windows: [...before.windows, ...after.windows], pids: after.pids });
  };

  return {
    tree,
    /** Where the process has a hidden window, the masked tree is searched: elements that it scrolled out of view lie outside its frame, and match counts would reveal them. */
    async find(scope, selector, limit, limits, signal) {
      if ((await assertScope(scope, signal)).windows.length === 0) {
        const found = await desktop.find(scope, selector, limit, withoutOwnDocuments(limits, scope), signal);
        if ((await hiddenIn(scope, signal)).windows.length === 0) return found;
      }
      const { nodes, truncated } = await tree(scope, { ...limits, brief: false }, signal);
      const fits = nodes.map((node) => node.element).filter((element) => matches(selector, element));
      return { elements: fits.slice(0, limit), matched: fits.length, truncated };
    },
  };
}

/** Acts on windows and elements are passed on, because the guard checks their target. Acts that end or start a process are checked here. */
export function maskedActs(desktop: DesktopBackend, mask: Mask): DesktopActs & GuardedInput {
  const hiding = createMaskRules(desktop, mask);
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
      hiding.assertNotBlind();
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
      // Only now is it known which program the command has started.
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
