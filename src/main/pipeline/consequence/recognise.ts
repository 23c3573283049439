/** Recognises presses that send, pay, delete, sign or authorise something, and those that nothing identifies: by what is hit, its names, and the page or window around it. */
import type { DesktopReader, Element } from '../../../native/desktop.js';
import { message, type Message } from '../../../messages/index.js';
import type { Plan, ConsequenceKind } from '../../approvals/plan.js';
import { blockTexts, hitOf, isActing, shownNames, textsIn, type Hit } from './controls.js';
import { isAmount, isName, isPlainName, kindNamed } from './naming.js';
import { hasContext, holdsSecret, surroundingsOf, type ElementChain, type Surroundings } from './surroundings.js';

export interface Recognised {
  kind: ConsequenceKind;
  chain: ElementChain;
  around: Surroundings;
  /** The pressed control; null where keys go to something else. */
  control: Element | null;
  /** What a person reads on it. */
  names?: readonly string[];
}

/** A consequence, or why the person is asked although none is known. Both null: neither. */
export interface Judgement {
  found: Recognised | null;
  unclear: Message | null;
}

export const CLEAR: Judgement = { found: null, unclear: null };
export const NO_NAME: Judgement = { found: null, unclear: message('note.no_name') };
export const NOT_A_CONTROL: Judgement = { found: null, unclear: message('note.not_a_control') };

/** A longer text is not a label. */
const MAX_LABEL_LENGTH = 80;

export interface ControlFacts {
  hit: Hit;
  /** What a person reads on it: names, descriptions, values, texts inside. */
  names: readonly string[];
  /** Names in the source of the program or page. */
  identifiers: readonly string[];
  /** Text read there on the screen. */
  says: string | null;
}

export function kindOfNames(names: readonly string[], brief = false): ConsequenceKind | null {
  for (const name of names) {
    const kind = kindNamed(name, brief);
    if (kind !== null) return kind;
  }
  return null;
}

/** What a press on this control does, as its names say; `submit` is not among it. Pure. */
export function recogniseControl({ hit, names, identifiers, says }: ControlFacts): ConsequenceKind | null {
  const all = [...names, ...identifiers, ...(says === null ? [] : [says])];
  const { part, control, inPage } = hit;
  if (part === 'press' || (part === 'text' && inPage)) {
    return kindOfNames(all) ?? (names.some((name) => name.length <= MAX_LABEL_LENGTH && isAmount(name)) ? 'pay' : null);
  }
  if (part === 'choose') {
    if (!inPage) return control !== null && isActing(control) ? kindOfNames(names, true) : null;
    const kind = kindOfNames(all, true) ?? kindOfNames(all);
    // The subject of a message may begin like a button.
    return kind === 'send' ? kindOfNames(all, true) : kind;
  }
  // Pages call buttons so.
  if (part === 'open') return inPage ? kindOfNames(all, true) : null;
  if (part === 'text' || part === 'area') return kindOfNames(all, true) ?? (says === null ? null : kindNamed(says));
  return null;
}

export async function chainOf(
  desktop: DesktopReader,
  element: Element | null,
  signal: AbortSignal,
): Promise<ElementChain> {
  return element === null ? [] : [element, ...(await desktop.ancestors(element.id, signal))];
}

export const surroundings = (chain: ElementChain, { window }: Plan): Surroundings =>
  surroundingsOf(chain, chain[0]?.pid ?? window?.app.pid ?? 0, window?.id ?? null);

/** The names of what is hit, and where the hit is data with a picture in it, the area that this is. */
async function factsOf(
  desktop: DesktopReader,
  chain: ElementChain,
  says: string | null,
  signal: AbortSignal,
): Promise<ControlFacts> {
  const hit = hitOf(chain);
  const { part, control, inner, inPage } = hit;
  const own = inner.flatMap(shownNames);
  const identifiers = inner.map(({ identifier }) => identifier).filter((one) => one !== '');
  const [first] = chain;
  if (part === 'text' && inPage)
    return { hit, names: [...own, ...(await blockTexts(desktop, chain, signal))], identifiers, says };
  const box = control ?? first;
  if (box === undefined || part === 'edit' || part === 'adjust' || (part === 'open' && !inPage))
    return { hit, names: own, identifiers, says };
  const { names, drawn, whole } = await textsIn(desktop, box, signal);
  const blind = part === 'choose' && inPage && drawn && control === first;
  const inside = whole || part !== 'area' ? names : [];
  return { hit: blind ? { ...hit, part: 'area', control: null } : hit, names: [...own, ...inside], identifiers, says };
}

/** A press on this element, or on text read there. */
export async function judgePress(
  desktop: DesktopReader,
  plan: Plan,
  element: Element | null,
  says: string | null,
  signal: AbortSignal,
): Promise<Judgement> {
  const chain = await chainOf(desktop, element, signal);
  const facts = await factsOf(desktop, chain, says, signal);
  const { control, part } = facts.hit;
  const around = surroundings(chain, plan);
  const kind = recogniseControl(facts);
  const as = (one: ConsequenceKind): Judgement => ({
    found: { kind: one, chain, around, control, names: facts.names },
    unclear: null,
  });
  if (kind !== null) return as(kind);
  if (control?.role === 'AXButton' && (await holdsSecret(desktop, chain, around, signal))) return as('submit');
  return part === 'area' ? NOT_A_CONTROL : judgeUnknown(desktop, plan, facts, { chain, around }, signal);
}

/** Without a name, or with one that says nothing where payments, accounts, deletions or publishing are near. */
async function judgeUnknown(
  desktop: DesktopReader,
  plan: Plan,
  { hit: { part, inPage }, names }: ControlFacts,
  { chain, around }: { chain: ElementChain; around: Surroundings },
  signal: AbortSignal,
): Promise<Judgement> {
  if (part === 'edit' || part === 'adjust' || part === 'open') return CLEAR;
  const [name] = names;
  if (name === undefined || ((part === 'press' || inPage) && !names.some(isName))) return NO_NAME;
  const acts = part === 'press' || (part === 'text' && inPage && name.length <= MAX_LABEL_LENGTH);
  // The text drawn inside may differ from the name; one without letters, as an arrow, tells nothing more.
  const inside = part === 'press' ? names.slice(1).filter((one) => /\p{L}/u.test(one)) : [];
  const unknown = [name, ...inside].find((one) => !isPlainName(one));
  if (!acts || unknown === undefined || !(await hasContext(desktop, plan.window, chain, around, signal))) return CLEAR;
  return { found: null, unclear: message('note.unknown_name', { name: unknown.slice(0, MAX_LABEL_LENGTH) }) };
}
