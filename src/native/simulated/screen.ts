/** Pictures of the screen, and the areas of secure fields. */
import { abortable } from '../../base/poll.js';
import { boundingBox, contains, intersect } from '../../base/rect.js';
import {
  DesktopError,
  type Capture,
  type CaptureTarget,
  type DesktopBackend,
  type Rect,
  type WindowPaint,
} from '../desktop.js';
import { createPictures, type Pictures } from './draw/pictures.js';
import { type Gate, everyElement, frameOnScreen, showing, type State } from './model.js';
import { windowById } from './accessibility-tree.js';
import { message } from '../../messages/index.js';

type Screen = Pick<DesktopBackend, 'displays' | 'capture' | 'windowPaint' | 'untilApplication' | 'secureAreas'>;

/** `onChange`: after each call that may have changed something. */
export function createScreen(state: State, gate: Gate, onChange: (listener: () => void) => () => void): Screen {
  const pictures = createPictures(state);

  const paintOf = (id: string): WindowPaint | null => {
    const window = state.stack.find((each) => each.id === id);
    if (window === undefined || window.minimized) return null;
    const generation = `${window.id}.${pictures.generation(window, scaleAt(state, window.frame))}`;
    return { generation, unpaintedMs: Infinity };
  };

  return {
    async displays(signal) {
      await gate.enter(signal);
      return state.displays.map((display) => ({ ...display, frame: { ...display.frame } }));
    },
    async capture(target, signal) {
      await gate.enter(signal);
      if (state.permissions.screenRecording === 'missing') {
        throw new DesktopError('permission', message('native.no_screen_recording'), {
          permission: 'screenRecording',
        });
      }
      return draw(state, pictures, target);
    },
    async windowPaint(id, after, signal) {
      for (;;) {
        await gate.enter(signal);
        let stop = (): void => {};
        const changed = new Promise<void>((resolve) => (stop = onChange(resolve)));
        try {
          const paint = paintOf(id);
          if (paint === null || paint.generation !== after) return paint;
          await abortable(changed, signal);
        } finally {
          stop();
        }
      }
    },
    /** Its applications have no processes that could be told of. */
    async untilApplication(_id, _state, signal) {
      await gate.enter(signal);
      return null;
    },
    async secureAreas(signal) {
      await gate.enter(signal);
      // Also those covered by other windows: a picture of their own window shows them.
      return state.stack
        .flatMap(everyElement)
        .filter((element) => element.secure && showing(element))
        .map(frameOnScreen);
    },
  };
}

function draw(state: State, pictures: Pictures, target: CaptureTarget): Capture {
  if (target.kind === 'window') {
    const window = windowById(state, target.windowId);
    if (window.minimized)
      throw new DesktopError('failed', message('native.minimised_no_picture'), { windowId: window.id });
    return pictures.alone(window, scaleAt(state, window.frame));
  }
  if (target.kind === 'region') {
    const { rect } = target;
    if (!(rect.width > 0 && rect.height > 0))
      throw new DesktopError('failed', message('native.region_empty'), { rect });
    const visible = clipToDisplays(state, rect);
    return pictures.area(visible, scaleAt(state, visible));
  }
  const display = state.displays.find((each) =>
    target.displayId === undefined ? each.main : each.id === target.displayId,
  );
  if (display === undefined)
    throw new DesktopError('not_found', message('error.no_such_display_list', { name: target.displayId ?? '' }));
  return pictures.area(display.frame, display.scale);
}

/** The part of a region that lies on the displays. */
function clipToDisplays(state: State, rect: Rect): Rect {
  const visible = intersect(rect, boundingBox(state.displays.map((display) => display.frame)));
  if (visible === null) throw new DesktopError('failed', message('native.region_outside'), { rect });
  return visible;
}

function scaleAt(state: State, rect: Rect): number {
  const inside = state.displays.find(({ frame }) => contains(frame, rect));
  return (inside ?? state.displays[0])?.scale ?? 1;
}
