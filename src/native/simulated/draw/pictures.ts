/** Pictures of the simulated desktop, drawn anew only where something that shows has changed. */
import { LRUCache } from 'lru-cache';
import type { Capture, Rect } from '../../desktop.js';
import { type SimulatedWindow, type State, TITLE_BAR, type ElementState, frameOnScreen, isText } from '../model.js';
import { boundingBox, overlaps, intersect, isSame } from '../../../base/rect.js';
import { type Canvas, createCanvas, type Colour } from './canvas.js';
import { widthOf } from './font.js';
import { LINE_HEIGHT, PADDING, wrapLines, shownText, visibleLines, type WrappedLine } from '../controls.js';
import { selection } from '../text.js';

const MAX_DRAWINGS = 6;

export type Pictures = ReturnType<typeof createPictures>;

export function createPictures(state: State) {
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
    /** A part of the screen as it shows now. */
    area: (area: Rect, scale: number): Capture =>
      picture({ area, scale, displays: state.displays.map(({ frame }) => frame) }, partsOfArea(state, area)),
    /** One window alone, whatever covers it. */
    alone: (window: SimulatedWindow, scale: number): Capture =>
      picture({ area: window.frame, scale, displays: [window.frame], id: window.id }, partsOfWindow(state, window)),
    /** Another number for each change of what `alone` shows, and after the window was minimised. */
    generation(window: SimulatedWindow, scale: number): number {
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

// The simulated desktop in parts: wallpaper, windows from the bottom up, their controls and their words.

function drawWallpaper(canvas: Canvas, area: Rect, displays: readonly Rect[]): void {
  canvas.fill(area, PALETTE.outside);
  for (const display of displays) canvas.fill(display, PALETTE.wallpaper);
}

/** What shows in a part of the screen. */
function partsOfArea(state: State, area: Rect): Part[] {
  const windows = state.stack.filter((each) => !each.minimized && overlaps(each.frame, area));
  return windows.reverse().flatMap((window) => partsOfWindow(state, window));
}

/** The window, then its elements. */
function partsOfWindow(state: State, window: SimulatedWindow): Part[] {
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

// A picture that is kept, and drawn on only where something that shows has changed.

/** Something that is drawn by itself: a window without its elements, or an element. */
interface Part {
  /** Nothing is drawn outside of it. */
  bounds: Rect;
  /** Another text wherever something else would be drawn. */
  shown: string;
  draw(canvas: Canvas): void;
}

interface Drawing {
  /** The picture of these parts, from the lowest up. It is drawn on again by the next call. */
  show(parts: readonly Part[]): Capture;
}

function createDrawing(area: Rect, scale: number, drawBackground: (canvas: Canvas) => void): Drawing {
  const canvas = createCanvas(area, scale);
  let shown: readonly Part[] | null = null;
  return {
    show(parts) {
      const changed = shown === null ? area : changedArea(shown, parts);
      shown = parts;
      const drawn = changed === null ? null : intersect(changed, area);
      if (drawn === null) return canvas.result();
      canvas.clip(drawn);
      drawBackground(canvas);
      for (const part of parts) if (overlaps(part.bounds, drawn)) part.draw(canvas);
      return canvas.result();
    },
  };
}

/** What lies in none of the parts that differ is covered by the same parts in the same order. null: nothing differs. */
function changedArea(before: readonly Part[], now: readonly Part[]): Rect | null {
  const differing: Rect[] = [];
  for (let index = 0; index < Math.max(before.length, now.length); index += 1) {
    const [old, present] = [before[index], now[index]];
    if (old !== undefined && present !== undefined && isSamePart(old, present)) continue;
    if (old !== undefined) differing.push(old.bounds);
    if (present !== undefined) differing.push(present.bounds);
  }
  return differing.length === 0 ? null : boundingBox(differing);
}

const isSamePart = (one: Part, other: Part): boolean => one.shown === other.shown && isSame(one.bounds, other.bounds);

// How each control looks in each of its states: enabled, pressed, focused, checked, and with its text.

/** The elements that are drawn, each before its children. */
function drawnElements(elements: readonly ElementState[]): ElementState[] {
  return elements.flatMap((element) => {
    if (!element.visible) return [];
    return [element, ...(element.expanded === false ? [] : drawnElements(element.children))];
  });
}

/** Nothing of the element alone is drawn outside of it. */
function boundsOf(element: ElementState): Rect {
  const frame = frameOnScreen(element);
  return element.spec.role === 'AXCheckBox' ? boundingBox([frame, boxOf(frame)]) : frame;
}

/** Without its children. */
function drawElement(canvas: Canvas, element: ElementState, focused: boolean, clip: Rect): void {
  const frame = frameOnScreen(element);
  const { role } = element.spec;
  if (role === 'AXButton') drawButton(canvas, element, frame, focused);
  else if (role === 'AXCheckBox') drawCheckBox(canvas, element, frame, focused);
  else if (isText(element)) drawText(canvas, element, frame, focused);
  else if (role === 'AXGroup' || role === 'AXList') canvas.fill(frame, PALETTE.group, 6);
  else drawLabel(canvas, element, frame, clip);
}

function drawButton(canvas: Canvas, element: ElementState, frame: Rect, focused: boolean): void {
  const { isDefault } = element.spec;
  const fill = isDefault
    ? element.pressed
      ? PALETTE.accentPressed
      : PALETTE.accent
    : element.pressed
      ? PALETTE.buttonPressed
      : PALETTE.button;
  const colour = !element.enabled ? PALETTE.faint : isDefault ? PALETTE.onAccent : PALETTE.text;
  canvas.frame(frame, focused ? PALETTE.focus : PALETTE.edge, fill, 5, focused ? 2 : 1);
  const left = frame.x + Math.max(4, (frame.width - widthOf(element.title)) / 2);
  canvas.text(element.title, left, baseline(frame), colour, frame);
}

function drawCheckBox(canvas: Canvas, element: ElementState, frame: Rect, focused: boolean): void {
  const box = boxOf(frame);
  const edge = focused ? PALETTE.focus : PALETTE.edge;
  canvas.frame(box, edge, element.checked === true ? PALETTE.accent : PALETTE.field, 4, focused ? 2 : 1);
  if (element.checked === true) canvas.text('✓', box.x + 2.5, box.y + 13, PALETTE.onAccent, box);
  const colour = element.enabled ? PALETTE.text : PALETTE.faint;
  canvas.text(element.title, frame.x + 24, baseline(frame), colour, frame);
}

function boxOf({ x, y, height }: Rect): Rect {
  return { x, y: y + (height - 16) / 2, width: 16, height: 16 };
}

function drawText(canvas: Canvas, element: ElementState, frame: Rect, focused: boolean): void {
  canvas.frame(frame, focused ? PALETTE.focus : PALETTE.edge, PALETTE.field, 5, focused ? 2 : 1);
  const inner = { x: frame.x + 2, y: frame.y + 2, width: frame.width - 4, height: frame.height - 4 };
  const multi = element.spec.role === 'AXTextArea';
  const lines = multi
    ? wrapLines(element).slice(element.scroll, element.scroll + visibleLines(element))
    : wrapLines(element);
  const top = multi ? frame.y + PADDING : frame.y + (frame.height - LINE_HEIGHT) / 2;
  lines.forEach((line, row) => {
    const y = top + row * LINE_HEIGHT;
    if (focused) drawSelection(canvas, element, line, frame.x + PADDING, y, inner);
    const colour = element.enabled ? PALETTE.text : PALETTE.faint;
    canvas.text(line.text, frame.x + PADDING, y + 13.5, colour, inner);
  });
  if (shownText(element) === '' && !focused && !multi) {
    canvas.text(element.title, frame.x + PADDING, top + 13.5, PALETTE.faint, inner);
  }
}

function drawSelection(
  canvas: Canvas,
  element: ElementState,
  line: WrappedLine,
  x: number,
  y: number,
  clip: Rect,
): void {
  if (element.text === null) return;
  const [from, to] = selection(element.text).map((index) =>
    Math.min(line.text.length, Math.max(0, index - line.start)),
  );
  const { caret } = element.text;
  const start = x + widthOf(line.text.slice(0, from));
  const end = x + widthOf(line.text.slice(0, to));
  fillInside(canvas, { x: start, y, width: end - start, height: LINE_HEIGHT }, clip, PALETTE.selection);
  const here = caret >= line.start && caret <= line.start + line.text.length;
  const left = x + widthOf(line.text.slice(0, caret - line.start));
  if (here) fillInside(canvas, { x: left, y: y + 1, width: 1, height: LINE_HEIGHT - 2 }, clip, PALETTE.text);
}

function fillInside(canvas: Canvas, rect: Rect, clip: Rect, colour: Colour): void {
  const shown = intersect(rect, clip);
  if (shown !== null) canvas.fill(shown, colour);
}

function drawLabel(canvas: Canvas, element: ElementState, frame: Rect, clip: Rect): void {
  const shown = intersect(frame, clip);
  if (shown === null) return;
  if (element.selected === true) canvas.fill(shown, PALETTE.selection);
  const sign = element.expanded === null ? '' : element.expanded ? '− ' : '+ ';
  const words = sign + (element.text?.value ?? element.title);
  const colour = element.spec.role === 'AXLink' ? PALETTE.accent : element.enabled ? PALETTE.text : PALETTE.faint;
  canvas.text(words, frame.x, baseline(frame), colour, shown);
}

function baseline(frame: Rect): number {
  return Math.round(frame.y + frame.height / 2 + 4.5);
}

const PALETTE = {
  outside: [0, 0, 0],
  wallpaper: [74, 101, 130],
  window: [246, 246, 247],
  windowEdge: [176, 176, 182],
  titleBar: [228, 228, 232],
  titleBarInactive: [242, 242, 244],
  close: [236, 106, 94],
  minimize: [244, 191, 79],
  idleDot: [208, 208, 212],
  text: [29, 29, 31],
  faint: [134, 134, 139],
  group: [236, 236, 239],
  field: [255, 255, 255],
  edge: [196, 196, 201],
  focus: [0, 113, 227],
  selection: [179, 215, 255],
  button: [255, 255, 255],
  buttonPressed: [203, 203, 209],
  accent: [0, 113, 227],
  accentPressed: [0, 80, 165],
  onAccent: [255, 255, 255],
} as const satisfies Record<string, Colour>;
