/**
 * The desktop as agents may see it: Chaperone's windows, windows that show its page, excluded applications and secure fields
 * are covered in captures and left out of trees. Plans, handlers and evidence get only this desktop. Every method of the
 * interface is listed with its rule, so a new method does not compile until it has one.
 */
import {
  type Capture,
  type CaptureTarget,
  type DesktopBackend,
  type DesktopReader,
  type Rect,
  matches,
  type DesktopActs,
  type Element,
  type GuardedInput,
  type Scope,
  type TreeLimits,
  type WindowPaint,
} from '../../native/desktop.js';
import { membersOf, methodOf, withRule, type Method, type Reveals, type Ruled } from '../../native/methods.js';
import { createMaskRules, type Mask, type MaskRules, hiddenError, isCovered, withoutHidden } from './mask-rules.js';

type UnmaskedDesktop = DesktopReader & Pick<DesktopBackend, 'secureAreas' | 'stack'>;

type MaskedCapture = (target: CaptureTarget, signal: AbortSignal, begin?: Begin) => Promise<Capture>;

type AreaRules = Pick<MaskRules, 'hiddenFrom' | 'isExcluded' | 'excludesAny'>;

/**
 * Gets the picture while it is looked for what must be covered by now. Where that is more, another picture is returned in its place,
 * and only what is returned may leave the host. Must not throw.
 */
type Begin = (picture: Capture) => void;

/** Pictures without what agents may not see. `kept`: a window's picture is taken again only once the window was painted, moved or resized. */
function createMaskedCapture(
  desktop: UnmaskedDesktop,
  rules: AreaRules,
  { imaging }: Pick<Mask, 'imaging'>,
  kept: KeptPicture | undefined,
): MaskedCapture {
  const hiddenAreas = (target: CaptureTarget, signal: AbortSignal) => findHiddenAreas(desktop, rules, target, signal);

  /** `before` and after: a window that appears or moves meanwhile is covered at both places, and one hidden by then is not shown. */
  async function captureAnew(
    target: CaptureTarget,
    before: readonly Rect[],
    signal: AbortSignal,
    begin: Begin | undefined,
  ): Promise<Capture> {
    const taken = await desktop.capture(target, signal);
    const picture = kept !== undefined && target.kind === 'window' ? unreleasable(taken) : taken;
    const after = hiddenAreas(target, signal);
    const first = begin === undefined ? picture : imaging.mask(picture, [...before]);
    begin?.(first);
    const covered = imaging.mask(first, [...before, ...(await after)]);
    if (begin === undefined ? covered !== picture : first !== picture) picture.rgb.release?.();
    return covered;
  }

  return async (target, signal, begin) => {
    if (kept === undefined || target.kind !== 'window')
      return captureAnew(target, await hiddenAreas(target, signal), signal, begin);
    const [areas, paint] = await Promise.all([
      hiddenAreas(target, signal),
      desktop.windowPaint(target.windowId, null, signal),
    ]);
    const known = kept.find(target.windowId, paint);
    // What must be covered can be more by now, though the window looks the same.
    const picture = known === null ? await captureAnew(target, areas, signal, begin) : imaging.mask(known, areas);
    return kept.keep(target.windowId, paint, picture);
  };
}

/** Several looks of a call, and its card, have the picture. */
const unreleasable = (picture: Capture): Capture =>
  picture.rgb.release === undefined ? picture : { ...picture, rgb: picture.rgb.subarray() };

/**
 * Takes a window's picture before it is needed, and keeps it, for work in memory only. The `capture` that gives it out looks for what
 * must be covered by then.
 */
export async function captureAhead(
  desktop: UnmaskedDesktop,
  mask: Mask,
  kept: KeptPicture,
  windowId: string,
  signal: AbortSignal,
): Promise<Capture> {
  const rules = createMaskRules(desktop, mask);
  rules.assertNotBlind();
  const target = { kind: 'window', windowId } as const;
  const [areas, paint] = await Promise.all([
    findHiddenAreas(desktop, rules, target, signal),
    desktop.windowPaint(windowId, null, signal),
  ]);
  const taken = unreleasable(await desktop.capture(target, signal));
  return kept.keep(windowId, paint, mask.imaging.mask(taken, areas));
}

/** Throws where the target is a hidden window. */
async function findHiddenAreas(
  desktop: UnmaskedDesktop,
  { hiddenFrom, isExcluded, excludesAny }: AreaRules,
  target: CaptureTarget,
  signal: AbortSignal,
): Promise<Rect[]> {
  const [{ windows, pids }, secure] = await Promise.all([
    hiddenFrom(target, signal),
    desktop.secureAreas(signal, target),
  ]);
  const hidden = windows.filter((window) => window.visible);
  // All that excluded applications and their helpers have on the screen: a sheet, a menu or a popover is often no window of the list.
  const stack = excludesAny() ? await desktop.stack(signal) : [];
  const beside = stack.filter(({ pid, app }) => pids.has(pid) || (app !== undefined && isExcluded(app)));
  return [...[...hidden, ...beside].map(({ frame }) => frame), ...secure];
}

export interface HidingReader extends DesktopReader {
  /** Whether all windows of the process are hidden, and not only as a precaution: there is nothing to wait for. */
  isAllHidden(pid: number, signal: AbortSignal): Promise<boolean>;
  /** Whether a plan may wait for this process to start: how long it takes would tell an agent that may not see it. */
  maySpendTimeOn(pid: number): boolean;
}

export interface MaskedReader extends HidingReader {
  capture: MaskedCapture;
}

/**
 * The same reader, with the rule on each method that reveals something else than `open`. What no row knows counts as showing the
 * desktop.
 */
export const withReadRule = <T extends HidingReader>(
  reader: T,
  open: readonly Reveals[],
  rule: (read: Method) => Method,
): T => withRule(reader, (name, read) => (open.includes(revealedBy(name)) ? null : rule(read)));

function revealedBy(name: string): Reveals {
  const known = methodOf(name);
  if (known?.kind === 'reader') return known.reveals;
  return name === 'maySpendTimeOn' ? 'machine' : 'desktop';
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
  const onProcesses: Pick<DesktopActs, Ruled<{ mask: 'process' }>> = {
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
      // Chaperone's own page is for a person to open.
      if (options.address !== undefined && mask.protection.hidesDocument(0, options.address)) throw hiddenError();
      const launched = await desktop.launch(application, options, signal);
      // Only now is it known which program the command has started.
      if (hiding.isExcluded(launched.app)) throw hiddenError();
      return launched;
    },
  };
  return Object.assign(membersOf(desktop, 'act', 'input'), onProcesses);
}

/** The last masked picture of a window, for as long as the window has not been painted, moved or resized. Each call has its own. */
export type KeptPicture = ReturnType<typeof createKeptPicture>;

export function createKeptPicture() {
  let kept: { windowId: string; generation: string; picture: Capture } | null = null;
  return {
    /** `paint`: as it is now. null where the picture may be another by now. */
    find(windowId: string, paint: WindowPaint | null): Capture | null {
      if (kept === null || kept.windowId !== windowId || kept.generation !== paint?.generation) return null;
      return kept.picture;
    },
    /** `paint`: as it was before the picture was taken. Returns the picture. */
    keep(windowId: string, paint: WindowPaint | null, picture: Capture): Capture {
      kept = paint === null ? null : { windowId, generation: paint.generation, picture };
      return picture;
    },
    /** null where none is kept. */
    last: (): Capture | null => kept?.picture ?? null,
    forget(): void {
      kept = null;
    },
  };
}
