import { shownPolicy, type Approvals } from '../../approvals/index.js';
import type { Chat } from '../../chat/index.js';
import type { EvidenceRecorder } from '../../evidence/index.js';
import type { AgentNames } from '../../agents/names.js';
import type { Health, PopoverPlace, Status, ToPage } from '../../protocol/index.js';
import { newestHistory, withoutImages } from './record.js';
import type { Audience } from './page.js';

const ACTIVITY_SHOWN = 100;

type Connected = Extract<ToPage, { type: 'connected' }>;

/** A value that changes, and reports it. */
export interface WatchedValue<T> {
  now(): T;
  on(listener: (value: T) => void): () => void;
}

export interface GreetingSources {
  chat: Pick<Chat, 'events' | 'floor' | 'pending' | 'cursor'>;
  approvals: Pick<Approvals, 'cards' | 'grants' | 'policy'>;
  recorder: Pick<EvidenceRecorder, 'recent'>;
  status: WatchedValue<Status>;
  names: Pick<AgentNames, 'list' | 'onChange'>;
  health: WatchedValue<Health | null>;
  /** What a person types on this machine to call the command line. */
  command?: string;
}

/** Builds `connected`. The history, which many pages get alike, is serialized once. */
export function createGreetings(shown: GreetingSources) {
  const kept = new Map<Audience, { cursor: number; since: number; text: string }>();

  function history(audience: Audience, cursor: number | null) {
    const newest = shown.chat.cursor();
    const known = kept.get(audience);
    if (known?.cursor === newest && (cursor === null || cursor >= known.since)) return known;
    const { chat } = shown;
    const { events, since } = newestHistory(chat.events(0), chat.pending(), cursor, chat.floor());
    const visible = audience === 'paired' ? events : events.map(withoutImages);
    const made = { cursor: newest, since, text: JSON.stringify(visible) };
    if (cursor === null) kept.set(audience, made);
    return made;
  }

  return {
    /** The `connected` message as text. With a cursor the history goes back to it, within a limit. */
    text(audience: Audience, nonce: string, cursor: number | null, popover: PopoverPlace): string {
      if (audience === 'nobody') return withoutChat(shown, nonce);
      const { text, since } = history(audience, cursor);
      const pending = shown.chat.pending();
      const rest: Omit<Connected, 'type' | 'history'> = {
        pendingAckId: pending[0] ?? null,
        pendingAckIds: pending,
        ...(audience === 'paired' ? { ...pairedState(shown), popover } : unpairedState(shown)),
        cursor: shown.chat.cursor(),
        since,
        nonce,
        ...commandOf(shown),
      };
      return `{"type":"connected","history":${text},${JSON.stringify(rest).slice(1)}`;
    },
  };
}

function withoutChat(shown: GreetingSources, nonce: string): string {
  const chat = { history: [], pendingAckId: null, pendingAckIds: [], cursor: 0, since: 0 };
  const state = { ...unpairedState(shown), mayRead: false };
  const message: Connected = { type: 'connected', ...chat, ...state, nonce, ...commandOf(shown) };
  return JSON.stringify(message);
}

/** Sent to every page, because it says how to pair. */
function commandOf({ command }: GreetingSources): { command?: string } {
  return command === undefined ? {} : { command };
}

function pairedState({ approvals, recorder, status, names, health }: GreetingSources) {
  return {
    role: 'paired' as const,
    approvals: approvals.cards(),
    activity: recorder.recent(ACTIVITY_SHOWN),
    grants: approvals.grants(),
    policy: shownPolicy(approvals.policy()),
    health: health.now(),
    status: status.now(),
    names: names.list(),
  };
}

function unpairedState({ status }: GreetingSources) {
  return {
    role: 'unpaired' as const,
    approvals: [],
    activity: [],
    grants: [],
    policy: null,
    health: null,
    status: publicStatus(status.now()),
  };
}

/** What an unpaired page may know: whether agents are paused, because it may pause them, and nothing of what they do. */
export function publicStatus(status: Status): Status {
  return {
    state: status.state === 'paused' ? 'paused' : 'watching',
    paused: status.paused,
    agents: [],
    recordVerified: status.recordVerified,
    ...(status.recordChecking === undefined ? {} : { recordChecking: status.recordChecking }),
  };
}
