/** What the pointer does: it raises windows, presses controls, selects text, drags title bars and scrolls. */
import { contains } from '../../base/rect.js';
import type { MouseButton, Point } from '../desktop.js';
import {
  TITLE_BAR,
  focusable,
  frameOnScreen,
  isText,
  record,
  type ElementState,
  type State,
  type SimulatedWindow,
} from './model.js';
import {
  activate,
  deliverEvent,
  isPressable,
  replaceText,
  takeFocus,
  LINE_HEIGHT,
  PADDING,
  wrapLines,
  scrollBy,
} from './controls.js';
import { elementAtPoint, windowAt } from './accessibility-tree.js';
import { minimize, raise, requestClose, setFrame, titleBarButton } from './windows.js';
import { indexAt } from './draw/font.js';
import { place, selectLine, selectWord } from './text.js';

const DOUBLE_CLICK = { ms: 500, points: 4 };

/** The pointer stays on the displays. */
export function moveTo(state: State, to: Point): void {
  state.pointer = onDisplays(state, to);
  const press = state.heldButtons.get('left');
  if (press === undefined || press.window === null) return;
  if (press.dragging !== null) {
    setFrame(state, press.window, {
      x: press.dragging.x + state.pointer.x - press.at.x,
      y: press.dragging.y + state.pointer.y - press.at.y,
    });
  } else if (press.element !== null) placeCaret(state, press.element, true);
}

export function buttonDown(state: State, button: MouseButton): void {
  const at = { ...state.pointer };
  const window = windowAt(state, at);
  const element = window === null ? null : elementAtPoint(window, at);
  const count = countClicks(state, at, button);
  const bar = window !== null && at.y < window.frame.y + TITLE_BAR;
  const dragging = bar && window !== null ? { x: window.frame.x, y: window.frame.y } : null;
  state.heldButtons.set(button, { at, window, element, dragging });
  if (window === null) return;
  raise(state, window);
  deliverEvent(window.app, () => pressed(state, window, element, button, count));
}

export function buttonUp(state: State, button: MouseButton): void {
  const press = state.heldButtons.get(button);
  state.heldButtons.delete(button);
  if (press === undefined || press.window === null) return;
  const { window, element, at } = press;
  const released = { ...state.pointer };
  if (element === null && button === 'left' && titleBarButton(window, at) === titleBarButton(window, released)) {
    if (titleBarButton(window, at) === 'close') return requestClose(state, window);
    if (titleBarButton(window, at) === 'minimize') return minimize(state, window);
  }
  deliverEvent(window.app, () => {
    record(state, window, element, 'pointerup', button);
    if (element === null) return;
    element.pressed = false;
    if (button === 'left' && isPressable(element) && contains(frameOnScreen(element), released))
      activate(state, element);
  });
}

/** Lines; positive y shows what is further down. */
export function turnWheel(state: State, delta: Point): void {
  const window = windowAt(state, state.pointer);
  const element = window === null ? null : elementAtPoint(window, state.pointer);
  if (window === null || element === null || element.spec.role !== 'AXTextArea') return;
  deliverEvent(window.app, () => scrollBy(state, element, delta.y));
}

/** Text areas accept dropped files, as a mail accepts attachments. */
export function dropAt(state: State, window: SimulatedWindow, paths: readonly string[]): boolean {
  const element = windowAt(state, state.pointer) === window ? elementAtPoint(window, state.pointer) : null;
  if (element === null || element.spec.role !== 'AXTextArea') return false;
  deliverEvent(window.app, () => record(state, window, element, 'dropped', paths.join('\n')));
  return true;
}

function pressed(
  state: State,
  window: SimulatedWindow,
  element: ElementState | null,
  button: MouseButton,
  count: number,
): void {
  record(state, window, element, 'pointer', `${button} ${count}`);
  if (element === null || !element.enabled) return;
  if (focusable(element)) takeFocus(state, element);
  if (button !== 'left') return;
  element.pressed = isPressable(element);
  if (!isText(element) || element.text === null) return;
  placeCaret(state, element, false);
  const { caret } = element.text;
  if (count === 2) replaceText(state, element, selectWord(element.text, caret));
  if (count === 3) replaceText(state, element, selectLine(element.text, caret));
}

function placeCaret(state: State, element: ElementState, extend: boolean): void {
  if (!isText(element) || element.text === null) return;
  const frame = frameOnScreen(element);
  const lines = wrapLines(element);
  const row = element.scroll + Math.floor((state.pointer.y - frame.y - PADDING) / LINE_HEIGHT);
  const line = lines[Math.min(lines.length - 1, Math.max(0, row))];
  if (line === undefined) return;
  const caret = line.start + indexAt(line.text, state.pointer.x - frame.x - PADDING);
  replaceText(state, element, place(element.text, caret, extend));
}

function countClicks(state: State, at: Point, button: MouseButton): number {
  const { lastClick: last } = state;
  const time = state.now();
  const again =
    last !== null &&
    last.button === button &&
    time - last.time <= DOUBLE_CLICK.ms &&
    Math.hypot(at.x - last.at.x, at.y - last.at.y) <= DOUBLE_CLICK.points;
  const count = again ? last.count + 1 : 1;
  state.lastClick = { at, button, time, count };
  return count;
}

function onDisplays(state: State, to: Point): Point {
  const nearest = state.displays
    .map(({ frame }) => ({
      x: Math.min(frame.x + frame.width - 1, Math.max(frame.x, to.x)),
      y: Math.min(frame.y + frame.height - 1, Math.max(frame.y, to.y)),
    }))
    .sort((a, b) => Math.hypot(a.x - to.x, a.y - to.y) - Math.hypot(b.x - to.x, b.y - to.y));
  return nearest[0] ?? to;
}
