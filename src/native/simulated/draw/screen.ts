/** Draws the simulated desktop: wallpaper, windows from the bottom up, their controls and their words. */
import { overlaps } from '../../../base/rect.js';
import type { Capture, Rect } from '../../desktop.js';
import { TITLE_BAR, type State, type SimulatedWindow } from '../model.js';
import { createCanvas, type Canvas } from './canvas.js';
import { PALETTE } from './palette.js';
import { drawElement } from './controls.js';
import { widthOf } from './font.js';

/** A part of the screen as it shows now. */
export function drawArea(state: State, area: Rect, scale: number): Capture {
  const canvas = createCanvas(area, scale);
  canvas.fill(area, PALETTE.outside);
  for (const display of state.displays) canvas.fill(display.frame, PALETTE.wallpaper);
  for (const window of state.stack.filter((each) => !each.minimized).reverse()) {
    if (overlaps(window.frame, area)) drawWindow(canvas, state, window);
  }
  return canvas.result();
}

/** One window alone, whatever covers it. */
export function drawAlone(state: State, window: SimulatedWindow, scale: number): Capture {
  const canvas = createCanvas(window.frame, scale);
  canvas.fill(window.frame, PALETTE.wallpaper);
  drawWindow(canvas, state, window);
  return canvas.result();
}

function drawWindow(canvas: Canvas, state: State, window: SimulatedWindow): void {
  const active = state.active === window;
  const { frame } = window;
  canvas.frame(frame, PALETTE.windowEdge, active ? PALETTE.titleBar : PALETTE.titleBarInactive, 8);
  const content = {
    x: frame.x + 1,
    y: frame.y + TITLE_BAR,
    width: frame.width - 2,
    height: frame.height - TITLE_BAR - 1,
  };
  canvas.fill(content, PALETTE.window, 6);
  canvas.fill({ ...content, height: Math.min(content.height, 12) }, PALETTE.window);
  canvas.fill({ x: frame.x, y: frame.y + TITLE_BAR - 1, width: frame.width, height: 1 }, PALETTE.windowEdge);
  canvas.fill({ x: frame.x + 9, y: frame.y + 8, width: 12, height: 12 }, active ? PALETTE.close : PALETTE.idleDot, 6);
  canvas.fill(
    { x: frame.x + 29, y: frame.y + 8, width: 12, height: 12 },
    active ? PALETTE.minimize : PALETTE.idleDot,
    6,
  );
  const room = { x: frame.x + 48, y: frame.y, width: Math.max(0, frame.width - 56), height: TITLE_BAR };
  const left = frame.x + Math.max(48, (frame.width - widthOf(window.title)) / 2);
  canvas.text(window.title, left, frame.y + 19, active ? PALETTE.text : PALETTE.faint, room);
  for (const element of window.elements) drawElement(canvas, element, active, content);
}
