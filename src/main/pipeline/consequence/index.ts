/**
 * Acts with consequences outside this machine, or with no way back. Comes in: a plan. Goes out: the plan with what it would do
 * and what it is about, or a refusal where the window does not tell. Called wherever an action is planned, and nowhere else.
 */
import { DesktopError } from '../../../native/desktop.js';
import type { DesktopReader } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import type { Effect } from '../../protocol/index.js';
import type { Consequence, Fact, Plan, StepPlan } from '../plan.js';
import { quoted } from '../target/quoting.js';
import { factsOf, masked, Unreadable } from './facts.js';
import { recognise } from './recognising.js';
import type { Recognised } from './recognising.js';
import { takesPayment } from './surroundings.js';
import { tellsNothing } from './unnamed.js';
import { message, verbatim, type Message } from '../../../messages/index.js';

/** The class a plan is judged by: never weaker than the action's own. */
export function effectOf(own: Effect, plan: Plan | null): Effect {
  const dangerous = plan?.consequence != null || plan?.steps?.some(({ effect }) => effect === 'dangerous') === true;
  return dangerous ? 'dangerous' : own;
}

const PRESSING: ReadonlySet<Effect> = new Set<Effect>(['input', 'pointer']);

export async function weighed(desktop: DesktopReader, own: Effect, plan: Plan, signal: AbortSignal): Promise<Plan> {
  if (!PRESSING.has(own) || (own === 'pointer' && plan.drop === undefined)) return plan;
  const found = await recognise(desktop, plan, signal);
  if (found === null) {
    const silent = await tellsNothing(desktop, plan, signal);
    return silent ? { ...plan, alwaysAsk: true, notes: [...plan.notes, UNKNOWN] } : plan;
  }
  return { ...plan, consequence: { kind: found.kind, facts: await readable(desktop, found, signal) } };
}

const UNKNOWN = message('note.no_name');

async function readable(desktop: DesktopReader, found: Recognised, signal: AbortSignal): Promise<readonly Fact[]> {
  try {
    return await factsOf(desktop, found, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof Unreadable) && !(thrown instanceof DesktopError)) throw thrown;
    throw new WireError(
      'DESKTOP_TARGET_CHANGED',
      `Nothing was done: what this would ${found.kind} cannot be read, so the person could not be shown it: ${thrown.message}.`,
      { reason: 'content_unreadable', next: 'Ask the person, with send_message, to do this themselves.' },
    );
  }
}

/** Throws where what is there now is no longer what the person was shown. */
export function assertSameContent(approved: Plan, fresh: Plan): void {
  const [before, now] = [approved.consequence ?? null, fresh.consequence ?? null];
  if (now === null && before === null) return;
  if (before !== null && now !== null && told(before) === told(now)) return;
  const reason = before === null ? 'consequence' : 'content_changed';
  const what = before === null ? 'it would now do more than was approved' : 'what it is about is not what was approved';
  throw new WireError('DESKTOP_TARGET_CHANGED', `Nothing was done: ${what}.`, {
    reason,
    approved: before?.facts.map(lineOf) ?? [],
    now: now?.facts.map(lineOf) ?? [],
    next: 'Make this act a call of its own, once the window holds what it should.',
  });
}

const told = ({ kind, facts }: Consequence): string =>
  JSON.stringify([kind, facts.map(({ label, value }) => [label, value])]);

/** What a later step would find once the steps before it have written what they were approved to write. */
export function foreseen(plan: Plan, earlier: readonly StepPlan[]): Plan {
  if (plan.consequence == null) return plan;
  const written = new Map<string, string>();
  for (const { plan: step } of earlier) {
    if (step?.target.kind !== 'element' || step.does?.kind !== 'write') continue;
    const { element } = step.target;
    written.set(element.id, takesPayment(element, step.does.text) ? masked(step.does.text) : step.does.text.trim());
  }
  const facts = plan.consequence.facts.map((fact) => ({ ...fact, value: written.get(fact.id) ?? fact.value }));
  return { ...plan, consequence: { ...plan.consequence, facts } };
}

const LONGEST = 300;

/** Sentences for the card: that it has consequences, and what it is about. */
export function consequenceNotes({ consequence }: Pick<Plan, 'consequence'>): Message[] {
  if (consequence == null) return [];
  return [message('note.has_consequences'), ...[...new Set(consequence.facts.map(lineOf))].map(verbatim)];
}

function lineOf({ label, value }: Fact): string {
  const signs = [...value];
  const shown = signs.length > LONGEST ? `${signs.slice(0, LONGEST).join('')}… (+${signs.length - LONGEST})` : value;
  return label === '' ? quoted(shown) : `${quoted(label)}: ${quoted(shown)}`;
}
