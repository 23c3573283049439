import { DesktopError, type DesktopActor, type DesktopReader, type Element } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { Verification } from '../pipeline/action.js';
import type { RunContext } from '../pipeline/context.js';
import { delay, poll } from '../../base/poll.js';
import { clickFrame, withKeys } from './click.js';
import { verifyEffect } from '../pipeline/verify/effect.js';
import { chordFrom } from './key-names.js';
import { nameOf } from '../pipeline/target/plans.js';
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
}

const READ_BACK_MS = 800;

/** Types into `element`, or into the focused one, and reads the field back. */
export async function typeInto(
  ctx: RunContext,
  element: Element | null,
  typing: Typing,
  signal: AbortSignal,
): Promise<{ method: TypingMethod; effect: Verification }> {
  let method: TypingMethod = 'keys';
  const before = element?.value ?? null;
  const seen = await verifyEffect(
    ctx,
    async () => {
      method = await write(ctx, element, typing, signal);
    },
    signal,
  );
  const shortcuts = (typing.modifiers ?? []).length > 0;
  const after = element === null || shortcuts ? null : await readBack(ctx.desktop, element, typing, before, signal);
  ctx.trace({ step: 'type', way: method, characters: [...typing.text].length });
  if (after === null) return { method, effect: seen };
  const effect = after.fits ? 'confirmed' : after.value === before ? 'no_change' : 'unverified';
  return { method, effect: { effect, before, after: after.value } };
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
  if (element !== null) await focusField(ctx.desktop, element, signal);
  if (typing.clearBefore) await clearByKeys(ctx.desktop, signal);
  if (!typing.paste) {
    await byKeys(ctx.desktop, typing, signal);
    return 'keys';
  }
  const pid = ctx.plan?.window?.app.pid ?? element?.pid;
  if (pid === undefined) throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.nothing_to_paste_into'));
  const { restored } = await ctx.desktop.paste(typing.text, pid, signal);
  ctx.trace({ step: 'paste', restored });
  return 'paste';
}

/** In a one-line field Enter and Tab must be key presses: inserted as text they do nothing. */
function needsKeys({ text, paste, delayMs = 0, modifiers = [] }: Typing, { role }: Element): boolean {
  return paste || delayMs > 0 || modifiers.length > 0 || (role !== 'AXTextArea' && /[\n\r\t]/.test(text));
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
      {
        reason: 'not_focused',
        next: 'Click the field first, or name another one.',
      },
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

async function readBack(
  desktop: DesktopReader,
  element: Element,
  typing: Typing,
  before: string | null,
  signal: AbortSignal,
): Promise<{ value: string; fits: boolean } | null> {
  if (element.states.secure) return null;
  const fits = (value: string) =>
    typing.clearBefore ? value === typing.text : value !== before && value.includes(typing.text);
  const read = async () => (await desktop.element(element.id, signal).catch(() => null))?.value ?? null;
  const good = await poll(
    async () => {
      const value = await read();
      return value !== null && fits(value) ? value : null;
    },
    READ_BACK_MS,
    signal,
    40,
  );
  if (good !== null) return { value: good, fits: true };
  const value = await read();
  return value === null ? null : { value, fits: false };
}
