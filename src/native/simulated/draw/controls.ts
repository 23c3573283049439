/** How each control looks in each of its states: enabled, pressed, focused, checked, and with its text. */
import { boundingBox, intersect } from '../../../base/rect.js';
import type { Rect } from '../../desktop.js';
import { frameOnScreen, isText, type ElementState } from '../model.js';
import { LINE_HEIGHT, PADDING, wrapLines, shownText, visibleLines, type WrappedLine } from '../scrolling.js';
import { selection } from '../text.js';
import type { Canvas, Colour } from './canvas.js';
import { widthOf } from './font.js';
import { PALETTE } from './palette.js';

/** The elements that are drawn, each before its children. */
export function drawnElements(elements: readonly ElementState[]): ElementState[] {
  return elements.flatMap((element) => {
    if (!element.visible) return [];
    return [element, ...(element.expanded === false ? [] : drawnElements(element.children))];
  });
}

/** Nothing of the element alone is drawn outside of it. */
export function boundsOf(element: ElementState): Rect {
  const frame = frameOnScreen(element);
  return element.spec.role === 'AXCheckBox' ? boundingBox([frame, boxOf(frame)]) : frame;
}

/** Without its children. */
export function drawElement(canvas: Canvas, element: ElementState, focused: boolean, clip: Rect): void {
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
