/** Pictures of the simulated desktop, drawn anew only where something that shows has changed. */
import { LRUCache } from 'lru-cache';
import type { Capture, Rect } from '../../desktop.js';
import type { SimulatedWindow, State } from '../model.js';
import { createDrawing, type Drawing, type Part } from './drawing.js';
import { drawWallpaper, partsOfArea, partsOfWindow } from './screen.js';

const MAX_DRAWINGS = 6;

export interface Pictures {
  /** A part of the screen as it shows now. */
  area(area: Rect, scale: number): Capture;
  /** One window alone, whatever covers it. */
  alone(window: SimulatedWindow, scale: number): Capture;
  /** Another number for each change of what `alone` shows, and after the window was minimised. */
  generation(window: SimulatedWindow, scale: number): number;
}

export function createPictures(state: State): Pictures {
  const drawings = new LRUCache<string, Drawing>({ max: MAX_DRAWINGS });
  const generations = new WeakMap<SimulatedWindow, { shown: string; count: number }>();

  function picture(view: { area: Rect; scale: number; displays: Rect[]; id?: string }, parts: Part[]): Capture {
    const key = JSON.stringify(view);
    const { area, scale, displays } = view;
    const drawing = drawings.get(key) ?? createDrawing(area, scale, (canvas) => drawWallpaper(canvas, area, displays));
    drawings.set(key, drawing);
    const shown = drawing.show(parts);
    return { ...shown, rgb: shown.rgb.slice() };
  }

  return {
    area: (area, scale) =>
      picture({ area, scale, displays: state.displays.map(({ frame }) => frame) }, partsOfArea(state, area)),
    alone: (window, scale) =>
      picture({ area: window.frame, scale, displays: [window.frame], id: window.id }, partsOfWindow(state, window)),
    generation(window, scale) {
      const parts = partsOfWindow(state, window).map(({ shown }) => shown);
      const shown = JSON.stringify([scale, window.timesMinimized, parts]);
      const last = generations.get(window);
      if (last?.shown === shown) return last.count;
      const count = (last?.count ?? 0) + 1;
      generations.set(window, { shown, count });
      return count;
    },
  };
}
