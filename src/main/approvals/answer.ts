/** A person's press on Allow or Deny: what makes it count, and what it does. */
import type { Grant } from '../protocol/index.js';
import { programOf } from './asked.js';
import type { Parts } from './decide.js';
import { refusalOf } from './decide.js';
import type { Entry } from './entry.js';
import { refusal } from './events.js';
import type { Answer, Answered } from './events.js';
import type { PersonDecision } from './store.js';
import type { GrantKind } from './choices.js';
import { settledWords } from './settled.js';

const INJECTED_MS = 1_000;
const MAX_MESSAGE = 4_000;

export interface AnswerOptions {
  /** Answers this soon after a card appeared or changed are no answers. */
  deadMs: number;
  /** A popover exists: dangerous requests and grants are decided there only. */
  popover: boolean;
  /** When input was last injected, by the clock of `now`; 0 for never. */
  lastInjected(): number;
  now(): number;
}

/** What follows an answer that counted. */
export interface AnswerEffects {
  granted(): void;
  /** The third No within a minute. */
  thirdDenial(agentId: string): void;
  pressAgain(id: string): void;
}

export function createAnswer(
  parts: Parts,
  options: AnswerOptions,
  effects: AnswerEffects,
): (answer: Answer) => Answered {
  const { clock, queue, settled, log } = parts;
  const injected = createInjectedCheck(parts, options);

  return (answer) => {
    try {
      queue.sweep();
      const entry = queue.open().find(({ card }) => card.id === answer.id);
      if (entry === undefined) {
        const past = settled.get(answer.id);
        if (past !== undefined) return refusal('settled', settledWords(past));
        return refusal('unknown_card', 'There is no such request, or it ended before this host started.');
      }
      const no = seenIsNot(entry, answer) ?? (answer.decision === 'allow' ? notAllowed(entry, answer) : null);
      if (no !== null) return no;
      if (answer.decision === 'allow') allow(entry, answer);
      else deny(entry, answer);
      return { ok: true };
    } catch (thrown) {
      log(thrown);
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      return refusal('failed', `Nothing was decided: ${why}`);
    }
  };

  function seenIsNot({ card, shownAt }: Entry, { digest, decision }: Answer): Answered | null {
    if (decision !== 'allow' && decision !== 'deny') return refusal('failed', 'An answer is allow or deny.');
    if (digest !== card.digest) return refusal('stale', 'This request changed. Read it again, then decide.');
    if (clock.read() - shownAt < options.deadMs)
      return refusal('too_soon', 'The request had only just appeared. Nothing was decided; press again.');
    return null;
  }

  function notAllowed({ card, asked }: Entry, { where, grant = 'once' }: Answer): Answered | null {
    if (where !== 'popover' && where !== 'page')
      return refusal('not_allowed_here', 'Only a person in the popover or in a paired page can allow.');
    const paused = asked.personOnly ? null : parts.pauses.of(asked.agent.id);
    if (paused !== null) return refusal('paused', `Agents are paused: ${paused.reason} Let them go on first.`);
    const words = refusalOf(parts.rules.policy, asked);
    if (words !== null) return refusal('policy', words);
    const dangerous = asked.effect === 'dangerous';
    if (options.popover && where !== 'popover' && (dangerous || grant !== 'once'))
      return refusal('popover_only', 'Decide this in the menu bar.');
    const offered = parts.rules.policy.grants && !dangerous && card.grants.some(({ kind }) => kind === grant);
    if (grant !== 'once' && !offered) return refusal('grant_not_offered', 'This cannot be given for longer than once.');
    if (injected()) {
      effects.pressAgain(card.id);
      return refusal(
        'press_again',
        'An agent’s own input came less than a second before. Nothing was decided; press Allow again.',
      );
    }
    return null;
  }

  function allow(entry: Entry, answer: Answer): void {
    const { asked, card } = entry;
    const kind = answer.grant ?? 'once';
    const grant = kind === 'once' ? null : give(kind, entry);
    const { effects: rules } = parts.rules.policy;
    if (grant === null && rules[asked.effect] === 'ask_once_per_session' && !asked.personOnly) parts.memory.add(asked);
    queue.settle(entry, {
      kind: 'allowed',
      by: 'person',
      approvalId: card.id,
      grantId: grant?.id ?? null,
      where: answer.where,
      who: answer.by,
      ...timing(entry),
    });
    if (grant !== null) effects.granted();
  }

  function give(kind: GrantKind, { asked }: Entry): Grant {
    return parts.grants.add(kind, asked);
  }

  function deny(entry: Entry, answer: Answer): void {
    const { asked, card } = entry;
    const message = answer.message?.slice(0, MAX_MESSAGE) ?? '';
    const decision: PersonDecision = {
      kind: 'denied',
      reason: 'denied',
      by: answer.where,
      who: answer.by,
      approvalId: card.id,
      message: message.trim() === '' ? null : message,
      ...timing(entry),
    };
    const person = answer.where !== 'agent' && answer.where !== 'host';
    const third = person && !asked.personOnly && parts.pauses.denied(programOf(asked.agent));
    queue.settle(entry, decision);
    if (third) effects.thirdDenial(asked.agent.id);
  }

  function timing({ card }: Entry): { at: string; waitedMs: number } {
    const time = clock.read();
    return { at: new Date(time).toISOString(), waitedMs: Math.max(0, time - Date.parse(card.createdAt)) };
  }
}

/** True within a second of injected input. Input from the future (the wall clock was set back) counts from when it was first noticed. */
function createInjectedCheck({ clock }: Parts, { lastInjected, now }: AnswerOptions): () => boolean {
  let odd = { value: 0, noticedAt: -Infinity };
  return () => {
    const value = lastInjected();
    if (!Number.isFinite(value)) return value !== -Infinity;
    const ago = now() - value;
    if (ago >= 0) return ago < INJECTED_MS;
    if (odd.value !== value) odd = { value, noticedAt: clock.read() };
    return clock.read() - odd.noticedAt < INJECTED_MS;
  };
}
