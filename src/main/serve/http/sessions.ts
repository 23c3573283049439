/**
 * The sessions of the HTTP door. Comes in: requests whose token was right, with the process that made them. Goes out: the SDK's
 * responses. A session is its process's only; where it cannot be told, only others that cannot be told may use it, by its id.
 */
import { CLIENT_INFO_META_KEY, isLegacyRequest } from '@modelcontextprotocol/server';
import { isRecord } from '../../../base/type-guards.js';
import type { ProcessIdentity } from '../../../native/peer/types.js';
import { claimOf } from '../../protocol/gabp.js';
import type { Profile } from '../../protocol/pipe.js';
import { problem } from './client-body.js';
import { whileEarly, callerNow } from '../earliness.js';
import type { Sender } from './peers.js';
import { createStateless, openSession, type Session, type SessionOptions } from './session.js';
import { randomUUID } from 'node:crypto';
import type { MakeCaller } from '../../agents/caller.js';
import type { WatchCaller } from '../../agents/same-program.js';
import { createMcpAgent, type McpAgent } from '../mcp/agent.js';
import type { AgentServices } from '../services.js';

export interface SessionsOptions extends Omit<SessionOptions, 'backend' | 'onLeft'> {
  openAgent(peer: ProcessIdentity, asked: { claim: string | null; profile: Profile }): HttpAgent;
  /** Without requests and calls; tests shorten it. */
  idleMs?: number;
}

interface Entry {
  agent: HttpAgent;
  session: Session;
  profile: Profile;
  /** HTTP requests in progress, without those counted in `streams`. */
  requests: number;
  /** Open GET requests; such a stream may stay silent for ever. */
  streams: number;
  usedAt: number;
}

export interface Answer {
  response: Response;
  /** Must be called once the response was sent, or was not. */
  done(delivered: boolean): void;
}

export type HttpSessions = ReturnType<typeof createSessions>;

const IDLE_MS = 30 * 60_000;
const MAX_SESSIONS = 64;
/** Processes that cannot be told count as one. */
const MAX_OF_PROCESS = 8;

export function createSessions(options: SessionsOptions) {
  const { openAgent, idleMs = IDLE_MS } = options;
  const entries = new Set<Entry>();
  let closed = false;

  const isWorking = ({ requests, agent }: Entry): boolean => requests > 0 || agent.running() > 0;
  const isIdle = (entry: Entry): boolean => !isWorking(entry) && entry.streams === 0;

  async function end(entry: Entry): Promise<void> {
    if (!entries.delete(entry)) return;
    entry.agent.leave();
    await entry.session.close().catch(options.onError);
  }

  function endUnused(): void {
    for (const entry of entries)
      if (!entry.agent.isSame() || (isIdle(entry) && performance.now() - entry.usedAt > idleMs)) void end(entry);
  }
  const timer = setInterval(endUnused, Math.min(idleMs, 60_000));
  timer.unref();

  /**
   * Makes room among the process's own sessions only, so that none can crowd out another's. One that has only a stream open may have
   * been left behind; its client opens another where it has not.
   */
  function hasRoom(peer: ProcessIdentity): boolean {
    const own = [...entries].filter(({ agent }) => isPeer(agent.peer, peer));
    if (own.length < MAX_OF_PROCESS && entries.size < MAX_SESSIONS) return true;
    const byUse = own.filter((entry) => !isWorking(entry)).sort((a, b) => a.usedAt - b.usedAt);
    const oldest = byUse.find(isIdle) ?? byUse[0];
    if (oldest === undefined) return false;
    void end(oldest);
    return true;
  }

  function open(peer: ProcessIdentity, body: unknown, legacy: boolean, profile: Profile): Entry | Response {
    if (closed || !hasRoom(peer))
      return problem(503, 'There are too many sessions, each with a call that runs. End one, then try again.');
    const agent = openAgent(peer, { claim: claimIn(body, legacy), profile });
    const serving = { ...options, backend: agent.backend, onLeft: agent.left };
    const ended = (): void => void end(entry);
    const session = legacy ? openSession(serving, ended) : createStateless(serving);
    const entry: Entry = { agent, session, profile, requests: 0, streams: 0, usedAt: performance.now() };
    entries.add(entry);
    return entry;
  }

  async function find(request: Request, body: unknown, peer: ProcessIdentity): Promise<Entry | Response> {
    const legacy = await isLegacyRequest(request, body);
    endUnused();
    const all = [...entries].filter(({ agent }) => isPeer(agent.peer, peer));
    const profile = profileOf(request);
    if (profile === null) return problem(400, 'profile: use full or core.');
    if (!legacy) {
      const known = all.find(
        (one) => one.session.id === null && one.profile === profile && one.agent.peer.startTime === peer.startTime,
      );
      return known ?? open(peer, body, false, profile);
    }
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return all.find(({ session }) => session.id === id) ?? problem(404, 'Session not found', -32001);
    if (isRecord(body) && body['method'] === 'initialize') return open(peer, body, true, profile);
    return problem(400, 'Bad Request: Mcp-Session-Id header is required');
  }

  return {
    async answer(request: Request, body: unknown, { peer, early }: Sender): Promise<Answer> {
      const entry = await find(request, body, peer);
      if (entry instanceof Response) return { response: entry, done: () => undefined };
      const kind = request.method === 'GET' ? 'streams' : 'requests';
      entry[kind] += 1;
      const isNew = entry.session.id !== null && !request.headers.has('mcp-session-id');
      const done = (delivered: boolean): void => {
        entry[kind] -= 1;
        entry.usedAt = performance.now();
        entry.agent.sent(request, delivered);
      };
      try {
        // Only the program that began a session knows its id.
        const isEarly = early && entry.session.id === null;
        const response = await whileEarly(isEarly, () => entry.session.handle(request, body));
        if (isNew && !response.ok) void end(entry);
        return { response, done };
      } catch (error) {
        done(false);
        throw error;
      }
    },
    toolsChanged() {
      for (const { session } of entries) session.toolsChanged();
    },
    resourceUpdated(uri: string) {
      for (const { session } of entries) session.resourceUpdated(uri);
    },
    sendObservation(agentId: string, id: string, event: unknown) {
      for (const { agent, session } of entries) if (agent.id === agentId) session.sendObservation(id, event);
    },
    async close() {
      closed = true;
      clearInterval(timer);
      await Promise.all([...entries].map(end));
    },
  };
}

const isPeer = (one: ProcessIdentity, other: ProcessIdentity): boolean =>
  one.pid === other.pid && (one.pid === 0 || one.startTime === other.startTime);

/** From the address; null where it is none. */
function profileOf({ url }: Request): Profile | null {
  const asked = new URL(url).searchParams.get('profile') ?? 'full';
  return asked === 'full' || asked === 'core' ? asked : null;
}

function claimIn(body: unknown, legacy: boolean): string | null {
  const params = isRecord(body) ? body['params'] : null;
  if (!isRecord(params)) return null;
  if (legacy) return claimOf(params['clientInfo']);
  return isRecord(params['_meta']) ? claimOf(params['_meta'][CLIENT_INFO_META_KEY]) : null;
}

/** One agent that came by HTTP: the process that the kernel names. Called by sessions. */
interface HttpAgent extends Omit<McpAgent, 'written'> {
  id: string;
  peer: ProcessIdentity;
  /** False once the process has ended or runs another program. */
  isSame(): boolean;
}

export interface HttpAgentOptions extends Pick<AgentServices, 'calls' | 'agents'> {
  makeCaller: MakeCaller;
  watchCaller: WatchCaller;
  /** Where the person answers. */
  url: string;
  /** Milliseconds until a call that waits is answered with a handle; absent: by the client's name. */
  callLimitMs?: number;
}

export function createHttpAgent(
  options: HttpAgentOptions,
  peer: ProcessIdentity,
  { claim, profile }: { claim: string | null; profile: Profile },
): HttpAgent {
  const { agents, makeCaller, watchCaller } = options;
  const caller = makeCaller(peer, { claim, viaShim: false, protocol: 'mcp', connectionId: randomUUID() });
  const watch = watchCaller(caller);
  const agent = createMcpAgent({ ...options, profile, caller: () => callerNow(caller) });
  agents.connected(caller);
  return {
    ...agent,
    id: caller.agent.id,
    peer,
    isSame: watch.isSame,
    leave() {
      agent.leave();
      watch.close();
      agents.disconnected(caller);
    },
  };
}
