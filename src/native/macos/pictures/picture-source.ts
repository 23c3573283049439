/** What a picture is to be taken of, as the system has it now. */
import { contains, intersect } from '../../../base/rect.js';
import { DesktopError, type CaptureTarget, type Rect } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { nullWithoutAnswer, truthOf } from '../accessibility/answers.js';
import { ATTRIBUTE } from '../accessibility/names.js';
import type { Core } from '../core.js';
import { isOwnProcess } from '../processes.js';
import { numberedDisplays, type NumberedDisplay } from '../screen/displays.js';
import type { WindowRows } from '../screen/window-rows.js';
import type { Windows } from '../screen/windows.js';

export interface PictureSource {
  kind: 'display' | 'window';
  /** Of the display or the window, to the system. */
  number: number;
  frame: Rect;
  /** What of it is wanted, in whole points; the frame, or within it. */
  part: Rect;
  /** Of a display; null where only the picture tells. */
  scale: number | null;
  main: boolean;
  /** Numbers of our own windows on the screen, which no picture of a display may show. */
  without: readonly number[];
}

export interface PictureParts {
  core: Core;
  rows: WindowRows;
  windows: Windows;
}

/** Without permission this throws: to take a picture then would raise a question to the person. */
export function pictureSource(parts: PictureParts, target: CaptureTarget): PictureSource {
  const { core } = parts;
  if (!core.bound.coreGraphics.CGPreflightScreenCaptureAccess()) throw noScreenRecording();
  if (target.kind === 'window') return { ...windowSource(parts, target.windowId), without: [] };
  return { ...displayOf(core, target), without: ownWindows(parts.rows) };
}

/** Without our icon in the menu bar. */
const ownWindows = (rows: WindowRows): number[] =>
  rows
    .onScreen()
    .filter(({ pid, level }) => isOwnProcess(pid) && level !== rows.levels.status)
    .map(({ number }) => number);

type Source = Omit<PictureSource, 'without'>;

function displayOf(core: Core, target: Exclude<CaptureTarget, { kind: 'window' }>): Source {
  const displays = numberedDisplays(core);
  if (target.kind === 'region') return regionSource(displays, target.rect);
  const { displayId } = target;
  const found = displays.find(({ display }) => (displayId === undefined ? display.main : display.id === displayId));
  if (found === undefined) {
    throw new DesktopError('not_found', message('error.no_such_display_list', { name: displayId ?? '' }));
  }
  return displaySource(found, found.display.frame);
}

export const noScreenRecording = (): DesktopError =>
  new DesktopError('permission', message('native.no_screen_recording'), { permission: 'screenRecording' });

const displaySource = ({ number, display }: NumberedDisplay, part: Rect): Source => {
  const { frame, scale, main } = display;
  return { kind: 'display', number, frame, part, scale, main };
};

/** A region of several displays is cut to the one that has most of it. */
function regionSource(displays: readonly NumberedDisplay[], wanted: Rect): Source {
  if (!(wanted.width > 0 && wanted.height > 0)) throw new DesktopError('failed', message('native.region_empty'));
  const [x, y] = [Math.floor(wanted.x), Math.floor(wanted.y)];
  const whole = {
    x,
    y,
    width: Math.ceil(wanted.x + wanted.width) - x,
    height: Math.ceil(wanted.y + wanted.height) - y,
  };
  const shares = displays.flatMap((one) => {
    const part = intersect(whole, one.display.frame);
    return part === null ? [] : [{ one, part }];
  });
  const [most] = shares.toSorted((a, b) => b.part.width * b.part.height - a.part.width * a.part.height);
  if (most === undefined) throw new DesktopError('failed', message('native.region_outside'));
  return displaySource(most.one, most.part);
}

/** What is not on the screen has no picture, or an old one. */
function windowSource({ core, rows, windows }: PictureParts, id: string): Source {
  const row = rows.all().find(({ number }) => String(number) === id);
  if (row === undefined) throw new DesktopError('not_found', message('native.no_such_window', { id }));
  const { number, frame, pid, onScreen } = row;
  if (!onScreen) {
    const minimized = isMinimized(core, windows, pid, id);
    throw new DesktopError(
      'unsupported',
      message(minimized ? 'native.minimised_no_picture' : 'native.hidden_no_picture'),
    );
  }
  const { x, y } = frame;
  const main = numberedDisplays(core).some(({ display }) => display.main && contains(display.frame, { x, y }));
  return { kind: 'window', number, frame, part: frame, scale: null, main };
}

const isMinimized = ({ ax, scoped }: Core, windows: Windows, pid: number, id: string): boolean =>
  scoped((scope) =>
    nullWithoutAnswer(() => truthOf(ax.attribute(scope, windows.elementOf(scope, pid, id), ATTRIBUTE.minimized))),
  ) ?? false;
