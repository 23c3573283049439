/**
 * What agents removed from the texts of documents since a person last agreed to a save. Judged by the text before and after each act,
 * so that it does not matter how it was removed: by keys, a menu, the mouse or accessibility, in one call or in many, by one agent or
 * by several.
 */
import { isSameProcess, type App, type DesktopReader, type Element, type Window } from '../../../native/desktop.js';
import { within } from '../call-clock.js';
import { targetElement, type Plan } from '../../approvals/plan.js';
import { canonicalChord, REPLACING, SELECTING, KEEPING } from './key-table.js';

// How much of a text is gone from another. Pure.

/** Characters that are written without spaces between words count one by one. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}`;
const WORD = new RegExp(String.raw`[${UNSPACED}]|[^\s${UNSPACED}]+`, 'gu');
/** Beyond this many comparisons all that lies between the first and the last change counts as gone. */
const MAX_COMPARISONS = 4_000_000;
/** A part as large as this is large in a text of any length. */
const LARGE_PART = 2000;
const LARGE_SHARE = 1 / 3;

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];
const lengthOf = (words: readonly string[]): number => words.reduce((sum, { length }) => sum + length, 0);
const textLength = (text: string): number => lengthOf(wordsOf(text));

/** Characters of words of `before` that are not in `now`, or no longer in that order. */
function lostText(before: string, now: string): number {
  if (before === now) return 0;
  const [old, fresh] = [wordsOf(before), wordsOf(now)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  const gone = old.slice(start, old.length - end);
  const come = fresh.slice(start, fresh.length - end);
  const kept = gone.length * come.length > MAX_COMPARISONS ? 0 : keptInOrder(gone, come);
  return lengthOf(gone) - kept;
}

/** The length of the longest common subsequence, in characters. */
function keptInOrder(old: readonly string[], fresh: readonly string[]): number {
  let above = new Float64Array(fresh.length + 1);
  for (const word of old) {
    const row = new Float64Array(fresh.length + 1);
    for (const [index, other] of fresh.entries()) {
      const both = word === other ? (above[index] ?? 0) + word.length : 0;
      row[index + 1] = Math.max(both, above[index + 1] ?? 0, row[index] ?? 0);
    }
    above = row;
  }
  return above.at(-1) ?? 0;
}

/** The line between a small edit and one that a person must see before it is saved. */
const isLarge = (lost: number, size: number): boolean => lost > 0 && (lost >= LARGE_PART || lost >= size * LARGE_SHARE);

interface EditedText {
  element: Element;
  app: App;
  windowId: string;
  /** Before the agent's first edit, or the person's last one. */
  original: string;
  /** After the agent's last act. */
  last: string;
  /** Of `original` and what agents removed before. */
  size: number;
  /** Removed by the agent before the person's last edit. */
  carried: number;
  /** What `personActs` was at the last look. */
  seen: number;
}

/** A window whose text cannot be read as a whole: only keys tell what happens to it. */
interface UnreadText {
  app: App;
  windowId: string;
  selected: boolean;
  replaced: boolean;
}

/** The application that has the focus, or a text, may be another than the one that is acted in, and may not answer. */
const LOOK_MS = 1000;
/** Fields of one line hold no document. */
const FIELDS: ReadonlySet<string> = new Set(['AXTextField', 'AXComboBox', 'AXSearchField', 'AXSecureTextField']);
/** Parts of a text, which is larger than what they hold. */
const PART_ROLES: ReadonlySet<string> = new Set(['paragraph', 'heading', 'section', 'list item', 'table cell', 'block quote']); // prettier-ignore

export class AgentEdits {
  readonly #texts = new Map<string, EditedText>();
  readonly #unread = new Map<string, UnreadText>();
  #personActs = 0;

  /** The person typed or clicked: what changes now is theirs. */
  readonly notePersonAct = (): void => void this.#personActs++;

  /** Does an act of an agent, and looks at what it removes. */
  async follow<T>(desktop: DesktopReader, plan: Plan | null, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
    if (plan === null || plan.window === null) return act();
    await this.#before(desktop, plan, plan.window, signal);
    try {
      const done = await act();
      // A person agreed to the save, or wanted to be asked no more.
      if (plan.consequence?.kind === 'save' || plan.consequence?.saves === true)
        this.#forget(({ app }) => isSameProcess(app, plan.window?.app ?? app));
      return done;
    } finally {
      if (!signal.aborted) await this.#after(desktop, signal);
    }
  }

  /** Whether agents removed a large part of a text that this process has open. */
  async removedMuchIn(desktop: DesktopReader, app: App, signal: AbortSignal): Promise<boolean> {
    await this.#forgetClosed(desktop, signal);
    if ([...this.#unread.values()].some((one) => one.replaced && isSameProcess(one.app, app))) return true;
    for (const one of this.#texts.values()) {
      if (!isSameProcess(one.app, app)) continue;
      const now = await valueNow(desktop, one, signal);
      // Its text is gone with it, in a window that is still there.
      if (now === null && one.last !== one.original) return true;
      if (now === null) continue;
      this.#withoutPersonsEdit(one, now);
      if (isLarge(one.carried + lostText(one.original, now), one.size)) return true;
    }
    return false;
  }

  async #before(desktop: DesktopReader, plan: Plan, window: Window, signal: AbortSignal): Promise<void> {
    await this.#forgetClosed(desktop, signal);
    const element = await textArea(desktop, plan, signal);
    const whole = element !== null && element.value !== null && !PART_ROLES.has(element.nativeRole);
    if (!whole) this.#noteKeys(plan, window);
    if (element === null || element.value === null) return;
    const known = this.#texts.get(element.id);
    if (known !== undefined) return this.#withoutPersonsEdit(known, element.value);
    const text = { original: element.value, last: element.value, size: textLength(element.value), carried: 0 };
    this.#texts.set(element.id, { ...text, element, app: window.app, windowId: window.id, seen: this.#personActs });
  }

  async #after(desktop: DesktopReader, signal: AbortSignal): Promise<void> {
    const looks = [...this.#texts.values()].map(async (one) => {
      one.last = (await valueNow(desktop, one, signal)) ?? one.last;
      one.seen = this.#personActs;
    });
    await Promise.all(looks);
  }

  /** What changed since the agent's last act is the person's, where the person acted since. */
  #withoutPersonsEdit(text: EditedText, now: string): void {
    if (text.seen === this.#personActs || text.last === now) return;
    text.carried += lostText(text.original, text.last);
    text.size = text.carried + textLength(now);
    Object.assign(text, { original: now, last: now, seen: this.#personActs });
  }

  async #forgetClosed(desktop: DesktopReader, signal: AbortSignal): Promise<void> {
    if (this.#texts.size + this.#unread.size === 0) return;
    const open = new Set((await desktop.windows(signal)).map(({ id, app }) => `${id} ${app.pid} ${app.startTime}`));
    this.#forget(({ windowId, app }) => !open.has(`${windowId} ${app.pid} ${app.startTime}`));
  }

  #forget(fits: (one: EditedText | UnreadText) => boolean): void {
    for (const [key, one] of this.#texts) if (fits(one)) this.#texts.delete(key);
    for (const [key, one] of this.#unread) if (fits(one)) this.#unread.delete(key);
  }

  /** Follows a selection of everything, and what replaces it. */
  #noteKeys(plan: Plan, { id, app }: Window): void {
    const { does = { kind: 'press' } } = plan;
    const focused = targetElement(plan);
    if (does.kind === 'nothing' || (focused !== null && FIELDS.has(focused.role))) return;
    const known = this.#unread.get(id) ?? { app, windowId: id, selected: false, replaced: false };
    this.#unread.set(id, known);
    if (does.kind === 'press') known.selected = false;
    else if (does.kind !== 'keys') known.replaced ||= known.selected;
    else for (const key of does.keys) noteChord(known, canonicalChord(does.modifiers, key));
  }
}

function noteChord(text: UnreadText, chord: string): void {
  if (SELECTING.has(chord)) text.selected = true;
  else if (REPLACING.has(chord) || chord === 'space' || [...chord].length === 1) text.replaced ||= text.selected;
  else if (!KEEPING.has(chord)) text.selected = false;
}

async function textArea(desktop: DesktopReader, plan: Plan, signal: AbortSignal): Promise<Element | null> {
  const target = targetElement(plan);
  if (target !== null && isTextArea(target)) return target;
  if (plan.target.kind === 'focus') return null;
  const focused = await desktop.focusedElement(within(LOOK_MS, signal)).catch(() => null);
  signal.throwIfAborted();
  return focused !== null && focused.pid === plan.window?.app.pid && isTextArea(focused) ? focused : null;
}

const isTextArea = ({ role, states }: Element): boolean => role === 'AXTextArea' && !states.secure;

/** null where it is gone. */
async function valueNow(desktop: DesktopReader, { element }: EditedText, signal: AbortSignal): Promise<string | null> {
  const now = await desktop.element(element.id, within(LOOK_MS, signal)).catch(() => null);
  signal.throwIfAborted();
  return now?.value ?? null;
}
