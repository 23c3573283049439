/**
 * Finds acts with consequences outside this machine, or that cannot be undone. Adds the consequence and its facts to a plan, and
 * what could not be read of them. Called only where an action is planned.
 */
import { DesktopError, type DesktopReader, type Element, type Scope } from '../../../native/desktop.js';
import { WireError, type Effect } from '../../protocol/index.js';
import type { Consequence, Fact, Plan, StepPlan } from '../../approvals/plan.js';
import { formatFact } from '../../approvals/card.js';
import { judgeAct } from './judge-act.js';
import type { Recognised } from './recognise.js';
import { takesPayment, fieldsIn, itemsIn, textsIn } from './surroundings.js';
import { message, type Message, MessageError } from '../../../messages/index.js';
import { nothingDone } from '../failures.js';
import { isAmount } from './naming.js';

// Reads what an act with consequences is about: recipient, amount, text, or what would be deleted.

/** Says what could not be read. */
class UnreadableFacts extends MessageError {
  override readonly name = 'UnreadableFacts';
}

interface ReadFacts {
  facts: readonly Fact[];
  /** What of it could not be read; the person is then told, and asked each time. */
  unread: Message | null;
}

const MAX_TEXTS = 2000;
const MAX_NEARBY_TEXTS = 20;
const NEARBY_LEVELS = 8;

async function readConsequenceFacts(
  desktop: DesktopReader,
  found: Recognised,
  signal: AbortSignal,
): Promise<ReadFacts> {
  const { kind, around } = found;
  if (kind === 'delete') {
    const selected = await selectedItems(desktop, found, signal);
    return { facts: selected.length > 0 ? selected : await nearbyTexts(desktop, found, signal), unread: null };
  }
  const fields = await readClosestFields(desktop, around.scopes, signal);
  const pays = kind === 'pay' || kind === 'buy';
  const paying = pays || fields.some(({ payment }) => payment);
  const amounts = paying ? await readAmounts(desktop, found, signal) : [];
  const unread = pays && amounts.length === 0 ? message('note.no_amount') : null;
  const facts = [...fields.map(({ fact }) => fact), ...amounts];
  if (facts.length > 0) return { facts, unread };
  const [first] = found.chain.length > 0 ? found.chain : (await textsIn(desktop, around.root, 1, signal)).elements;
  if (first === undefined) return { facts: [], unread: message('note.no_content') };
  return { facts: await nearbyTexts(desktop, found, signal), unread };
}

/** The fields of the closest scope that has any. */
async function readClosestFields(desktop: DesktopReader, scopes: readonly Scope[], signal: AbortSignal) {
  for (const scope of scopes) {
    const { elements, whole } = await fieldsIn(desktop, scope, signal);
    if (!whole) throw new UnreadableFacts(message('note.not_whole'));
    if (elements.length > 0) return elements.filter(({ states }) => !states.secure).map(fieldFact);
  }
  return [];
}

function fieldFact(field: Element): { fact: Fact; payment: boolean } {
  const payment = takesPayment(field);
  const label = field.title || field.description || field.identifier;
  if (field.value === null) throw new UnreadableFacts(message('note.field_unreadable', { label }));
  const value = payment ? maskValue(field.value) : field.value.replaceAll('\u2029', '\n').trim();
  return { fact: { id: field.id, label, value }, payment };
}

/** Shows enough to notice a different value, too little to use it. */
const maskValue = (value: string): string => {
  const signs = [...value];
  return '•'.repeat(Math.max(0, signs.length - 2)) + (signs.length > 4 ? signs.slice(-2).join('') : '');
};

const textOf = ({ value, title }: Element): string => ((value ?? '') === '' ? title : (value ?? '')).trim();

/** Amounts, each labelled with the text right before it. */
async function readAmounts(
  desktop: DesktopReader,
  { around, control, chain, names = [] }: Recognised,
  signal: AbortSignal,
): Promise<Fact[]> {
  const { elements, whole } = await textsIn(desktop, around.root, MAX_TEXTS, signal);
  if (!whole) throw new UnreadableFacts(message('note.not_whole'));
  const texts = elements.map((one) => ({ id: one.id, value: textOf(one) })).filter(({ value }) => value !== '');
  // A heading contains its text as a separate element.
  const once = texts.filter(({ value }, index) => value !== texts[index - 1]?.value);
  const facts = once.map((text, index) => ({ ...text, label: once[index - 1]?.value ?? '' }));
  const [id = ''] = [control?.id, chain[0]?.id].filter((one) => one !== undefined);
  const own = names.map((value) => ({ id, label: '', value }));
  return [...facts, ...own].filter(({ value }) => isAmount(value));
}

/** The selected items around it; for keys, the focused item. */
async function selectedItems(
  desktop: DesktopReader,
  { chain, around, control }: Recognised,
  signal: AbortSignal,
): Promise<Fact[]> {
  const { elements } = await itemsIn(desktop, around.root, signal);
  const [own] = chain;
  const selected = elements.filter(({ states }) => states.selected === true);
  const items = selected.length > 0 || control !== null || own === undefined ? selected : [own];
  return items
    .map((item) => ({ id: item.id, label: '', value: textOf(item) || item.description }))
    .filter(({ value }) => value !== '');
}

/** The texts of the nearest ancestor that has any besides its own. */
async function nearbyTexts(
  desktop: DesktopReader,
  { chain, around, control }: Recognised,
  signal: AbortSignal,
): Promise<Fact[]> {
  const [own] = chain;
  const self = control ?? own;
  if (self === undefined) return [];
  const above = chain.slice(chain.indexOf(self) + 1, chain.indexOf(self) + 1 + NEARBY_LEVELS);
  for (const one of above) {
    if (one.role === 'AXApplication') break;
    const { elements } = await textsIn(desktop, { pid: self.pid, elementId: one.id }, MAX_NEARBY_TEXTS, signal);
    const texts = elements.filter((text) => textOf(text) !== '' && textOf(text) !== textOf(self));
    if (texts.length > 0) return texts.map((text) => ({ id: text.id, label: '', value: textOf(text) }));
    if (around.root.elementId === one.id) break;
  }
  return [];
}

/** The effect class of a plan; weaker than the action's own only where a command was found to do no more than read. */
export function effectOf(own: Effect, plan: Plan | null): Effect {
  const dangerous = plan?.consequence != null || plan?.steps?.some(({ effect }) => effect === 'dangerous') === true;
  return dangerous ? 'dangerous' : plan?.command?.reads === true ? 'read' : own;
}

const PRESSING_EFFECTS: ReadonlySet<Effect> = new Set<Effect>(['input', 'pointer']);

export async function withConsequence(
  desktop: DesktopReader,
  own: Effect,
  plan: Plan,
  signal: AbortSignal,
): Promise<Plan> {
  if (!PRESSING_EFFECTS.has(own) || (own === 'pointer' && plan.drop === undefined)) return plan;
  const { found, unclear } = await judgeAct(desktop, plan, signal);
  if (found === null)
    return unclear === null ? plan : { ...plan, alwaysAsk: true, unclear: true, notes: [...plan.notes, unclear] };
  const { facts, unread } = await readFacts(desktop, found, signal);
  const consequence: Consequence = { kind: found.kind, facts };
  return unread === null
    ? { ...plan, consequence }
    : { ...plan, alwaysAsk: true, consequence, notes: [...plan.notes, unread] };
}

async function readFacts(desktop: DesktopReader, found: Recognised, signal: AbortSignal): Promise<ReadFacts> {
  try {
    return await readConsequenceFacts(desktop, found, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof UnreadableFacts) return { facts: [], unread: thrown.text };
    if (thrown instanceof DesktopError) return { facts: [], unread: message('note.no_content') };
    throw thrown;
  }
}

/** Nothing was done: what the act would do became known only after the policy had allowed it, as on a page that was loading. */
export class DecidedTooEarly extends WireError {}

/** Throws where the content is no longer what the person was shown. */
export function assertSameContent(approved: Plan, fresh: Plan): void {
  const [before, now] = [approved.consequence ?? null, fresh.consequence ?? null];
  const unasked = fresh.unclear === true && approved.unclear !== true && before === null;
  if (now === null && !unasked && (before === null || before.byKeys === true)) return;
  if (before !== null && now !== null && comparableText(before) === comparableText(now)) return;
  const reason = before === null ? 'consequence' : 'content_changed';
  const why = message(before === null ? 'error.does_more' : 'error.about_something_else');
  const Changed = approved.titlesUnseen === true ? DecidedTooEarly : WireError;
  throw new Changed('DESKTOP_TARGET_CHANGED', nothingDone(why), {
    reason,
    approved: before?.facts.map(formatFact) ?? [],
    now: now?.facts.map(formatFact) ?? [],
    next: 'Make this act a call of its own, once the window holds what it should.',
  });
}

const comparableText = ({ kind, facts, saves }: Consequence): string =>
  JSON.stringify([kind, saves, facts.map(({ label, value }) => [label, value])]);

/** Replaces facts with the values that earlier approved steps will have written. */
export function withWrittenFacts(plan: Plan, earlier: readonly StepPlan[]): Plan {
  if (plan.consequence == null) return plan;
  const written = new Map<string, string>();
  for (const { plan: step } of earlier) {
    if (step?.target.kind !== 'element' || step.does?.kind !== 'write') continue;
    const { element } = step.target;
    written.set(element.id, takesPayment(element, step.does.text) ? maskValue(step.does.text) : step.does.text.trim());
  }
  const facts = plan.consequence.facts.map((fact) => ({ ...fact, value: written.get(fact.id) ?? fact.value }));
  return { ...plan, consequence: { ...plan.consequence, facts } };
}
