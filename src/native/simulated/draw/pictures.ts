/** Pictures of the simulated desktop, drawn anew only where something that shows has changed. */
import { LRUCache } from 'lru-cache';
import { overlaps } from '../../../base/rect.js';
import type { Capture, Rect } from '../../desktop.js';
import type { ElementState, SimulatedWindow, State } from '../model.js';
import { drawAlone, drawArea } from './screen.js';

const MAX_PICTURES = 6;

export interface Pictures {
  /** A part of the screen as it shows now. */
  area(area: Rect, scale: number): Capture;
  /** One window alone, whatever covers it. */
  alone(window: SimulatedWindow, scale: number): Capture;
  /** Another number for each change of what `alone` shows, and after the window was minimised. */
  generation(window: SimulatedWindow, scale: number): number;
}

export function createPictures(state: State): Pictures {
  const drawn = new LRUCache<string, Capture>({ max: MAX_PICTURES });
  const generations = new WeakMap<SimulatedWindow, { shown: string; count: number }>();

  function pictureOf(shown: unknown, draw: () => Capture): Capture {
    const key = JSON.stringify(shown);
    const known = drawn.get(key) ?? draw();
    drawn.set(key, known);
    return { ...known, rgb: known.rgb.slice() };
  }

  return {
    area(area, scale) {
      const windows = state.stack.filter((each) => !each.minimized && overlaps(each.frame, area));
      const shown = windows.map((window) => shownOf(state, window));
      const displays = state.displays.map(({ frame }) => frame);
      return pictureOf([area, scale, displays, shown], () => drawArea(state, area, scale));
    },
    alone: (window, scale) => pictureOf([scale, shownOf(state, window)], () => drawAlone(state, window, scale)),
    generation(window, scale) {
      const shown = JSON.stringify([scale, window.timesMinimized, shownOf(state, window)]);
      const last = generations.get(window);
      if (last?.shown === shown) return last.count;
      const count = (last?.count ?? 0) + 1;
      generations.set(window, { shown, count });
      return count;
    },
  };
}

/** All that a picture of the window is drawn from. */
function shownOf(state: State, window: SimulatedWindow): unknown[] {
  const { id, frame, title, focus, elements } = window;
  return [id, frame, title, state.active === window, focus?.id, elements.map(shownElement)];
}

function shownElement({ window: _window, parent: _parent, spec: _spec, children, ...state }: ElementState): unknown[] {
  return [state, children.map(shownElement)];
}
