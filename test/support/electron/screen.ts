import { EventEmitter } from 'node:events';
import type { Point, Rectangle } from 'electron';

interface DisplayStandIn {
  bounds: Rectangle;
  workArea: Rectangle;
}

const MENU_BAR = 24;

export function display(bounds: Rectangle): DisplayStandIn {
  return { bounds, workArea: { ...bounds, y: bounds.y + MENU_BAR, height: bounds.height - MENU_BAR } };
}

/** `electron.screen`: displays side by side, each with a menu bar. As in Electron each answer is an object of its own. */
export class ScreenStandIn extends EventEmitter {
  #displays = [display({ x: 0, y: 0, width: 1600, height: 900 })];

  /** The displays are others from now on, as when one is plugged in or out. */
  replace(event: 'display-added' | 'display-removed' | 'display-metrics-changed', displays: DisplayStandIn[]): void {
    this.#displays = displays;
    this.emit(event);
  }
  getPrimaryDisplay(): DisplayStandIn {
    const [first] = this.#displays;
    if (first === undefined) throw new Error('there is no display');
    return structuredClone(first);
  }
  getDisplayMatching({ x, y }: Rectangle): DisplayStandIn {
    return this.getDisplayNearestPoint({ x, y });
  }
  getDisplayNearestPoint({ x, y }: Point): DisplayStandIn {
    const holds = ({ bounds }: DisplayStandIn) =>
      x >= bounds.x && x < bounds.x + bounds.width && y >= bounds.y && y < bounds.y + bounds.height;
    return structuredClone(this.#displays.find(holds)) ?? this.getPrimaryDisplay();
  }
  getCursorScreenPoint(): Point {
    return { x: 0, y: 0 };
  }
}
