/** Sets values and inserts text, and reads them back. */
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import { becomes, requireEnabled } from './actions.js';
import { roleOf, isSecure } from './describe.js';
import { ACTION, ATTRIBUTE, NUMBER_ROLES, ROLE } from './names.js';
import { shownOf, textOf, nullWithoutAnswer, listOf, truthOf } from './answers.js';
import { poll } from '../../../base/poll.js';
import type { Scope } from '../foundation/scope.js';

const KIND = [ATTRIBUTE.role, ATTRIBUTE.subrole] as const;
const MOST_STEPS = 1000;

export async function setValue(core: Core, id: string, value: string, signal: AbortSignal): Promise<void> {
  const ref = core.elements.refOf(id);
  const role = core.scoped((scope) => roleOf(core, scope, ref));
  if (NUMBER_ROLES.has(role)) return setNumber(core, ref, value, signal);
  const isSettable = core.ax.settable(ref, ATTRIBUTE.value);
  if (role === ROLE.popUpButton && !isSettable) return chooseOption(core, ref, value, signal);
  if (!isSettable) throw new DesktopError('unsupported', message('native.no_value'));
  requireEnabled(core, ref, message('native.element_disabled_not_written'));
  const taken = core.scoped((scope) => {
    const text = core.making.text(scope, value);
    return text !== null && core.ax.set(ref, ATTRIBUTE.value, text);
  });
  if (!taken) throw new DesktopError('failed', message('native.text_not_taken'));
  if (isSecureElement(core, ref)) return confirmLength(core, ref, value.length, signal);
  const read = (): string | null => readText(core, ref, ATTRIBUTE.value);
  if (await becomes(() => read() === value, signal)) return;
  throw new DesktopError('failed', message('native.other_text'), { reason: 'limited', value: read()?.slice(0, 200) });
}

/** At the caret, in place of a selection. */
export async function insertText(core: Core, id: string, text: string, signal: AbortSignal): Promise<void> {
  const { ax, making, scoped } = core;
  const ref = core.elements.refOf(id);
  if (!ax.settable(ref, ATTRIBUTE.selectedText)) throw new DesktopError('unsupported', message('native.no_text'));
  requireEnabled(core, ref, message('native.element_disabled_not_written'));
  if (text === '') return;
  const selected = (readText(core, ref, ATTRIBUTE.selectedText) ?? '').length;
  const before = characterCount(core, ref);
  if (before === null) throw new DesktopError('unsupported', message('native.no_text'));
  const taken = scoped((scope) => {
    const given = making.text(scope, text);
    return given !== null && ax.set(ref, ATTRIBUTE.selectedText, given);
  });
  if (!taken) throw new DesktopError('failed', message('native.text_not_taken'));
  await confirmLength(core, ref, before - selected + text.length, signal);
}

async function setNumber(core: Core, ref: Ref, value: string, signal: AbortSignal): Promise<void> {
  const wanted = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(wanted)) {
    throw new DesktopError('failed', message('native.number_only'), { reason: 'not_a_number' });
  }
  requireEnabled(core, ref, message('native.element_disabled_not_set'));
  const isThere = (): boolean => isClose(readNumber(core, ref), wanted);
  if (core.ax.settable(ref, ATTRIBUTE.value)) {
    core.scoped((scope) => {
      const number = core.making.number(scope, wanted);
      return number !== null && core.ax.set(ref, ATTRIBUTE.value, number);
    });
    if (await becomes(isThere, signal)) return;
  } else if (!step(core, ref, wanted)) throw new DesktopError('unsupported', message('native.no_value'));
  if (isThere()) return;
  const now = readNumber(core, ref);
  const details = { reason: 'limited', value: now };
  throw new DesktopError('failed', message('native.other_value', { value: String(now) }), details);
}

/** Steps towards the number; some sliders take nothing else. False where it has no steps. */
function step(core: Core, ref: Ref, wanted: number): boolean {
  const actions = core.ax.actions(ref);
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const now = readNumber(core, ref);
    if (now === null || isClose(now, wanted)) return now !== null;
    const action = now < wanted ? ACTION.increment : ACTION.decrement;
    if (!actions.includes(action)) return steps > 0;
    if (core.ax.perform(ref, action) !== 'done') return true;
    const next = readNumber(core, ref);
    // It stands still, or went past.
    if (next === null || next === now || next < wanted !== now < wanted) return true;
  }
  return true;
}

/** Where a password field does not tell its length, nothing can be confirmed. */
async function confirmLength(core: Core, ref: Ref, length: number, signal: AbortSignal): Promise<void> {
  if (await becomes(() => (characterCount(core, ref) ?? length) === length, signal)) return;
  throw new DesktopError('failed', message('native.text_not_taken'));
}

/** Of a password field too, whose text cannot be read. null where it does not tell. */
function characterCount(core: Core, ref: Ref): number | null {
  const count = core.scoped((scope) => core.ax.attribute(scope, ref, ATTRIBUTE.characterCount));
  if (count?.kind === 'number') return count.number;
  return isSecureElement(core, ref) ? null : (readText(core, ref, ATTRIBUTE.value)?.length ?? null);
}

const isSecureElement = ({ ax, scoped }: Core, ref: Ref): boolean =>
  scoped((scope) => {
    const [role, subrole] = ax.attributes(scope, ref, KIND);
    return isSecure(textOf(role) ?? 'AXUnknown', subrole);
  });

const readText = ({ ax, scoped }: Core, ref: Ref, name: string): string | null =>
  scoped((scope) => textOf(ax.attribute(scope, ref, name)));

function readNumber({ ax, scoped }: Core, ref: Ref): number | null {
  const shown = scoped((scope) => shownOf(ax.attribute(scope, ref, ATTRIBUTE.value)));
  return shown === null || shown.trim() === '' || !Number.isFinite(Number(shown)) ? null : Number(shown);
}

const isClose = (now: number | null, wanted: number): boolean =>
  now !== null && Math.abs(now - wanted) <= 1e-6 + Math.abs(wanted) * 1e-6;

type Look = { state: 'pressed' | 'disabled' } | { state: 'missing'; options: string[] };

const MENU_LIMIT_MS = 1500;
const LOOK_MS = 25;
const MOST_TOLD = 50;
const ITEM = [ATTRIBUTE.title, ATTRIBUTE.enabled] as const;

/** Options of a pop-up button. They show only in its menu, which is opened, and closed again where nothing was chosen. */
async function chooseOption(core: Core, ref: Ref, value: string, signal: AbortSignal): Promise<void> {
  requireEnabled(core, ref, message('native.element_disabled_not_set'));
  const isChosen = (): boolean =>
    core.scoped((scope) => textOf(core.ax.attribute(scope, ref, ATTRIBUTE.value))) === value;
  if (isChosen()) return;
  // Where the press does not come back in time the menu is open all the same: it lasts as long as its menu.
  if (core.ax.perform(ref, ACTION.press) === 'unsupported') {
    throw new DesktopError('unsupported', message('native.options_not_choosable'));
  }
  let chosen = false;
  try {
    const look = await poll(async () => pressOption(core, ref, value), MENU_LIMIT_MS, signal, LOOK_MS);
    requirePressed(look, value);
    chosen = await becomes(isChosen, signal);
  } finally {
    if (!chosen) closeMenu(core, ref);
  }
  if (!chosen) throw new DesktopError('failed', message('native.not_chosen', { value }));
}

function requirePressed(look: Look | null, value: string): void {
  if (look === null) throw new DesktopError('unsupported', message('native.options_when_open'));
  if (look.state === 'missing') {
    const details = { reason: 'no_such_option', options: look.options.slice(0, MOST_TOLD) };
    throw new DesktopError('failed', message('native.no_such_option', { value }), details);
  }
  if (look.state === 'disabled') throw new DesktopError('failed', message('native.element_disabled_not_set'));
}

/** null where the menu does not show yet. */
function pressOption(core: Core, ref: Ref, value: string): Look | null {
  const { ax, scoped } = core;
  return scoped((scope) => {
    const items = menusOf(core, scope, ref).flatMap((menu) => listOf(ax.attribute(scope, menu, ATTRIBUTE.children)));
    if (items.length === 0) return null;
    const known = items.map((item) => {
      const [title, enabled] = ax.attributes(scope, item, ITEM);
      return { item, title: textOf(title) ?? '', enabled: truthOf(enabled) !== false };
    });
    const found = known.find(({ title }) => title === value);
    if (found === undefined) {
      return { state: 'missing', options: known.map(({ title }) => title).filter((title) => title !== '') };
    }
    if (!found.enabled) return { state: 'disabled' };
    ax.perform(found.item, ACTION.press);
    return { state: 'pressed' };
  });
}

const menusOf = ({ ax }: Core, scope: Scope, ref: Ref): Ref[] =>
  listOf(ax.attribute(scope, ref, ATTRIBUTE.children)).filter(
    (child) => textOf(ax.attribute(scope, child, ATTRIBUTE.role)) === ROLE.menu,
  );

/** An application that does not answer keeps it open. */
function closeMenu(core: Core, ref: Ref): void {
  const { ax, scoped } = core;
  nullWithoutAnswer(() =>
    scoped((scope) => menusOf(core, scope, ref).forEach((menu) => void ax.perform(menu, ACTION.cancel))),
  );
}
