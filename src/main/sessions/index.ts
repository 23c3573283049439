/**
 * Sessions: an agent's work under one name, and macros: acts kept to be done again. Comes in: each call as it ended (the
 * pipeline's {@link Journal} port). Goes out: summaries and recordings. Called by the tools; built by the host. Sessions and
 * recordings live in memory and end with the host; macros are kept in a file.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { EndedCall } from '../pipeline/dependencies.js';
import { WireError } from '../protocol/index.js';
import { actsOf, type RecordedAct } from './recording.js';
import { message, type Message, formatEnglish } from '../../messages/index.js';

// Summary of one session. Counts are unlimited; lists keep their newest entries.

export interface SessionExecution {
  execution: string;
  tool: string;
  outcome: string;
  at: string;
  evidence: string | null;
}

export interface SessionSummary {
  calls: number;
  tools: Record<string, number>;
  effects: Record<string, number>;
  outcomes: Record<string, number>;
  applications: string[];
  grants: { id: string; label: string }[];
  first_call_at: string | null;
  last_call_at: string | null;
}

type SessionTally = ReturnType<typeof createSessionTally>;

const MAX_EXECUTIONS = 500;
const MAX_NAMES = 200;

function createSessionTally() {
  const [tools, effects, outcomes] = [createCounts(), createCounts(), createCounts()];
  const applications = new Set<string>();
  const grants = new Map<string, string>();
  const executions: SessionExecution[] = [];
  let [calls, first, last]: [number, string | null, string | null] = [0, null, null];

  return {
    add(
      { executionId, tool, effect, outcome, plan, decision, evidenceDir, at }: EndedCall,
      grantLabel: (id: string) => Message | null,
    ): void {
      calls += 1;
      first ??= at;
      last = at;
      tools.add(tool);
      effects.add(effect);
      outcomes.add(outcome);
      for (const one of [plan, ...(plan?.steps ?? []).map((step) => step.plan)])
        if (one?.window != null && applications.size < MAX_NAMES) applications.add(one.window.app.id);
      const grant = decision?.kind === 'allowed' ? decision.grantId : null;
      if (grant !== null && grants.size < MAX_NAMES)
        grants.set(grant, labelOf(grantLabel(grant)) ?? grants.get(grant) ?? '');
      executions.push({ execution: executionId, tool, outcome, at, evidence: evidenceDir });
      if (executions.length > MAX_EXECUTIONS) executions.shift();
    },
    account: (): SessionSummary => ({
      calls,
      tools: tools.all(),
      effects: effects.all(),
      outcomes: outcomes.all(),
      applications: [...applications].sort(),
      grants: [...grants].map(([id, label]) => ({ id, label })),
      first_call_at: first,
      last_call_at: last,
    }),
    /** Newest last. */
    executions: (): SessionExecution[] => [...executions],
  };
}

function createCounts() {
  const counts = new Map<string, number>();
  return {
    add(name: string): void {
      if (counts.has(name) || counts.size < MAX_NAMES) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    all: () => Object.fromEntries(counts),
  };
}

const labelOf = (label: Message | null) => (label === null ? null : formatEnglish(label));

export * from './macros.js';
export * from './recording.js';

export interface SessionInfo {
  /** `sessions/{id}` */
  name: string;
  display_name: string;
  state: 'active' | 'ended';
  created_at: string;
  metadata: Record<string, string>;
}

/** An agent sees only its own sessions; the name of another agent's session is unknown to it. */
export type Sessions = ReturnType<typeof createSessions>;

interface Session {
  info: Omit<SessionInfo, 'state'>;
  tally: SessionTally;
  lastAt: number;
  ended: boolean;
}

interface AgentWork {
  sessions: Session[];
  acts: { act: RecordedAct; session: string | null }[];
  lastAt: number;
}

const IDLE_MS = 24 * 3_600_000;
const MAX_SESSIONS = 20;
const MAX_ACTS = 300;
const MAX_AGENTS = 200;
/** Calls that manage sessions do not count as work in them. */
const OWN: ReadonlySet<string> = new Set(['create_session', 'get_session', 'list_sessions', 'delete_session']);

interface SessionsOptions {
  now(): number;
  grantLabel(id: string): Message | null;
}

export function createSessions({ now, grantLabel }: SessionsOptions) {
  const agents = new LRUCache<string, AgentWork>({ max: MAX_AGENTS });

  /** Beyond the limit the least recently active agent is forgotten. */
  function workOf(agentId: string): AgentWork {
    const work = agents.get(agentId) ?? { sessions: [], acts: [], lastAt: 0 };
    agents.set(agentId, work);
    work.lastAt = now();
    for (const session of work.sessions) session.ended ||= now() - session.lastAt > IDLE_MS;
    return work;
  }

  const find = (agentId: string, name: string): Session => {
    const found = agents.has(agentId) ? workOf(agentId).sessions.find(({ info }) => info.name === name) : undefined;
    if (found !== undefined) return found;
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_such_session', { name }), {
      reason: 'unknown_session',
      next: 'See list_sessions; sessions end with the host.',
    });
  };

  return {
    /** Called once for each call that had an execution. */
    ended(call: EndedCall): void {
      if (call.outcome === 'waiting' || OWN.has(call.tool)) return;
      const work = workOf(call.caller.agent.id);
      const session = work.sessions.find((one) => !one.ended) ?? null;
      if (session !== null) session.lastAt = now();
      session?.tally.add(call, grantLabel);
      if (call.effect === 'read' || call.effect === 'bookkeeping' || call.effect === 'disclose') return;
      work.acts.push(...actsOf(call).map((act) => ({ act, session: session?.info.name ?? null })));
      work.acts.splice(0, work.acts.length - MAX_ACTS);
    },
    /** Throws while the agent has an open session. */
    create(
      agentId: string,
      { displayName, metadata }: { displayName: string; metadata: Record<string, string> },
    ): SessionInfo {
      const { sessions } = workOf(agentId);
      const open = sessions.find((one) => !one.ended);
      if (open !== undefined)
        throw new WireError('DESKTOP_INVALID_REQUEST', message('error.session_open', { name: open.info.name }), {
          reason: 'session_open',
          session: open.info.name,
          next: 'Go on in that session, or end it with delete_session first.',
        });
      const info = { name: `sessions/${randomUUID()}`, display_name: displayName, created_at: iso(now()), metadata };
      sessions.unshift({ info, tally: createSessionTally(), lastAt: now(), ended: false });
      sessions.splice(MAX_SESSIONS);
      return { ...info, state: 'active' };
    },
    get(agentId: string, name: string): SessionInfo & { account: SessionSummary; executions: SessionExecution[] } {
      const session = find(agentId, name);
      return { ...infoOf(session), account: session.tally.account(), executions: session.tally.executions() };
    },
    /** Newest first. */
    list: (agentId: string): SessionInfo[] => (agents.has(agentId) ? workOf(agentId).sessions.map(infoOf) : []),
    /** Returns the final summary and forgets the session. */
    remove(agentId: string, name: string): SessionInfo & { account: SessionSummary } {
      const session = find(agentId, name);
      const { sessions } = workOf(agentId);
      sessions.splice(sessions.indexOf(session), 1);
      return { ...infoOf({ ...session, ended: true }), account: session.tally.account() };
    },
    /** The acts done in this session, oldest first. */
    recorded: (agentId: string, name: string): RecordedAct[] => {
      const { info } = find(agentId, name);
      return workOf(agentId).acts.flatMap(({ act, session }) => (session === info.name ? [act] : []));
    },
    /** The acts of these executions, in the given order. Throws for one that did not act or is no longer in memory. */
    recordedBy(agentId: string, executionIds: readonly string[]): RecordedAct[] {
      const acts = agents.has(agentId) ? workOf(agentId).acts : [];
      return executionIds.flatMap((id) => {
        const own = acts.flatMap(({ act }) => (act.executionId === id ? [act] : []));
        if (own.length > 0) return own;
        throw new WireError('DESKTOP_INVALID_REQUEST', message('error.no_such_execution', { id }), {
          reason: 'unknown_execution',
          next: 'Use executionIds from the results of calls that acted.',
        });
      });
    },
  };
}

const iso = (time: number): string => new Date(time).toISOString();

const infoOf = ({ info, ended }: Session): SessionInfo => ({ ...info, state: ended ? 'ended' : 'active' });

/** Replaces `{{name}}` in the texts of a macro's steps, in one pass: placeholders inside values stay text. Pure. */

/** `{{{{` stands for a literal `{{`. */
const TOKEN = /\{\{\{\{|\{\{([A-Za-z][A-Za-z0-9_]{0,39})\}\}|\{\{/g;

/** The parameter names used, and whether there are braces that are neither a placeholder nor escaped. */
export function placeholders(value: unknown): { names: Set<string>; stray: boolean } {
  const names = new Set<string>();
  let stray = false;
  mapTexts(value, (text) => {
    for (const [token, name] of text.matchAll(TOKEN))
      if (name !== undefined) names.add(name);
      else stray ||= token === '{{';
    return text;
  });
  return { names, stray };
}

export function fill<T>(value: T, values: ReadonlyMap<string, string>): T {
  return mapTexts(value, (text) =>
    text.replace(TOKEN, (token, name: string | undefined) => (name === undefined ? '{{' : (values.get(name) ?? token))),
  );
}

/** Escapes braces in typed text, so that it is repeated literally. */
export function literal<T>(value: T): T {
  return mapTexts(value, (text) => text.replaceAll('{{', '{{{{'));
}

/** Replaces texts that equal `text` by the placeholder; null where there is none. */
export function parameterize<T>(value: T, text: string, name: string): T | null {
  let found = false;
  const changed = mapTexts(value, (one) => {
    if (one !== text) return one;
    found = true;
    return `{{${name}}}`;
  });
  return found ? changed : null;
}

function mapTexts<T>(value: T, change: (text: string) => string): T {
  const walk = (one: unknown): unknown => {
    if (typeof one === 'string') return change(one);
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, walk(inner)]));
  };
  // Only texts change, so the shape stays.
  return walk(value) as T;
}
