import { DesktopError, type DesktopActor, type Element, type Platform } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { Verification } from '../pipeline/action.js';
import type { Plan, AskReason } from '../approvals/plan.js';
import type { RunContext } from '../pipeline/context.js';
import { delay, poll } from '../../base/poll.js';
import { clickFrame, withKeys } from './click.js';
import { verifyEffect, type LookUntilOver } from '../pipeline/verify/effect.js';
import { setDate, typedDate, withoutZeros } from './date-text.js';
import { chordFrom, leavesWindow, pressesEnter, type Chord } from './key-names.js';
import { nameOf, type PlanDescription } from '../pipeline/target/plans.js';
import { message } from '../../messages/index.js';

type TypingMethod = 'accessibility' | 'keys' | 'paste';

interface Typing {
  text: string;
  clearBefore: boolean;
  /** Paste only on request; otherwise the first method that works: accessibility, then keys. */
  paste: boolean;
  /** Delay between characters; more than 0 means that keys are used. */
  delayMs?: number;
  /** Held down while typing, so that each character is a shortcut. */
  modifiers?: readonly string[];
  /** The beginning of the text is what the whole field is to show. */
  date?: string;
}

const READ_BACK_MS = 800;
const REST_MS = 1000;
/** Enter and Tab, which may leave a field or empty it. */
const LEAVING = /[\n\r\t]/;

/** Enter or Tab with more text behind it. */
const LEAVING_WITHIN = /[\n\r\t]+[^\n\r\t]/;

/**
 * Refuses text of which a part would go elsewhere: Enter and Tab leave a field of one line, and Tab leaves a text area of a page, unless
 * the page takes it as text, which only the caller can know. Pasted text stays where it is.
 */
export function assertStaysInField(
  { target, window }: Pick<Plan, 'target' | 'window'>,
  { text, paste, delayMs = 0, modifiers = [] }: Omit<Typing, 'clearBefore'>,
): void {
  const element = target.kind === 'focus' || target.kind === 'element' ? target.element : null;
  if (element === null || !element.states.editable || paste || modifiers.length > 0) return;
  const inPage = window?.documentUrl !== null;
  // Enter begins the next one. A shape on a slide, which is about to be edited, loses it.
  const isParagraph = element.nativeRole === 'paragraph' && !inPage;
  const area = element.role === 'AXTextArea' || isParagraph;
  const tabLeaves = isParagraph || (window !== null && inPage && delayMs === 0);
  const leaving = !area ? LEAVING_WITHIN : tabLeaves ? /\t+[^\t]/ : null;
  if (leaving?.test(text) === true)
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.leaves_field', { name: nameOf(element) }), {
      reason: 'leaves_field',
      next: area ? PASTE_TABS : ONE_FIELD_A_CALL,
    });
}

const PASTE_TABS = 'Type it with paste: true. If the page itself takes tabs as text, set char_delay.';
const ONE_FIELD_A_CALL =
  'Write what each field is to hold in a call of its own; press_key enter or tab goes on to the next one.';

/** Types into `element`, or into the focused one, and reads the field back. */
export async function typeInto(
  ctx: RunContext,
  element: Element | null,
  given: Typing,
  signal: AbortSignal,
): Promise<{ method: TypingMethod; effect: Verification }> {
  let method: TypingMethod = 'keys';
  const typing = element === null ? given : asShown(element, given);
  const type = async () => {
    method = await write(ctx, element, typing, signal);
    ctx.trace({ step: 'type', way: method, characters: [...typing.text].length });
  };
  const shortcuts = (typing.modifiers ?? []).length > 0;
  const read = async (lookUntilOver: LookUntilOver) =>
    element === null || shortcuts ? null : readBack(ctx, element, typing, { lookUntilOver, signal });
  const effect = await verifyEffect(ctx, type, signal, read);
  return { method, effect };
}

/** A whole date or time is written as the field shows it: of its keys a field of Qt takes each for one of its parts. */
function asShown(element: Element, typing: Typing): Typing {
  const { text, paste, delayMs = 0, modifiers = [] } = typing;
  if (paste || delayMs > 0 || modifiers.length > 0) return typing;
  const [line = ''] = text.split(LEAVING);
  const date = typedDate(element, line);
  return date === null ? typing : { ...typing, text: date + text.slice(line.length), date };
}

async function write(
  ctx: RunContext,
  element: Element | null,
  typing: Typing,
  signal: AbortSignal,
): Promise<TypingMethod> {
  if (
    element !== null &&
    element.states.editable &&
    !needsKeys(typing, element) &&
    (await byAccessibility(ctx.desktop, element, typing, signal))
  )
    return 'accessibility';
  if (element !== null && typing.date !== undefined) {
    await setDate(ctx.desktop, element, typing.date, signal);
    const leaving = typing.text.slice(typing.date.length);
    if (leaving !== '') await ctx.desktop.typeText(leaving, signal);
    return 'accessibility';
  }
  if (element !== null) await focusField(ctx.desktop, element, signal);
  if (typing.clearBefore) await clearByKeys(ctx.desktop, signal);
  if (!typing.paste) {
    if (element !== null && beginsEditing(typing, element)) await fromFirst(ctx, element, typing, signal);
    else await byKeys(ctx.desktop, typing, signal);
    return 'keys';
  }
  const pid = ctx.plan?.window?.app.pid ?? element?.pid;
  if (pid === undefined) throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.nothing_to_paste_into'));
  const { restored } = await ctx.desktop.paste(typing.text, pid, signal);
  ctx.trace({ step: 'paste', restored });
  return 'paste';
}

/** Of what is no field, such as a shape of a slide, the first character can open an editor. */
const beginsEditing = ({ delayMs = 0, modifiers = [] }: Typing, { states }: Element): boolean =>
  !states.editable && delayMs === 0 && modifiers.length === 0;

/** LibreOffice handles keys that come while its editor is new in another order, so what follows the first is inserted where that can be. */
async function fromFirst(ctx: RunContext, element: Element, typing: Typing, signal: AbortSignal): Promise<void> {
  const { desktop, plan } = ctx;
  const [first = ''] = typing.text;
  const text = typing.text.slice(first.length);
  await desktop.typeText(first, signal);
  if (text === '') return;
  if (plan?.window != null) {
    await desktop.untilApplication(plan.window.id, 'read', signal);
    // Some never rest.
    const soon = AbortSignal.any([signal, AbortSignal.timeout(REST_MS)]);
    await desktop.untilApplication(plan.window.id, 'rest', soon).catch(() => signal.throwIfAborted());
  }
  const editor = await desktop.focusedElement(signal);
  const isOwn = editor !== null && editor.pid === element.pid && editor.states.editable && !editor.states.secure;
  const following = { ...typing, text, clearBefore: false };
  if (isOwn && !needsKeys(following, editor) && (await byAccessibility(desktop, editor, following, signal))) return;
  await byKeys(desktop, following, signal);
}

/** In a one-line field Enter and Tab must be key presses: inserted as text they do nothing. */
function needsKeys({ text, paste, delayMs = 0, modifiers = [] }: Typing, { role }: Element): boolean {
  return paste || delayMs > 0 || modifiers.length > 0 || (role !== 'AXTextArea' && LEAVING.test(text));
}

async function byKeys(
  desktop: DesktopActor,
  { text, delayMs = 0, modifiers = [] }: Typing,
  signal: AbortSignal,
): Promise<void> {
  if (delayMs === 0 && modifiers.length === 0) return desktop.typeText(text, signal);
  const type = async (character: string) => {
    if (modifiers.length === 0) return desktop.typeText(character, signal);
    for (const key of chordFrom(character, modifiers).keys) {
      await desktop.key(key, true, signal);
      await desktop.key(key, false, signal);
    }
  };
  await withKeys(desktop, modifiers, signal, async () => {
    for (const [index, character] of [...text.replaceAll('\r\n', '\n')].entries()) {
      if (index > 0 && delayMs > 0) await delay(delayMs, signal);
      await type(character);
    }
  });
}

async function byAccessibility(
  desktop: DesktopActor,
  element: Element,
  { text, clearBefore }: Typing,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await (clearBefore ? desktop.setValue(element.id, text, signal) : desktop.insertText(element.id, text, signal));
    return true;
  } catch (thrown) {
    if (thrown instanceof DesktopError && thrown.code === 'unsupported') return false;
    throw thrown;
  }
}

/** Throws where the field cannot be focused, so that text never goes elsewhere. */
export async function focusField(desktop: DesktopActor, element: Element, signal: AbortSignal): Promise<void> {
  try {
    await desktop.focusElement(element.id, signal);
  } catch (thrown) {
    if (!(thrown instanceof DesktopError) || (thrown.code !== 'failed' && thrown.code !== 'unsupported')) throw thrown;
    if (thrown.code === 'unsupported' && (await takesClick(desktop, element, signal))) return;
    throw new WireError(
      'DESKTOP_ELEMENT_NOT_FOUND',
      message('error.focus_not_taken', { name: nameOf(element), why: thrown.text }),
      { reason: 'not_focused', next: 'Click the field first, or name another one.' },
    );
  }
}

/** For toolkits that cannot focus an element (GTK 4): clicks the field. */
async function takesClick(desktop: DesktopActor, element: Element, signal: AbortSignal): Promise<boolean> {
  if (!element.states.editable) return false;
  await clickFrame(desktop, element, signal);
  const focused = async () => ((await desktop.element(element.id, signal)).states.focused ? true : null);
  return (await poll(focused, READ_BACK_MS, signal, 40)) === true;
}

export async function clearByKeys(desktop: DesktopActor, signal: AbortSignal): Promise<void> {
  const command = desktop.platform === 'macos' ? 'cmd' : 'ctrl';
  await desktop.key(command, true, signal);
  await desktop.key('a', true, signal);
  await desktop.key('a', false, signal);
  await desktop.key(command, false, signal);
  await desktop.key('backspace', true, signal);
  await desktop.key('backspace', false, signal);
}

/**
 * null where the field cannot be read, or its text may have left it. A field that holds something else once its application rests (a
 * mask, a calculator) has made of the text what it makes of it.
 */
async function readBack(
  { desktop }: Pick<RunContext, 'desktop'>,
  element: Element,
  { text, clearBefore, date }: Typing,
  { lookUntilOver, signal }: { lookUntilOver: LookUntilOver; signal: AbortSignal },
): Promise<Verification | null> {
  const wanted = textHeld(element, text);
  if (element.states.secure || wanted === null) return null;
  const before = element.value;
  if (date !== undefined) {
    const now = (await desktop.element(element.id, signal).catch(() => null))?.value ?? null;
    const same = now !== null && withoutZeros(now) === withoutZeros(date);
    return LEAVING.test(text) && !same ? null : { effect: same ? 'confirmed' : 'unverified', before, after: now };
  }
  const fits = (value: string) => (clearBefore ? value === wanted : value !== before && value.includes(wanted));
  const read = async () => (await desktop.element(element.id, signal).catch(() => null))?.value ?? null;
  const look = async () => {
    const value = await read();
    return value !== null && fits(value) ? value : null;
  };
  const { seen, soon } = await lookUntilOver(look, READ_BACK_MS, async () => (await read()) !== before);
  if (seen !== null) return { effect: 'confirmed', before, after: seen };
  const value = await read();
  if (value === null || LEAVING.test(text)) return null;
  return { effect: value === before && !soon ? 'no_change' : 'unverified', before, after: value };
}

/** What a field holds of a text: in one line, nothing from the first key on that leaves it; null where more follows that. */
function textHeld({ role }: Element, text: string): string | null {
  if (role === 'AXTextArea') return text;
  const [line = '', ...more] = text.split(LEAVING);
  return more.some((part) => part !== '') ? null : line;
}

// Why text and keys are asked about even under a grant.

type Asks = Pick<PlanDescription, 'alwaysAsk' | 'asksFor' | 'breaksLines'>;

const askedFor = (asksFor: AskReason): Asks => ({ alwaysAsk: true, asksFor });

/** Of text that is typed or written: a line break is the Enter key. */
export function typedAsk(text: string): Asks {
  if (/[^\P{Cc}\n]/u.test(text)) return askedFor('control');
  return text.includes('\n') ? { breaksLines: true } : {};
}

/** Of keys that are pressed at once. */
export function chordsAsk(chords: readonly Chord[], platform: Platform): Asks {
  if (chords.some((chord) => leavesWindow(chord, platform))) return askedFor('beyond');
  return chords.some(pressesEnter) ? askedFor('enter') : {};
}

/** Of characters that are each pressed with modifiers. */
export const shortcutsAsk = (text: string, chords: readonly Chord[], platform: Platform): Asks =>
  /\p{Cc}/u.test(text) ? askedFor('enter') : chordsAsk(chords, platform);

/** Of one chord: Enter alone is a line break in a text area. */
export function pressAsks(chord: Chord, platform: Platform): Asks {
  const asks = chordsAsk([chord], platform);
  const plain = chord.modifiers.length === 0 && chord.keys.length === 1;
  return asks.asksFor === 'enter' && plain ? { breaksLines: true } : asks;
}
