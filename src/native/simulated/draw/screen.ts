/** The simulated desktop in parts: wallpaper, windows from the bottom up, their controls and their words. */
import { boundingBox, overlaps } from '../../../base/rect.js';
import type { Rect } from '../../desktop.js';
import { TITLE_BAR, type ElementState, type State, type SimulatedWindow } from '../model.js';
import type { Canvas } from './canvas.js';
import { PALETTE } from './palette.js';
import { boundsOf, drawElement, drawnElements } from './controls.js';
import type { Part } from './drawing.js';
import { widthOf } from './font.js';

export function drawWallpaper(canvas: Canvas, area: Rect, displays: readonly Rect[]): void {
  canvas.fill(area, PALETTE.outside);
  for (const display of displays) canvas.fill(display, PALETTE.wallpaper);
}

/** What shows in a part of the screen. */
export function partsOfArea(state: State, area: Rect): Part[] {
  const windows = state.stack.filter((each) => !each.minimized && overlaps(each.frame, area));
  return windows.reverse().flatMap((window) => partsOfWindow(state, window));
}

/** The window, then its elements. */
export function partsOfWindow(state: State, window: SimulatedWindow): Part[] {
  const active = state.active === window;
  const { id, frame, title } = window;
  const content = {
    x: frame.x + 1,
    y: frame.y + TITLE_BAR,
    width: frame.width - 2,
    height: frame.height - TITLE_BAR - 1,
  };
  return [
    {
      bounds: boundingBox([frame, ...buttonsOf(frame)]),
      shown: JSON.stringify([id, frame, title, active]),
      draw: (canvas) => drawWindow(canvas, window, active, content),
    },
    ...drawnElements(window.elements).map((element) => partOfElement(element, active, content)),
  ];
}

function partOfElement(element: ElementState, active: boolean, content: Rect): Part {
  const focused = active && element.window.focus === element;
  return {
    bounds: boundsOf(element),
    shown: JSON.stringify([shownState(element), focused]),
    draw: (canvas) => drawElement(canvas, element, focused, content),
  };
}

function shownState({ window: _window, parent: _parent, spec: _spec, children: _children, ...state }: ElementState) {
  return state;
}

/** Closes, and minimises. */
const buttonsOf = ({ x, y }: Rect): [Rect, Rect] => [
  { x: x + 9, y: y + 8, width: 12, height: 12 },
  { x: x + 29, y: y + 8, width: 12, height: 12 },
];

function drawWindow(canvas: Canvas, { frame, title }: SimulatedWindow, active: boolean, content: Rect): void {
  const [close, minimize] = buttonsOf(frame);
  canvas.frame(frame, PALETTE.windowEdge, active ? PALETTE.titleBar : PALETTE.titleBarInactive, 8);
  canvas.fill(content, PALETTE.window, 6);
  canvas.fill({ ...content, height: Math.min(content.height, 12) }, PALETTE.window);
  canvas.fill({ x: frame.x, y: frame.y + TITLE_BAR - 1, width: frame.width, height: 1 }, PALETTE.windowEdge);
  canvas.fill(close, active ? PALETTE.close : PALETTE.idleDot, 6);
  canvas.fill(minimize, active ? PALETTE.minimize : PALETTE.idleDot, 6);
  const room = { x: frame.x + 48, y: frame.y, width: Math.max(0, frame.width - 56), height: TITLE_BAR };
  const left = frame.x + Math.max(48, (frame.width - widthOf(title)) / 2);
  canvas.text(title, left, frame.y + 19, active ? PALETTE.text : PALETTE.faint, room);
}
