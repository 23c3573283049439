import type { Approvals } from '../approvals/index.js';
import type { Locks } from '../pipeline/locks.js';
import type { ConnectedAgent, CurrentCall, OwnDesktop, Status, ElsewhereHost } from '../protocol/index.js';
import type { Sessions } from '../sessions/index.js';
import { QUESTION_TOOL } from '../protocol/local-command.js';
import type { Agents } from './index.js';
import type { AttentionBoard } from './attention.js';
import type { Executions } from '../pipeline/executions.js';
import { createEmitter } from '../../base/emitter.js';
import { createThrottle } from '../../base/throttle.js';
import type { Caller } from '../approvals/request.js';

interface StatusOptions {
  approvals: Pick<
    Approvals,
    | 'pauseOfAll'
    | 'pauseOfAgent'
    | 'otherPausedAgents'
    | 'remembered'
    | 'waitingAgents'
    | 'onCard'
    | 'onPause'
    | 'onMemoryCleared'
    | 'tasks'
  >;
  agents: Agents;
  acts: Pick<Executions, 'of' | 'onChange'>;
  sessions: Pick<Sessions, 'list'>;
  attention: AttentionBoard;
  lane: Locks;
  elsewhere: Pick<Elsewhere, 'list' | 'onChange'>;
  /** Those of agents' own. */
  desktops?: { list(): OwnDesktop[]; onChange(listener: () => void): () => void };
  record(): Pick<Status, 'recordVerified' | 'recordChecking'>;
  /** Fires when that changes. */
  onRecord(listener: () => void): () => void;
  log(thrown: unknown): void;
}

/** Calls begin and end far more often than anyone can see. */
const STATUS_INTERVAL_MS = 50;

/** The status in the page's header. What a person has to know is told at once, what agents do at intervals. */
export function watchStatus(options: StatusOptions) {
  const { approvals, agents, acts, sessions, attention, lane, elsewhere, desktops, record, onRecord, log } = options;
  const updates = createEmitter<Status>(log);

  const stateOf = (agentId: string, asking: ReadonlySet<string>, own: CurrentCall[]): ConnectedAgent['state'] => {
    if (approvals.pauseOfAgent(agentId) !== null) return 'paused';
    if (asking.has(agentId)) return 'waiting';
    if (own.length === 0) return 'idle';
    return own.every(({ tool }) => tool === QUESTION_TOOL) ? 'waiting' : 'acting';
  };
  const detailsOf = (agentId: string, asking: ReadonlySet<string>) => {
    const currentCalls = acts.of(agentId);
    const session = sessions.list(agentId).find(({ state }) => state === 'active');
    return {
      state: stateOf(agentId, asking, currentCalls),
      paused: approvals.pauseOfAgent(agentId),
      currentCalls,
      remembered: approvals.remembered(agentId),
      task: approvals.tasks.of(agentId),
      session: session === undefined ? null : { name: session.display_name, since: session.created_at },
    };
  };
  const now = (): Status => {
    const paused = approvals.pauseOfAll();
    const asking = approvals.waitingAgents();
    const connected = agents.list((agentId) => detailsOf(agentId, asking));
    return {
      state: paused !== null ? 'paused' : lane.busy('desktop') ? 'acting' : 'watching',
      paused,
      attention: attention.now() ?? null,
      agents: connected,
      away: approvals.otherPausedAgents(connected.map(({ id }) => id)),
      elsewhere: elsewhere.list(),
      ...(desktops === undefined ? {} : { desktops: desktops.list() }),
      ...record(),
    };
  };
  const tell = () => {
    try {
      updates.emit(now());
    } catch (thrown) {
      log(thrown);
    }
  };
  const update = createThrottle(tell, STATUS_INTERVAL_MS);
  const changed = update.now;
  const disposers = [
    approvals.onCard(changed),
    approvals.onPause(changed),
    approvals.onMemoryCleared(changed),
    attention.port.onChange(changed),
    acts.onChange(update.later),
    approvals.tasks.onChange(update.later),
    elsewhere.onChange(update.later),
    desktops?.onChange(changed) ?? (() => undefined),
    onRecord(update.later),
    agents.onChange(update.later),
    lane.onChange(update.later),
    update.close,
  ];
  return { now, on: updates.on, close: () => disposers.forEach((dispose) => dispose()) };
}

/**
 * Hosts on other machines, as each `chaperone connect` of this one tells, and as agents say that use one. A row goes with the connection
 * that told it.
 */
export type Elsewhere = ReturnType<typeof createElsewhere>;

const MAX_HOSTS = 50;
/** Of those that agents tell, which take no place from the person's. */
const MAX_CLAIMS = 20;

export function createElsewhere(agents: Pick<Agents, 'onContact' | 'callers'>, log: (thrown: unknown) => void) {
  const rows = new Map<string, ElsewhereHost>();
  const changes = createEmitter<void>(log);
  // As long as the agents whose connections it listens to.
  agents.onContact(({ kind, caller: { connectionId } }) => {
    const open = agents.callers().some((one) => one.connectionId === connectionId);
    if (kind === 'disconnected' && !open && rows.delete(connectionId)) changes.emit();
  });
  return {
    /** Replaces what this connection told before; false where there is no room. */
    tell({ connectionId }: Pick<Caller, 'connectionId'>, host: ElsewhereHost): boolean {
      const isClaim = host.by !== undefined;
      const others = [...rows].filter(([id, row]) => id !== connectionId && (row.by !== undefined) === isClaim);
      if (others.length >= (isClaim ? MAX_CLAIMS : MAX_HOSTS)) return false;
      rows.set(connectionId, host);
      changes.emit();
      return true;
    },
    list: (): ElsewhereHost[] => [...rows.values()],
    onChange: changes.on,
  };
}
