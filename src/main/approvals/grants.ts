/** Grants that last longer than one act. On disk, so that they outlive a restart of the host. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createEmitter } from '../../base/emitter.js';
import type { ProgramIdentities } from '../../native/peer/program-identity.js';
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
import { createDurableWriter } from './durable-writer.js';
import { readPrivate, writePrivate } from './files.js';
import { message, MessageError } from '../../messages/index.js';

const MAX_GRANTS = 500;
const fileSchema = z.strictObject({ version: z.literal(1), grants: z.array(grantSchema).max(MAX_GRANTS) });

export interface GrantStore {
  /** The grant that covers this request, or null. Never for dangerous acts, whatever the file says. */
  match(asked: RequestFacts): Grant | null;
  /** Takes `count` (1) of a counted grant; false when it has ended. Throws when that cannot be written. */
  use(id: string, count?: number): boolean;
  /** Throws when there can be none, or when it cannot be written: then there is none. */
  add(kind: StoredGrantKind, asked: RequestFacts, uses?: number): Grant;
  /** False when there is no such grant. It has ended even where the file cannot be written. */
  revoke(id: string): boolean;
  /** Ends the grants of one connection of a program of another machine; true when there were any. */
  endConnection(startTime: string): boolean;
  /** False once it was revoked or its time is over. A used-up count does not stop the act that used it. */
  live(id: string): boolean;
  list(): Grant[];
  /** Called after each use. Returns a dispose function. */
  onUse(listener: () => void): () => void;
  /** Drops what has ended; true when something has. */
  expire(): boolean;
  /** Whether an `always` can be told from a grant to another program at the same path. */
  canLast(asked: RequestFacts): boolean;
}

interface GrantStoreOptions {
  file: string;
  clock: Clock;
  log(thrown: unknown): void;
  /** Absent where the system tells of no more than the path of a program. */
  identities?: ProgramIdentities;
}

export function createGrantStore({ file, clock, log, identities }: GrantStoreOptions): GrantStore {
  let grants = load(file, clock, log);
  /** Used up, but the act that took the last use may still run. */
  let spent: Grant[] = [];
  const uses = createEmitter<void>(log);

  const ended = (grant: Grant) => grant.expiresAt !== null && clock.read() >= Date.parse(grant.expiresAt);
  const list = () => grants.filter((grant) => !ended(grant));
  const save = (next: Grant[]) => writePrivate(file, { version: 1, grants: next.filter(outlivesConnection) });
  const saved = createDurableWriter(() => save(list()));

  function add(kind: StoredGrantKind, asked: RequestFacts, uses?: number): Grant {
    const programs = kind === 'always' && identities !== undefined ? identify(asked, identities) : undefined;
    if (programs === null) throw new MessageError(message('grant.no_identity', { agent: asked.agent.name }));
    const grant = { ...make(kind, asked, clock, uses ?? null), ...(programs === undefined ? {} : { programs }) };
    const next = [...list(), grant];
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
    match: (asked) =>
      list().find(
        (grant) => isFor(grant, asked) && grantCovers(grant, asked) && runsSamePrograms(grant, asked, identities),
      ) ?? null,
    use,
    add,
    revoke,
    endConnection,
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
    canLast: (asked) => identities === undefined || identify(asked, identities) !== null,
  };
}

type Programs = NonNullable<Grant['programs']>;

/** null where either program cannot be told. */
function identify({ agent, app }: RequestFacts, identities: ProgramIdentities): Programs | null {
  const own = identities.of(agent);
  const target = app?.process === undefined ? null : identities.of(app.process);
  if (own === null || (app?.process !== undefined && target === null)) return null;
  return { agent: own, app: target };
}

/** An `always` is for the programs it was given for, whatever lies at their paths by now. */
function runsSamePrograms(
  { kind, programs }: Grant,
  { agent, app }: RequestFacts,
  identities: ProgramIdentities | undefined,
): boolean {
  if (kind !== 'always' || identities === undefined) return true;
  if (programs === undefined || !identities.isSame(agent, programs.agent)) return false;
  if (programs.app === null || app?.process === undefined) return programs.app === null && app?.process === undefined;
  return identities.isSame(app.process, programs.app);
}

/** Compares what the kernel reports; the name that a client gives itself does not count. */
function isFor(grant: Grant, asked: RequestFacts): boolean {
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
  return grant.agent.pid === agent.pid && grant.agent.startTime === agent.startTime;
}

function make(kind: StoredGrantKind, asked: RequestFacts, clock: Clock, usesLeft: number | null): Grant {
  const scope = grantScope(asked);
  if (scope === null) throw new MessageError(message('grant.none_for_this'));
  if (kind === 'always' && !mayBeAlways(asked))
    throw new MessageError(message('grant.no_always', { app: scope.app.name }));
  const { name, executable, script, pid, startTime, via } = asked.agent;
  const one = kind === 'always' ? { pid: null, startTime: null } : { pid, startTime };
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
