import { DesktopError, type Display, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { rectOf, type Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';

const MOST_DISPLAYS = 32;

/** With the number by which the system knows it until it is disconnected. */
export interface NumberedDisplay {
  number: number;
  display: Display;
}

/** Main one first; mirrors of another one are left out. Ids outlive a reconnection, unlike the system's numbers. */
export const listDisplays = (core: Core): Display[] => numberedDisplays(core).map(({ display }) => display);

export function numberedDisplays(core: Core): NumberedDisplay[] {
  const { CGDisplayMirrorsDisplay, CGMainDisplayID } = core.bound.coreGraphics;
  const shown = activeDisplays(core).filter((number) => CGDisplayMirrorsDisplay(number) === 0);
  if (shown.length === 0) throw new DesktopError('failed', message('native.no_displays'));
  const main = CGMainDisplayID();
  const names = namesOf(core);
  return shown
    .map((number) =>
      core.scoped((scope) => ({
        number,
        display: {
          id: idOf(core, scope, number),
          name: names.get(number) ?? `display ${number}`,
          frame: frameOf(core, number),
          scale: scaleOf(core, scope, number),
          main: number === main,
        },
      })),
    )
    .toSorted((a, b) => Number(b.display.main) - Number(a.display.main));
}

/** What windows may use of each display, without menu bar and Dock; the origin at the top left, as everywhere else. */
export function visibleFrames(core: Core): Rect[] {
  const { bound, pooled } = core;
  const height = frameOf(core, bound.coreGraphics.CGMainDisplayID()).height;
  return pooled(() =>
    screensOf(core).map((screen) => {
      const frame = rectOf(bound.send(screen, 'visibleFrame'));
      return { ...frame, y: height - frame.y - frame.height };
    }),
  );
}

function activeDisplays({ bound }: Core): number[] {
  const numbers = new Uint32Array(MOST_DISPLAYS);
  const count = new Uint32Array(1);
  const failed = bound.coreGraphics.CGGetActiveDisplayList(MOST_DISPLAYS, numbers, count);
  return failed === 0 ? [...numbers.subarray(0, count[0])] : [];
}

const frameOf = ({ bound }: Core, number: number): Rect => rectOf(bound.coreGraphics.CGDisplayBounds(number));

function idOf({ bound, reading }: Core, scope: Scope, number: number): string {
  const uuid = scope.own(bound.colorSync.CGDisplayCreateUUIDFromDisplayID(number));
  const text = uuid === null ? null : scope.own(bound.coreFoundation.CFUUIDCreateString(null, uuid));
  return reading.text(text) ?? String(number);
}

/** The mode knows both sizes; the size in pixels that the display itself tells is in points on scaled modes. */
function scaleOf({ bound }: Core, scope: Scope, number: number): number {
  const { CGDisplayCopyDisplayMode, CGDisplayModeGetPixelWidth, CGDisplayModeGetWidth } = bound.coreGraphics;
  const mode = scope.own(CGDisplayCopyDisplayMode(number));
  if (mode === null) return 1;
  const scale = Number(CGDisplayModeGetPixelWidth(mode)) / Number(CGDisplayModeGetWidth(mode));
  return Number.isFinite(scale) && scale > 0 ? scale : 1;
}

function namesOf({ bound, pooled, reading }: Core): Map<number, string> {
  return pooled(
    () =>
      new Map(
        screensOf({ bound, reading }).flatMap((screen) => {
          const name = reading.text(bound.send(screen, 'localizedName'));
          return name === null ? [] : [[bound.send(screen, 'CGDirectDisplayID'), name] as const];
        }),
      ),
  );
}

/** Within a pool. */
function screensOf({ bound, reading }: Pick<Core, 'bound' | 'reading'>): Ref[] {
  const screenClass = bound.objectiveC.objc_getClass('NSScreen');
  return screenClass === null ? [] : reading.list(bound.send(screenClass, 'screens'));
}
