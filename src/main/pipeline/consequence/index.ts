/**
 * Finds acts with consequences outside this machine, or that cannot be undone. Adds the consequence and its facts to a plan, and
 * what could not be read of them. Called only where an action is planned.
 */
import { DesktopError, type DesktopReader } from '../../../native/desktop.js';
import { WireError, type Effect } from '../../protocol/index.js';
import type { Consequence, Fact, Plan, StepPlan } from '../plan.js';
import { quote } from '../target/quote.js';
import { maskValue, readConsequenceFacts, UnreadableFacts, type ReadFacts } from './consequence-facts.js';
import { judgeAct } from './judge-act.js';
import type { Recognised } from './recognise.js';
import { takesPayment } from './surroundings.js';
import { message, verbatim, type Message } from '../../../messages/index.js';
import { nothingDone } from '../failures.js';

/** The effect class of a plan; never weaker than the action's own. */
export function effectOf(own: Effect, plan: Plan | null): Effect {
  const dangerous = plan?.consequence != null || plan?.steps?.some(({ effect }) => effect === 'dangerous') === true;
  return dangerous ? 'dangerous' : own;
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

/** Throws where the content is no longer what the person was shown. */
export function assertSameContent(approved: Plan, fresh: Plan): void {
  const [before, now] = [approved.consequence ?? null, fresh.consequence ?? null];
  const unasked = fresh.unclear === true && approved.unclear !== true && before === null;
  if (now === null && !unasked && (before === null || before.byKeys === true)) return;
  if (before !== null && now !== null && comparableText(before) === comparableText(now)) return;
  const reason = before === null ? 'consequence' : 'content_changed';
  const why = message(before === null ? 'error.does_more' : 'error.about_something_else');
  throw new WireError('DESKTOP_TARGET_CHANGED', nothingDone(why), {
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

const MAX_FACT_LENGTH = 300;

/** Notes for the card: that the act has consequences, and its facts: the words of the window, not of the control that is pressed. */
export function consequenceNotes({ consequence }: Pick<Plan, 'consequence'>): Message[] {
  if (consequence == null) return [];
  const facts = [...new Set(consequence.facts.map(formatFact))].map(verbatim);
  const around = facts.length === 0 ? [] : [message('note.window_shows')];
  return [message('note.has_consequences'), ...around, ...facts];
}

function formatFact({ label, value }: Fact): string {
  const signs = [...value];
  const shown =
    signs.length > MAX_FACT_LENGTH
      ? `${signs.slice(0, MAX_FACT_LENGTH).join('')}… (+${signs.length - MAX_FACT_LENGTH})`
      : value;
  return label === '' ? quote(shown) : `${quote(label)}: ${quote(shown)}`;
}
