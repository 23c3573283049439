/** Grants that last longer than one act. On disk, so that they outlive a restart of the host. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { createEmitter } from '../../base/emitter.js';
import type { App } from '../../native/desktop.js';
import { grantSchema, type Grant } from '../protocol/index.js';
import { isKnownProgram, type RequestFacts } from './request-facts.js';
import {
  SESSION_MS,
  TIME_MS,
  grantCovers,
  grantMessage,
  grantScope,
  mayBeAlways,
  type StoredGrantKind,
} from './choices.js';
import type { Clock } from './clock.js';
import { createDurableWriter, readPrivate, writePrivate } from './files.js';
import { createTrust, type Trust } from './trust.js';
import { message, MessageError, type Message } from '../../messages/index.js';

const MAX_GRANTS = 500;
const fileSchema = z.strictObject({ version: z.literal(1), grants: z.array(grantSchema).max(MAX_GRANTS) });

export interface GrantStore {
  /** The grant that covers this request, or null. Never for dangerous acts, whatever the file says. */
  match(asked: RequestFacts): Grant | null;
  /** Takes `count` (1) of a counted grant; false when it has ended. Throws when that cannot be written. */
  use(id: string, count?: number): boolean;
  /** Renews one that is for the same, so that none is listed twice. Throws when there can be none, or when it cannot be written. */
  add(kind: StoredGrantKind, asked: RequestFacts, uses?: number): Grant;
  /** False when there is no such grant. It has ended even where the file cannot be written. */
  revoke(id: string): boolean;
  /** Ends the grants of one connection of a program of another machine; true when there were any. */
  endConnection(startTime: string): boolean;
  /** This agent has opened the application: from now on it is known which program its grants for it are for. */
  opened(agentId: string, app: Pick<App, 'id' | 'program'>): void;
  /** False once it was revoked or its time is over. A used-up count does not stop the act that used it. */
  live(id: string): boolean;
  list(): Grant[];
  /** Called after each use. Returns a dispose function. */
  onUse(listener: () => void): () => void;
  /** Drops what has ended; true when something has. */
  expire(): boolean;
  /** Why there can be no `always` for these programs; null: there can, as far as they are concerned. */
  noAlways(asked: RequestFacts): Message | null;
  /** Of this agent, for whatever application. */
  ofAgent(asked: RequestFacts): Grant[];
  /** An `always` that would cover this, had not one of its programs been replaced. */
  replaced(asked: RequestFacts): Grant | null;
}

interface GrantStoreOptions {
  file: string;
  clock: Clock;
  log(thrown: unknown): void;
  /** Absent where there is nothing but the path of a program. */
  trust?: Trust;
}

export function createGrantStore({ file, clock, log, trust = createTrust(undefined) }: GrantStoreOptions): GrantStore {
  let grants = load(file, clock, log);
  /** Used up, but the act that took the last use may still run. */
  let spent: Grant[] = [];
  const uses = createEmitter<void>(log);

  const ended = (grant: Grant) => grant.expiresAt !== null && clock.read() >= Date.parse(grant.expiresAt);
  const list = () => grants.filter((grant) => !ended(grant));
  const save = (next: Grant[]) => writePrivate(file, { version: 1, grants: next.filter(outlivesConnection) });
  const saved = createDurableWriter(() => save(list()));

  function add(kind: StoredGrantKind, asked: RequestFacts, uses?: number): Grant {
    const programs = kind === 'always' ? trust.programsOf(asked) : undefined;
    if (programs !== undefined && 'why' in programs) throw new MessageError(programs.why);
    const made = { ...make(kind, asked, clock, uses ?? null), ...(programs === undefined ? {} : { programs }) };
    const same = list().find((one) => isSameGrant(one, made));
    // What runs on it goes on, and ends with it.
    const grant =
      same === undefined ? made : { ...made, id: same.id, ...(same.used === undefined ? {} : { used: same.used }) };
    const next = [...list().filter((one) => one !== same), grant];
    if (next.length > MAX_GRANTS) throw new MessageError(message('grant.too_many', { count: MAX_GRANTS }));
    save(next);
    grants = next;
    return grant;
  }

  function use(id: string, count = 1): boolean {
    const grant = list().find((one) => one.id === id);
    if (grant === undefined) return false;
    const used = (grant.used ?? 0) + count;
    if (grant.usesLeft === null) {
      grants = grants.map((one) => (one.id === id ? { ...one, used } : one));
      flush();
      uses.emit();
      return true;
    }
    const left = grant.usesLeft - count;
    if (left < 0) return false;
    const changed = { ...grant, usesLeft: left, used };
    const next = grants.flatMap((one) => (one.id !== id ? [one] : left > 0 ? [changed] : []));
    save(next);
    grants = next;
    if (left === 0) spent.push(changed);
    uses.emit();
    return true;
  }

  function revoke(id: string): boolean {
    const known = grants.some((one) => one.id === id) || spent.some((one) => one.id === id);
    grants = grants.filter((one) => one.id !== id);
    spent = spent.filter((one) => one.id !== id);
    if (!known) return false;
    flush();
    return true;
  }

  function endConnection(startTime: string): boolean {
    const before = grants.length;
    const stays = ({ agent }: Grant) => agent.via === undefined || agent.startTime !== startTime;
    [grants, spent] = [grants.filter(stays), spent.filter(stays)];
    return grants.length !== before;
  }

  /** A revoked grant must not come back with the next start, so a failed write is tried again. */
  function flush(): void {
    try {
      saved.write();
    } catch (thrown) {
      log(thrown);
    }
  }

  return {
    match: (asked) => list().find((grant) => fits(grant, asked) && runsSame(grant, asked, trust)) ?? null,
    use,
    add,
    revoke,
    endConnection,
    opened(agentId, { id, program }) {
      const waits = ({ agent, appId, appProgram }: Grant) =>
        agent.id === agentId && appId === id && appProgram === UNKNOWN_YET;
      if (program === UNKNOWN_YET || !list().some(waits)) return;
      grants = grants.map((one) => (waits(one) ? boundTo(one, program) : one));
      flush();
    },
    live: (id) => [...grants, ...spent].some((grant) => grant.id === id && !ended(grant)),
    list: () => structuredClone(list()),
    onUse: uses.on,
    expire() {
      const before = grants.length;
      grants = list();
      spent = spent.filter((grant) => !ended(grant));
      if (saved.isPending() || grants.length !== before) flush();
      return grants.length !== before;
    },
    noAlways(asked) {
      const programs = trust.programsOf(asked);
      return 'why' in programs ? programs.why : null;
    },
    ofAgent: (asked) => list().filter((grant) => isFor(grant, asked)),
    replaced: (asked) =>
      list().find((grant) => grant.kind === 'always' && fits(grant, asked) && !runsSame(grant, asked, trust)) ?? null,
  };
}

/** The program of a grant for an application that has not been opened yet: it fits no request. */
const UNKNOWN_YET = '';

function boundTo({ appProgram: _, ...grant }: Grant, program: string | undefined): Grant {
  return program === undefined ? grant : { ...grant, appProgram: program };
}

/** For the same agent, the same application or site, the same acts and as long: only its time began earlier. */
function isSameGrant(one: Grant, other: Grant): boolean {
  const part = ({ kind, agent, appId, appProgram, origin, effects, folder, usesLeft }: Grant) => {
    const { name: _, ...who } = agent;
    return { kind, who, appId, appProgram, origin, effects, folder, counted: usesLeft !== null };
  };
  return isDeepStrictEqual(part(one), part(other));
}

const fits = (grant: Grant, asked: RequestFacts): boolean => isFor(grant, asked) && grantCovers(grant, asked);

/** An `always` is for the programs it was given for, whatever lies at their paths by now. */
const runsSame = ({ kind, programs }: Grant, asked: RequestFacts, trust: Trust): boolean =>
  kind !== 'always' || trust.runsSame(programs, asked);

/** Compares what the kernel reports; the name that a client gives itself does not count. */
export function isFor(grant: Grant, asked: RequestFacts): boolean {
  const { agent } = asked;
  if (
    agent.demo === true ||
    !isKnownProgram(agent) ||
    grant.agent.via !== agent.via ||
    grant.agent.executable !== agent.executable ||
    grant.agent.script !== agent.script
  )
    return false;
  if (grant.kind === 'always') return mayBeAlways(asked);
  const isSame = grant.agent.pid === agent.pid && grant.agent.startTime === agent.startTime;
  return isSame && grant.agent.id === agent.id;
}

function make(kind: StoredGrantKind, asked: RequestFacts, clock: Clock, usesLeft: number | null): Grant {
  const scope = grantScope(asked);
  if (scope === null) throw new MessageError(message('grant.none_for_this'));
  if (kind === 'always' && !mayBeAlways(asked))
    throw new MessageError(message('grant.no_always', { app: scope.app.name }));
  const { name, executable, script, pid, startTime, id, via } = asked.agent;
  const one = kind === 'always' ? { pid: null, startTime: null } : { pid, startTime, id };
  const at = clock.read();
  const until = { time: at + TIME_MS, session: at + SESSION_MS, always: null }[kind];
  return {
    id: randomUUID(),
    kind,
    agent: { name, executable, script, ...one, ...(via === undefined ? {} : { via }) },
    appId: scope.app.id,
    appName: scope.app.name,
    ...(scope.app.program === undefined ? {} : { appProgram: scope.app.program }),
    origin: scope.origin,
    effects: scope.effects,
    ...(scope.folder === undefined ? {} : { folder: scope.folder }),
    label: grantMessage(kind, asked, scope),
    createdAt: new Date(at).toISOString(),
    expiresAt: until === null ? null : new Date(until).toISOString(),
    usesLeft,
  };
}

/** A file that cannot be trusted, or a grant from the future, gives nothing. */
function load(file: string, clock: Clock, log: (thrown: unknown) => void): Grant[] {
  try {
    const content = readPrivate(file);
    if (content === null) return [];
    return fileSchema.parse(content).grants.filter((grant) => isSound(grant, clock.read()));
  } catch (thrown) {
    log(thrown);
    return [];
  }
}

/** One for a program of another machine is never written: its connection ends with the host, if not before. */
const outlivesConnection = ({ agent }: Grant): boolean => agent.via === undefined;

function isSound(grant: Grant, time: number): boolean {
  if (!outlivesConnection(grant)) return false;
  const created = Date.parse(grant.createdAt);
  const longest = { once: 0, time: TIME_MS, session: SESSION_MS, always: Infinity }[grant.kind];
  if (created > time || grant.effects.some((effect) => effect === 'dangerous')) return false;
  if (grant.kind === 'always') return grant.agent.pid === null;
  return grant.agent.pid !== null && grant.expiresAt !== null && Date.parse(grant.expiresAt) - created <= longest;
}
