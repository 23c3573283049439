/** One open card and the calls that wait on it. */
import type { Card } from '../protocol/index.js';
import { cardDigest } from './digest.js';
import { WaitEnded, type ApprovalRequest, type Decision, type FullView } from './request.js';
import type { StoredCard } from './store.js';

const MAX_IN_TURN = 64;
const MAX_EXECUTIONS = 100;

export type AskOutcome = Decision | 'again';
export type Mode = WaitEnded['mode'];
export type OnWaiting = (card: { approvalId: string; expiresAt: string }) => void;

export interface Waiter {
  executionId: string;
  settle(outcome: AskOutcome): void;
  leave(mode: Mode): void;
  /** Tells the caller what it waits for, again where that has another end. */
  tell(): void;
}

export interface OpenCard extends StoredCard {
  /** When the current version of the card was first shown. */
  shownAt: number;
  /** Nobody can have seen it since then, and its clock stands; null: it runs. */
  heldSince: number | null;
  /** Kept in memory only: null after a restart. */
  fullView: FullView | null;
  waiters: Set<Waiter>;
  /** Other calls of the same agent, which wait until this card is settled. */
  turn: Set<() => void>;
}

export function createOpenCard(stored: StoredCard, shownAt: number, fullView: FullView | null = null): OpenCard {
  return { ...stored, shownAt, heldSince: null, fullView, waiters: new Set(), turn: new Set() };
}

export function storedOf({ key, card, asked, seen, executionIds }: StoredCard): StoredCard {
  return { key, card, asked, seen, executionIds };
}

/** Shown anew with another digest, so that no answer to what it said before counts. */
export function reviseCard(entry: OpenCard, change: Pick<Card, 'task' | 'covers'>, at: number): void {
  const revised = { ...entry.card, ...change };
  Object.assign(entry, { card: { ...revised, digest: cardDigest(revised) }, shownAt: at });
}

/** Waits until the card is settled. Rejects with the signal's reason, and calls `left` then. */
export function waitOn(
  entry: OpenCard,
  executionId: string,
  signal: AbortSignal,
  tell: { joined: () => void; waiting: () => void; left: (mode: Mode) => void },
): Promise<AskOutcome> {
  if (!entry.executionIds.includes(executionId))
    entry.executionIds = [...entry.executionIds.slice(1 - MAX_EXECUTIONS), executionId];
  return new Promise((resolve, reject) => {
    const quit = (reason: Error, mode: Mode) => {
      signal.removeEventListener('abort', aborted);
      if (entry.waiters.delete(waiter)) tell.left(mode);
      reject(reason);
    };
    const aborted = () => quit(abortReason(signal), waitEndMode(signal));
    const waiter: Waiter = {
      executionId,
      settle(outcome) {
        signal.removeEventListener('abort', aborted);
        resolve(outcome);
      },
      leave: (mode) => quit(new WaitEnded(mode), mode),
      tell: tell.waiting,
    };
    entry.waiters.add(waiter);
    signal.addEventListener('abort', aborted, { once: true });
    try {
      tell.joined();
      tell.waiting();
    } catch (thrown) {
      quit(thrown instanceof Error ? thrown : new Error(String(thrown)), 'withdraw');
    }
  });
}

/** Waits until another call's card is settled; then the request is judged again from the start. */
export function waitInTurn(entry: OpenCard, signal: AbortSignal): Promise<'again'> {
  if (entry.turn.size >= MAX_IN_TURN) throw new Error(`${MAX_IN_TURN} calls of this agent wait for their turn already`);
  return new Promise((resolve, reject) => {
    const stop = () => {
      entry.turn.delete(go);
      reject(abortReason(signal));
    };
    const go = () => {
      signal.removeEventListener('abort', stop);
      resolve('again');
    };
    entry.turn.add(go);
    signal.addEventListener('abort', stop, { once: true });
  });
}

export function endTurns(entry: OpenCard): void {
  for (const go of entry.turn) go();
  entry.turn.clear();
}

/** Includes the agent: two agents never share a card, even with the same call key. */
export function keyOf(request: ApprovalRequest): string {
  return JSON.stringify([request.caller.agent.id, request.callKey]);
}

/** Only a caller that detaches keeps its card; any other end of the call withdraws the request. */
export function waitEndMode(signal: AbortSignal): Mode {
  return signal.reason instanceof WaitEnded ? signal.reason.mode : 'withdraw';
}

export function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new WaitEnded('withdraw');
}
