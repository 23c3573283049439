/** What keys do besides editing: by the table of chords, the menus and dialogs that take them, and what agents removed before a save. */
import { DesktopError, type DesktopReader, type Element } from '../../../native/desktop.js';
import { message } from '../../../messages/index.js';
import type { Effect } from '../../protocol/index.js';
import type { PlanContext } from '../context.js';
import { targetElement, type Consequence, type Plan, type StepPlan, type KeysDo } from '../../approvals/plan.js';
import {
  APP_KINDS,
  canonicalChord,
  chordSet,
  CLOSING_ITEMS,
  DISCARDING_BUTTONS,
  HARMLESS_IN,
  isOfKind,
  KEY_ROWS,
  LETTERS_ACT,
  namesOneOf,
  REPLACING,
  SAVING,
  SAVING_CONTROLS,
  SELECTING,
  type AppKind,
  type KeyConsequence,
} from './key-table.js';
import { plainLetters } from './fold.js';
import { buttonsIn, hasLetter, openItemsOf } from './surroundings.js';

const ROWS = KEY_ROWS.map((row) => ({ ...row, set: chordSet(row.chords) }));
const HARMLESS = HARMLESS_IN.map(({ in: kind, chords }) => ({ kind, set: chordSet(chords) }));
const [CLOSING, DISCARDING, SAVES] = [CLOSING_ITEMS, DISCARDING_BUTTONS, SAVING_CONTROLS].map(
  (names) => new Set([...names].map(plainName)),
);
const MENU_ROLES: ReadonlySet<string> = new Set(['AXMenuItem']);
const PRESSED_ROLES: ReadonlySet<string> = new Set(['AXMenuItem', 'AXButton']);
const NEAR = 4;

/** Adds what its keys do, or what it saves over; to a plan that has a consequence already, the latter alone. */
export async function withKeyConsequence(
  ctx: PlanContext,
  own: Effect,
  plan: Plan,
  signal: AbortSignal,
): Promise<Plan> {
  if (own !== 'input' || plan.window === null) return plan;
  const { desktop, edits, held } = ctx;
  const chord = chordConsequence(plan, held);
  const found = chord === null ? await controlConsequences(desktop, plan, signal) : [chord];
  if (found.includes('save') && (await edits.removedMuchIn(desktop, plan.window.app, signal)))
    return plan.consequence == null ? withNote(plan, 'save') : alsoSaving(plan, plan.consequence);
  if (plan.consequence != null) return plan;
  const other = found.find((one) => one !== 'save');
  return other === undefined ? plan : withNote(plan, other);
}

/** What a step does after the ones before it: a save of what they replace, and letters where they leave no text in focus. */
export function withForeseenKeys(plan: Plan, earlier: readonly StepPlan[]): Plan {
  const { window } = plan;
  if (plan.consequence != null || window === null) return plan;
  const pressed = earlier.findLast((step) => targetElement(step.plan) !== null && step.plan?.does?.kind !== 'write');
  const element = targetElement(pressed?.plan ?? null);
  const typed = plan.target.kind === 'focus' || plan.target.kind === 'window';
  if (typed && element !== null && pressed?.plan?.target.kind !== 'focus') {
    const found = chordConsequence({ ...plan, target: { kind: 'focus', element } });
    if (found !== null && found !== 'save') return withNote(plan, found);
  }
  if (!mayReplaceAll(earlier, window.app.pid)) return plan;
  const saves = chordConsequence(plan) === 'save' || isNamed(targetElement(plan), PRESSED_ROLES, SAVES);
  return saves ? withNote(plan, 'save') : plan;
}

function mayReplaceAll(earlier: readonly StepPlan[], pid: number): boolean {
  let selected = false;
  for (const { plan } of earlier) {
    if (plan?.window?.app.pid !== pid || plan.does === undefined) continue;
    const chords = chordsOf(plan);
    if (plan.does.kind === 'write' || (selected && plan.does.kind === 'text')) return true;
    if (selected && chords.some((chord) => REPLACING.has(chord) || [...chord].length === 1)) return true;
    selected ||= chords.some((chord) => SELECTING.has(chord));
  }
  return false;
}

const noteOf = (plan: Plan, kind: KeysDo) => message('note.keys', { kind, file: documentName(plan) });

const alsoSaving = (plan: Plan, consequence: Consequence): Plan => ({
  ...plan,
  consequence: { ...consequence, saves: true },
  notes: [...plan.notes, noteOf(plan, 'save')],
});

function withNote(plan: Plan, kind: KeysDo): Plan {
  const file = documentName(plan);
  const facts = [{ id: plan.window?.id ?? '', label: '', value: file }];
  return {
    ...plan,
    consequence: { kind, facts, byKeys: true },
    notes: [...plan.notes, noteOf(plan, kind)],
  };
}

/** The title of the window without marks that tell whether it is saved, and without the application's name. */
function documentName({ window }: Plan): string {
  const title = (window?.title ?? '')
    .replace(/^[*•●]\s*/u, '')
    .replace(/\s*(?:\*|[([](?:modified|geändert)[)\]])(?=\s*[-–—]|$)/iu, '');
  const [, file] = /^(.*\S)\s+[-–—]\s+[^-–—]+$/u.exec(title) ?? [];
  return file ?? title;
}

/** `held`: keys that an earlier call holds down, which make shortcuts of letters. */
function chordsOf({ does }: Plan, held: readonly string[] = []): string[] {
  if (does?.kind === 'keys') return does.keys.map((key) => canonicalChord([...does.modifiers, ...held], key));
  return does?.kind === 'text' && held.length > 0 ? [...does.text].map((key) => canonicalChord(held, key)) : [];
}

function chordConsequence(plan: Plan, held: readonly string[] = []): KeysDo | null {
  const kinds = kindsOf(plan);
  const element = targetElement(plan);
  const editing = element?.states.editable === true;
  // A page may take any letter as a command.
  const acts = !editing && (lettersAct(kinds) || (element?.document !== undefined && element.role !== 'AXPopUpButton'));
  const chords = chordsOf(plan, held);
  for (const chord of chords) {
    const found = consequenceOf(chord, kinds, { editing, acts });
    if (found !== null && !isHarmless(chord, plan)) return found;
  }
  if (plan.does?.kind === 'text' && acts) return 'other';
  return chords.some((chord) => SAVING.has(chord)) ? 'save' : null;
}

function consequenceOf(
  chord: string,
  kinds: ReadonlySet<AppKind>,
  { editing, acts }: { editing: boolean; acts: boolean },
): KeyConsequence | null {
  const row = ROWS.find(
    ({ in: kind, set, outsideText }) =>
      set.has(chord) && (kind === undefined || kinds.has(kind)) && !(editing && outsideText === true),
  );
  if (row !== undefined) return row.does;
  const key = chord.split('+').at(-1) ?? '';
  // On another layout it is the shortcut of the letter that is on the same key.
  if (/\b(?:ctrl|alt|cmd)\+/.test(chord) && /[^\p{ASCII}]/u.test(key)) return 'other';
  const letter = ([...key].length === 1 || key === 'backspace') && !/\b(?:ctrl|alt|cmd)\+/.test(chord);
  return letter && acts ? 'other' : null;
}

const lettersAct = (kinds: ReadonlySet<AppKind>): boolean => [...kinds].some((kind) => LETTERS_ACT.has(kind));

/** What a program calls itself makes it stricter at most. */
function kindsOf({ window, target }: Plan): ReadonlySet<AppKind> {
  if (window === null) return new Set();
  const { id, name, program = '', otherIds = [] } = window.app;
  const element = targetElement({ target });
  const hosts = [window.documentUrl, element?.document?.url].flatMap((url) => hostOf(url ?? null));
  const text = [id, name, program.split('/').at(-1), ...otherIds].join(' ');
  const fits = APP_KINDS.filter(
    (row) => namesOneOf(text, row.words) || hosts.some((host) => row.hosts?.split(' ').includes(host)),
  );
  return new Set(fits.map(({ kind }) => kind));
}

const hostOf = (url: string | null): string[] => (url !== null && URL.canParse(url) ? [new URL(url).hostname] : []);

function isHarmless(chord: string, { window }: Plan): boolean {
  const program = window?.app.program?.split('/').at(-1) ?? '';
  return HARMLESS.some(({ kind, set }) => set.has(chord) && isOfKind(kind, program));
}

/** A menu item or a button of a dialog that is pressed, by the pointer, a key or its letter. */
async function controlConsequences(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<KeysDo[]> {
  const { does = { kind: 'press' } } = plan;
  if (does.kind === 'nothing' || does.kind === 'write') return [];
  const element = targetElement(plan);
  const own = does.kind === 'press' || pressesFocused(plan) ? await pressedConsequences(desktop, element, signal) : [];
  if (own.length > 0 || does.kind === 'press') return own;
  const items = await openItemsOf(desktop, plan.window?.app.pid ?? 0, signal);
  if (items.length > 0) return namedConsequences(items.filter((item) => takes(item, plan)));
  const letters = lettersOf(plan);
  const may = letters.length > 0 || pressesFocused(plan);
  if (!may || (element?.states.editable === true && !withAlt(plan))) return [];
  const scope = { pid: plan.window?.app.pid ?? 0, ...(plan.window === null ? {} : { windowId: plan.window.id }) };
  const elements = await buttonsIn(desktop, scope, signal).then((found) => found.elements, noneWithoutAccessibility);
  return namedConsequences(elements.filter((button) => takes(button, plan)));
}

/** An application that tells of no elements tells of no buttons either. */
function noneWithoutAccessibility(thrown: unknown): readonly Element[] {
  if (thrown instanceof DesktopError && thrown.code === 'not_found') return [];
  throw thrown;
}

const ENTER: readonly string[] = ['enter', 'kpenter', 'space'];
const pressesFocused = (plan: Plan): boolean => chordsOf(plan).some((chord) => ENTER.includes(chord));
const withAlt = ({ does }: Plan): boolean => does?.kind === 'keys' && does.modifiers.includes('alt');

/** Letters that may stand for a control. */
function lettersOf({ does }: Plan): string[] {
  if (does?.kind !== 'keys' && does?.kind !== 'text') return [];
  const keys = does.kind === 'keys' ? does.keys : [...does.text];
  return keys.filter((key) => [...key].length === 1 && key !== ' ');
}

/** Enter and space may press any; a letter one whose name has it. */
const takes = (control: Element, plan: Plan): boolean =>
  pressesFocused(plan) || lettersOf(plan).some((letter) => hasLetter(control, letter));

async function pressedConsequences(
  desktop: DesktopReader,
  element: Element | null,
  signal: AbortSignal,
): Promise<KeysDo[]> {
  if (element === null) return [];
  if (PRESSED_ROLES.has(element.role)) return namedConsequences([element]);
  const above = (await desktop.ancestors(element.id, signal)).slice(0, NEAR);
  return namedConsequences(above.filter(({ role }) => PRESSED_ROLES.has(role)).slice(0, 1));
}

function namedConsequences(controls: readonly Element[]): KeysDo[] {
  const closes = controls.some((one) => isNamed(one, MENU_ROLES, CLOSING) || isNamed(one, PRESSED_ROLES, DISCARDING));
  const saves = controls.some((one) => isNamed(one, PRESSED_ROLES, SAVES));
  return [...(saves ? ['save' as const] : []), ...(closes ? ['close' as const] : [])];
}

function plainName(name: string): string {
  return plainLetters(name)
    .replaceAll(/[_&…]|\.{3}|\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function isNamed(element: Element | null, roles: ReadonlySet<string>, names: ReadonlySet<string> = new Set()): boolean {
  return (
    element !== null &&
    roles.has(element.role) &&
    [element.title, element.description].some((name) => names.has(plainName(name)))
  );
}
