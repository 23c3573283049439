import type { Display, Rect } from '../../desktop.js';
import type { WindowReader } from './window-model.js';

/** All of it, whatever the monitors show. It changes with them. */
export function screenOf(reader: WindowReader): Rect {
  const { width, height } = reader.geometry(reader.root) ?? { width: 0, height: 0 };
  return { x: 0, y: 0, width, height };
}

/** The monitors, main one first. X has one coordinate system in pixels, so the scale is 1. */
export function listDisplays(reader: WindowReader): Display[] {
  const found = reader.monitors() ?? [];
  if (found.length === 0) return [{ id: 'screen', name: 'screen', frame: screenOf(reader), scale: 1, main: true }];
  const main = found.find(({ primary }) => primary) ?? found.find(({ frame }) => frame.x === 0 && frame.y === 0);
  const chosen = main ?? found[0];
  const named = found.map((monitor) => {
    const name = reader.atomName(monitor.name);
    return { id: name, name, frame: monitor.frame, scale: 1, main: monitor === chosen };
  });
  return named.sort((a, b) => Number(b.main) - Number(a.main));
}
