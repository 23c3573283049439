import { DesktopError } from '../../desktop.js';
import type { AccessibilityBus, Ref } from './bus.js';
import { ROLE, type AccessibleObject, has, STATE } from './accessible-object.js';
import type { ObjectReader } from './object-reader.js';
import { readToolkit } from './toolkit.js';
import { message } from '../../../messages/index.js';

const MAX_CHARACTERS = 1_000_000;

/** `short`: a text of no great length, of a toolkit that takes -1 for its end, as GTK 4 does not. */
export async function readObjectText(
  bus: Pick<AccessibilityBus, 'call' | 'property'>,
  ref: Ref,
  signal?: AbortSignal,
  short = false,
): Promise<string> {
  const options = signal === undefined ? {} : { signal };
  const count = short ? -1 : await bus.property(ref, 'Text.CharacterCount', options);
  if (typeof count !== 'number' || count === 0 || (count < 0 && !short)) return '';
  const body = [0, Math.min(count, MAX_CHARACTERS)];
  const [text] = await bus.call(ref, 'Text.GetText', { ...options, signature: 'ii', body });
  return typeof text === 'string' ? text : '';
}

/** Replaces the whole text, and reads it back. */
export async function setObjectText(
  bus: AccessibilityBus,
  item: AccessibleObject,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  requireEditable(item);
  const body = [value];
  const secret = isPasswordField(item);
  const read = () =>
    secret ? bus.property(item.ref, 'Text.CharacterCount', { signal }) : readObjectText(bus, item.ref, signal);
  const before = await read();
  const [accepted] = await bus.call(item.ref, 'EditableText.SetTextContents', { signature: 's', body, signal });
  if (accepted === false) throw new DesktopError('failed', message('native.text_not_taken'));
  const now = await read();
  const holds = secret ? now === value.length || now === [...value].length : isSameText(String(now), value);
  if (holds) return;
  // Browsers of Mozilla say that they took it, and take keys only.
  if (now === before) throw new DesktopError('unsupported', message('native.text_not_taken'));
  const told = secret ? {} : { value: String(now).slice(0, 200) };
  throw new DesktopError('failed', message('native.other_text'), { reason: 'other_text', ...told });
}

const isSameText = (now: string, value: string): boolean => now === value || now.replaceAll('\u2029', '\n') === value;

/** At the caret, in place of a selection, as typing would do. */
export async function insertText(
  bus: AccessibilityBus,
  reader: ObjectReader,
  ref: Ref,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const item = await reader.item(ref, signal);
  if (!item.interfaces.has('EditableText') || !item.interfaces.has('Text')) {
    throw new DesktopError('unsupported', message('native.no_text'));
  }
  requireEditable(item);
  const [, length] = await Promise.all([deleteSelection(bus, ref, signal), lengthFor(bus, ref, text, signal)]);
  const [caret, before] = await Promise.all([
    bus.property(ref, 'Text.CaretOffset', { signal }),
    bus.property(ref, 'Text.CharacterCount', { signal }),
  ]);
  const at = typeof caret === 'number' && caret >= 0 ? caret : Number(before);
  const body = [at, text, length];
  const [accepted] = await bus.call(ref, 'EditableText.InsertText', { signature: 'isi', body, signal });
  const after = await bus.property(ref, 'Text.CharacterCount', { signal });
  const grown = Number(after) - Number(before);
  if (grown === 0 && text !== '') throw new DesktopError('unsupported', message('native.text_not_taken'));
  // Toolkits count characters or UTF-16 units.
  if (accepted === false || (grown !== [...text].length && grown !== text.length)) {
    throw new DesktopError('failed', message('native.text_in_part', { count: grown, of: [...text].length }));
  }
  await bus.call(ref, 'Text.SetCaretOffset', { signature: 'i', body: [at + grown], signal });
}

async function deleteSelection(bus: AccessibilityBus, ref: Ref, signal: AbortSignal): Promise<void> {
  const [count] = await bus.call(ref, 'Text.GetNSelections', { signal });
  if (typeof count !== 'number' || count <= 0) return;
  const [start, end] = await bus.call(ref, 'Text.GetSelection', { signature: 'i', body: [0], signal });
  if (typeof start !== 'number' || typeof end !== 'number' || start === end) return;
  const body = [Math.min(start, end), Math.max(start, end)];
  await bus.call(ref, 'EditableText.DeleteText', { signature: 'ii', body, signal });
  await bus.call(ref, 'Text.SetCaretOffset', { signature: 'i', body: [body[0]], signal });
}

/** The length argument means bytes to GTK 3, characters to GTK 4, UTF-16 units to Qt. */
async function lengthFor(bus: AccessibilityBus, ref: Ref, text: string, signal: AbortSignal): Promise<number> {
  const toolkit = await readToolkit(bus, ref.bus, signal);
  if (toolkit.name === 'qt') return text.length;
  return toolkit.name === 'gtk' && toolkit.major >= 4 ? [...text].length : Buffer.byteLength(text);
}

function isPasswordField(item: AccessibleObject): boolean {
  return item.role === ROLE.passwordText;
}

function requireEditable(item: AccessibleObject): void {
  if (!has(item.states, STATE.editable) || has(item.states, STATE.readOnly)) {
    throw new DesktopError('unsupported', message('native.element_not_editable'));
  }
  if (!has(item.states, STATE.sensitive) && !has(item.states, STATE.enabled)) {
    throw new DesktopError('failed', message('native.element_disabled_not_written'));
  }
}
