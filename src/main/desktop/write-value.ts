import {
  DesktopError,
  isDatePart,
  type DatePart,
  type Element,
  type DesktopActor,
  type TreeNode,
  type Window,
} from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { Verification } from '../pipeline/action.js';
import type { RunContext } from '../pipeline/context.js';
import { poll } from '../../base/poll.js';
import { hasPressAction, pressKey, clickFrame } from './click.js';
import { nameOf } from '../pipeline/target/plans.js';
import { inFormOf, isDateText, numbersOf, setDate, withoutZeros } from './date-text.js';
import { writeDate } from './date-field.js';
import { clearByKeys, focusField } from './type-text.js';
import { message } from '../../messages/index.js';

const READ_BACK_MS = 1200;
const STEP_MS = 40;
const NUMBER_ROLES: ReadonlySet<string> = new Set(['AXSlider', 'AXIncrementor', 'AXStepper', 'AXScrollBar']);
/** Roles with options, which are chosen by typing their name. */
const CHOICE_ROLES: ReadonlySet<string> = new Set(['AXComboBox', 'AXPopUpButton']);

interface WriteResult {
  method: 'accessibility' | 'keys';
  /** The value read back; null for secure fields. */
  value: string | null;
  effect: Verification;
}

/** How accessibility took a value: as it is, or only by keys, into its parts or at all. `refused`: what it said where it did nothing. */
type Taken =
  | { by: 'accessibility' }
  | { by: 'parts'; parts: DatePart[] }
  | { by: 'colour'; refused: DesktopError }
  | { by: 'options'; steps: number }
  | { by: 'drop-down'; refused: DesktopError }
  | { by: 'date text'; shown: string }
  | { by: 'keys'; refused: unknown };

/** Replaces the value through accessibility where possible, else by keys, and reads it back. */
export async function writeValue(
  ctx: RunContext,
  element: Element,
  value: string,
  signal: AbortSignal,
): Promise<WriteResult> {
  const taken = await byAccessibility(ctx, element, value, signal);
  const method = taken.by === 'accessibility' ? 'accessibility' : 'keys';
  ctx.trace({ step: 'write', method, element: nameOf(element), characters: [...value].length });
  if (taken.by === 'parts') return writeParts(ctx, taken.parts, value, signal);
  if (taken.by === 'colour') return writeInPicker(ctx, element, value, taken.refused, signal);
  if (taken.by === 'date text') return writeDateText(ctx, element, { shown: taken.shown, value }, signal);
  if (isDateText(element)) await leaveDate(ctx, element, signal);
  if (taken.by === 'options') {
    await focusPlanWindow(ctx, signal);
    await stepToOption(ctx.desktop, element, taken.steps, signal);
  }
  if (taken.by === 'drop-down') return chooseInDropDown(ctx, element, value, taken.refused, signal);
  if (taken.by === 'keys') await byKeys(ctx, element, value, signal);
  if (element.states.secure)
    return { method, value: null, effect: { effect: 'unverified', before: null, after: null } };
  const now = await readBack(ctx, element, value, signal);
  const same = now !== null && holdsValue(element, now, value);
  if (!same && taken.by === 'keys' && taken.refused !== null) throw notTaken(taken.refused);
  const effect = same ? 'confirmed' : now === element.value ? 'no_change' : 'unverified';
  return { method, value: now, effect: { effect, before: element.value, after: now } };
}

async function writeParts(
  ctx: RunContext,
  parts: readonly DatePart[],
  value: string,
  signal: AbortSignal,
): Promise<WriteResult> {
  const held = await writeDate(ctx.desktop, parts, value, () => focusPlanWindow(ctx, signal), signal);
  const effect = held === value ? 'confirmed' : 'unverified';
  return { method: 'keys', value: held, effect: { effect, before: null, after: held } };
}

async function chooseInDropDown(
  ctx: RunContext,
  element: Element,
  value: string,
  refused: DesktopError,
  signal: AbortSignal,
): Promise<WriteResult> {
  await focusPlanWindow(ctx, signal);
  const chosen = await chooseWhenOpen(ctx.desktop, element, { value, window: ctx.plan?.window ?? null }, signal);
  if (chosen === null) throw notTaken(refused);
  const effect = chosen.now === value ? 'confirmed' : 'unverified';
  return { method: 'keys', value: chosen.now, effect: { effect, before: chosen.before, after: chosen.now } };
}

async function writeInPicker(
  ctx: RunContext,
  element: Element,
  value: string,
  refused: DesktopError,
  signal: AbortSignal,
): Promise<WriteResult> {
  await focusPlanWindow(ctx, signal);
  const held = await writeColour(ctx.desktop, element, value, signal);
  if (held === null) throw notTaken(refused);
  return { method: 'keys', value: held, effect: { effect: 'confirmed', before: null, after: held } };
}

async function writeDateText(
  ctx: RunContext,
  element: Element,
  { shown, value }: { shown: string; value: string },
  signal: AbortSignal,
): Promise<WriteResult> {
  const text = inFormOf(shown, numbersOf(value));
  if (text === null)
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.date_as_shown', { shown }), {
      reason: 'date_form',
      form: shown,
    });
  await setDate(ctx.desktop, element, text, signal);
  await leaveDate(ctx, element, signal);
  const { value: now } = await ctx.desktop.element(element.id, signal);
  const effect =
    now !== null && withoutZeros(now) === withoutZeros(text)
      ? 'confirmed'
      : now === element.value
        ? 'no_change'
        : 'unverified';
  return { method: 'accessibility', value: now, effect: { effect, before: element.value, after: now } };
}

/** The field takes back a text that is no date, or out of its limits, when the focus leaves it. */
async function leaveDate(ctx: RunContext, element: Element, signal: AbortSignal): Promise<void> {
  await focusPlanWindow(ctx, signal);
  await focusField(ctx.desktop, element, signal);
  await pressKey(ctx.desktop, 'tab', signal);
  const left = async () => !(await ctx.desktop.element(element.id, signal)).states.focused || null;
  await poll(left, READ_BACK_MS, signal, STEP_MS);
}

async function byAccessibility(ctx: RunContext, element: Element, value: string, signal: AbortSignal): Promise<Taken> {
  try {
    await ctx.desktop.setValue(element.id, value, signal);
    return { by: 'accessibility' };
  } catch (thrown) {
    if (!(thrown instanceof DesktopError)) throw thrown;
    const { parts, reason, steps, shown } = thrown.details;
    if (reason === 'date_text' && typeof shown === 'string') return { by: 'date text', shown };
    if (reason === 'options_by_keys' && typeof steps === 'number') return { by: 'options', steps };
    if (reason === 'options_when_open') return { by: 'drop-down', refused: thrown };
    if (reason === 'colour') return { by: 'colour', refused: thrown };
    if (Array.isArray(parts)) return { by: 'parts', parts: parts.filter(isDatePart) };
    if (thrown.code === 'unsupported' && takesKeys(element)) return { by: 'keys', refused: null };
    // What it made of the text, such as a number with its separators, is read back and told.
    if (reason === 'other_text') return { by: 'accessibility' };
    // A number field that is empty, or is to be emptied, takes no number from accessibility in some browsers.
    if (reason === 'ignored' && takesKeys(element)) return { by: 'keys', refused: thrown };
    if (reason === 'not_a_number' && value === '' && element.states.editable) return { by: 'keys', refused: null };
    throw notTaken(thrown);
  }
}

const CLICK_OPTION =
  'click_element it, then click_element the option: a click in the list that opens is asked for on its own.';
const TYPE_INSTEAD = 'click_element it and type_text what it would show, as a person does; then get_element.';

/** The value is invalid, or the element takes only keys, as the parts of a date do. */
function notTaken(thrown: unknown): unknown {
  if (!(thrown instanceof DesktopError)) return thrown;
  if (thrown.code === 'unsupported')
    return new WireError('DESKTOP_UNSUPPORTED', thrown.text, {
      reason: thrown.code,
      ...thrown.details,
      next: thrown.details['reason'] === 'options_when_open' ? CLICK_OPTION : TYPE_INSTEAD,
    });
  if (typeof thrown.details['reason'] !== 'string') return thrown;
  const next = `Use a value that it takes (see details, or get_element); or ${TYPE_INSTEAD}`;
  return new WireError('DESKTOP_INVALID_REQUEST', message('error.at', { where: 'value', what: thrown.text }), {
    ...thrown.details,
    next,
  });
}

const takesKeys = (element: Element): boolean =>
  element.states.editable || (CHOICE_ROLES.has(element.role) && hasPressAction(element));

async function byKeys(ctx: RunContext, element: Element, value: string, signal: AbortSignal): Promise<void> {
  await focusPlanWindow(ctx, signal);
  if (CHOICE_ROLES.has(element.role) && !element.states.editable && hasPressAction(element)) {
    await ctx.desktop.performAction(element.id, 'AXPress', signal);
    await ctx.desktop.typeText(value, signal);
    await pressKey(ctx.desktop, 'enter', signal);
    return;
  }
  await focusField(ctx.desktop, element, signal);
  if (element.states.editable) await clearByKeys(ctx.desktop, signal);
  if (value !== '') await ctx.desktop.typeText(value, signal);
}

/** Brings the approved window to the front, the only one that keys and the pointer reach. */
export async function focusPlanWindow(ctx: RunContext, signal: AbortSignal): Promise<void> {
  const window = ctx.plan?.window ?? null;
  if (window === null || (await ctx.desktop.frontmost(signal)).window?.id === window.id) return;
  await ctx.desktop.focusWindow(window.id, signal);
}

async function readBack(ctx: RunContext, element: Element, value: string, signal: AbortSignal): Promise<string | null> {
  const read = async () => (await ctx.desktop.element(element.id, signal)).value;
  const good = await poll(
    async () => {
      const now = await read();
      return now !== null && holdsValue(element, now, value) ? now : null;
    },
    READ_BACK_MS,
    signal,
    STEP_MS,
  );
  return good ?? read();
}

function holdsValue({ role }: Element, now: string, wanted: string): boolean {
  if (now === wanted || now.replaceAll('\u2029', '\n') === wanted) return true;
  return NUMBER_ROLES.has(role) && now !== '' && wanted.trim() !== '' && Number(now) === Number(wanted);
}

// Writes a colour into the colour field of a page of Chromium, in the picker that it opens.

const COLOUR = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;
const LIMITS = { maxDepth: 12, maxNodes: 100, timeoutMs: 3000, visibleOnly: true };
const OPENS_MS = 3_000;
const TAKEN_MS = 1_000;

/** Resolves with the colour that the picker held when it was closed, or null where the field is none of colours. */
async function writeColour(
  desktop: DesktopActor,
  field: Element,
  value: string,
  signal: AbortSignal,
): Promise<string | null> {
  const channels = COLOUR.exec(value.trim())?.slice(1);
  if (channels === undefined)
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.colour_form', { form: '#ff8800' }), {
      reason: 'colour_form',
      form: '#ff8800',
    });
  await desktop.performAction(field.id, 'AXPress', signal);
  const shown = () => fieldsOfPicker(desktop, field, signal);
  const opened = async () => ((await shown()).length > 0 ? shown() : null);
  const fields = (await poll(opened, OPENS_MS, signal, STEP_MS)) ?? [];
  const texts =
    fields.length === 1 ? [channels.join('')] : channels.map((channel) => String(Number.parseInt(channel, 16)));
  const numbers = fields.every(({ value: now }) => /^\d{1,3}$/.test(now ?? ''));
  const known = fields.length === 1 || (fields.length === 3 && numbers);
  const held = known && (await writeTexts(desktop, fields, texts, signal));
  await pressKey(desktop, held ? 'enter' : 'escape', signal);
  const closed = async () => (await shown()).length === 0 || null;
  return held && (await poll(closed, TAKEN_MS, signal, STEP_MS)) === true ? value.trim().toLowerCase() : null;
}

/** Its picker is part of it while it is open: a field for each channel, or one for all. */
async function fieldsOfPicker(desktop: DesktopActor, { id, pid }: Element, signal: AbortSignal): Promise<Element[]> {
  const { nodes } = await desktop.tree({ pid, elementId: id }, LIMITS, signal);
  return nodes.slice(1).flatMap(({ element }) => (element.states.editable ? [element] : []));
}

async function writeTexts(
  desktop: DesktopActor,
  fields: readonly Element[],
  texts: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const [index, one] of fields.entries()) {
    const text = texts[index] ?? '';
    await focusField(desktop, one, signal);
    await clearByKeys(desktop, signal);
    await desktop.typeText(text, signal);
    const taken = async () => (await desktop.element(one.id, signal)).value?.replace('#', '') === text || null;
    if ((await poll(taken, TAKEN_MS, signal, STEP_MS)) === null) return false;
  }
  return true;
}

// Chooses an option by keys in a list that takes a choice, or has its options, only while it is open.

const LIST_OPENS_MS = 1_500;
const LIST_LIMITS = { maxDepth: 12, maxNodes: 1_000, timeoutMs: 3_000, visibleOnly: true };

/** Goes so many options on from the chosen one, and takes it. Enter would do something else where the list has closed. */
async function stepToOption(
  desktop: DesktopActor,
  { actions, id }: Element,
  steps: number,
  signal: AbortSignal,
): Promise<void> {
  await desktop.performAction(id, actions.find((one) => one === 'AXOpen' || one === 'AXPress') ?? 'AXPress', signal);
  const open = async () => (await desktop.focusedElement(signal))?.role === 'AXMenuItem' || null;
  if ((await poll(open, LIST_OPENS_MS, signal, STEP_MS)) === null) return;
  await pressSteps(desktop, steps, signal);
  if (await open()) await pressKey(desktop, 'enter', signal);
}

async function pressSteps(desktop: DesktopActor, steps: number, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < Math.abs(steps); step += 1) await pressKey(desktop, steps > 0 ? 'down' : 'up', signal);
}

/** What shows on the drop-down of GTK 4 before and after; null where its list does not open, or has no such option. */
async function chooseWhenOpen(
  desktop: DesktopActor,
  element: Element,
  { value, window }: { value: string; window: Window | null },
  signal: AbortSignal,
): Promise<{ before: string | null; now: string | null } | null> {
  const read = async () =>
    optionsOf((await desktop.tree({ pid: element.pid, elementId: element.id }, LIST_LIMITS, signal)).nodes);
  const { shown: before } = await read();
  await clickFrame(desktop, element, signal, window);
  const opened = async () => {
    const now = await read();
    return now.at < 0 ? null : now;
  };
  const list = await poll(opened, LIST_OPENS_MS, signal, STEP_MS);
  if (list === null) return null;
  const wanted = list.names.indexOf(value);
  if (wanted >= 0) await pressSteps(desktop, wanted - list.at, signal);
  const there = async () => ((await read()).at === wanted ? true : null);
  const reached = wanted >= 0 && (await poll(there, LIST_OPENS_MS, signal, STEP_MS)) === true;
  await pressKey(desktop, reached ? 'enter' : 'escape', signal);
  if (!reached) return null;
  const closed = async () => ((await read()).names.length === 0 ? true : null);
  await poll(closed, LIST_OPENS_MS, signal, STEP_MS);
  return { before, now: (await read()).shown };
}

/** The texts of its open list, which of them has the focus, and the text beside the list, which shows the chosen one. */
function optionsOf(nodes: readonly TreeNode[]): { names: string[]; at: number; shown: string | null } {
  const above = ({ parent }: TreeNode): TreeNode[] => {
    const node = nodes[parent];
    return node === undefined ? [] : [node, ...above(node)];
  };
  const texts = nodes.filter(({ element }) => element.role === 'AXStaticText');
  const inList = texts.filter((node) => above(node).some(({ element }) => element.role === 'AXList'));
  const hasFocus = (node: TreeNode) =>
    above(node).some(({ element }) => element.role === 'AXRow' && element.states.focused);
  const shown = texts.find((node) => !inList.includes(node)) ?? null;
  return {
    names: inList.map(nameOfText),
    at: inList.findIndex(hasFocus),
    shown: shown === null ? null : nameOfText(shown),
  };
}

const nameOfText = ({ element: { title, value } }: TreeNode): string => (title === '' ? (value ?? '') : title);
