/** Injected pointer and key events. The caller's guard is awaited before each event, and none is sent after it rejects. */
import { DesktopError, type InputGuard, type MouseButton, type PasteResult, type InputInjection } from '../desktop.js';
import { type Gate, editable, isText, record, type State } from './model.js';
import { copyOf, replaceClipboardSilently, isKey, keyDown, keyUp, typeCharacter } from './keyboard.js';
import { deliverEvent } from './controls.js';
import { appOf, windowById } from './accessibility-tree.js';
import { buttonDown, buttonUp, dropAt, moveTo, turnWheel } from './pointer.js';
import { message } from '../../messages/index.js';

export function createInput(state: State, gate: Gate): InputInjection {
  const pressKey = async (key: string, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> => {
    await gate.guarded(guard, signal);
    if (down) keyDown(state, key);
    else keyUp(state, key);
  };

  return {
    async pointer(signal) {
      await gate.enter(signal);
      return { ...state.pointer };
    },
    async movePointer(to, signal) {
      await gate.enter(signal);
      if (!Number.isFinite(to.x) || !Number.isFinite(to.y))
        throw new DesktopError('failed', message('native.point_not_finite'));
      moveTo(state, to);
    },
    async button(button, down, guard, signal) {
      await gate.guarded(guard, signal);
      if (down) buttonDown(state, button);
      else buttonUp(state, button);
    },
    async scroll(delta, guard, signal) {
      await gate.guarded(guard, signal);
      turnWheel(state, delta);
    },
    async key(key, down, guard, signal) {
      await gate.enter(signal);
      if (!isKey(key))
        throw new DesktopError('unsupported', message('native.no_such_key', { key: JSON.stringify(key) }), { key });
      await pressKey(key, down, guard, signal);
    },
    async typeText(text, guard, signal) {
      for (const { segment } of new Intl.Segmenter().segment(text)) {
        await gate.guarded(guard, signal);
        typeCharacter(state, segment);
      }
    },
    paste: (text, pid, guard, signal) => paste(state, gate, pressKey, { text, pid }, guard, signal),
    async dropFiles(paths, windowId, guard, signal) {
      await gate.guarded(guard, signal);
      return { accepted: dropAt(state, windowById(state, windowId), paths) };
    },
    releaseAll(keep = { keys: [], buttons: [] }) {
      for (const key of [...state.heldKeys].toReversed()) if (!keep.keys.includes(key)) keyUp(state, key);
      for (const button of [...state.heldButtons.keys()])
        if (!keep.buttons.includes(button)) cancelPress(state, button);
      return Promise.resolve();
    },
  };
}

type PressKey = (key: string, down: boolean, guard: InputGuard, signal: AbortSignal) => Promise<void>;

async function paste(
  state: State,
  gate: Gate,
  pressKey: PressKey,
  { text, pid }: { text: string; pid: number },
  guard: InputGuard,
  signal: AbortSignal,
): Promise<PasteResult> {
  await gate.enter(signal);
  const app = appOf(state, pid);
  await gate.answering(app, signal);
  assertTakesText(state, pid);
  const before = copyOf(state.clipboard);
  const ownCount = replaceClipboardSilently(state, { text });
  const entries = state.journal.length;
  try {
    for (const [key, down] of [
      ['ctrl', true],
      ['v', true],
      ['v', false],
      ['ctrl', false],
    ] as const)
      await pressKey(key, down, guard, signal);
  } finally {
    for (const key of ['v', 'ctrl']) if (state.heldKeys.has(key)) keyUp(state, key);
    if (state.clipboardCount === ownCount) replaceClipboardSilently(state, before);
  }
  const pasted = state.journal.slice(entries).some((entry) => entry.event === 'pasted' && entry.pid === pid);
  if (!pasted) throw new DesktopError('failed', message('native.paste_not_taken'), { pid });
  return { restored: state.clipboardCount === ownCount + 1 };
}

/** Rejects unless a text of this process has the focus. */
function assertTakesText(state: State, pid: number): void {
  const window = state.active;
  const focus = window?.focus ?? null;
  if (window?.app.pid === pid && focus !== null && isText(focus) && editable(focus)) return;
  throw new DesktopError('failed', message('native.nothing_takes_text'), {
    pid,
  });
}

/** Releases a button without a click: the control under it is not pressed. */
function cancelPress(state: State, button: MouseButton): void {
  const press = state.heldButtons.get(button);
  state.heldButtons.delete(button);
  const window = press?.window ?? null;
  if (press === undefined || window === null) return;
  deliverEvent(window.app, () => {
    record(state, window, press.element, 'pointerup', button);
    if (press.element !== null) press.element.pressed = false;
  });
}
