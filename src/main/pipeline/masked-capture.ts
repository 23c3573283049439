import type { Capture, CaptureTarget, DesktopBackend, DesktopReader, Rect } from '../../native/desktop.js';
import type { KeptPicture } from './kept-picture.js';
import { createMaskRules, type Mask, type MaskRules } from './mask-rules.js';

export type UnmaskedDesktop = DesktopReader & Pick<DesktopBackend, 'secureAreas' | 'stack'>;

export type MaskedCapture = (target: CaptureTarget, signal: AbortSignal, begin?: Begin) => Promise<Capture>;

type AreaRules = Pick<MaskRules, 'hiddenFrom' | 'isExcluded' | 'excludesAny'>;

/**
 * Gets the picture while it is looked for what must be covered by now. Where that is more, another picture is returned in its place,
 * and only what is returned may leave the host. Must not throw.
 */
type Begin = (picture: Capture) => void;

/** Pictures without what agents may not see. `kept`: a window's picture is taken again only once the window was painted, moved or resized. */
export function createMaskedCapture(
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
