import type { ProcessInspector, ProcessDetails } from '../../native/peer/process-inspector.js';
import type { ProcessIdentity, ProcessTable } from '../../native/peer/types.js';
import type { Caller } from '../approvals/request.js';
import type { Agents, Contact } from './index.js';

export interface TracesOptions {
  inspector: Pick<ProcessInspector, 'inspect' | 'list'>;
  lineage: ProcessTable['lineage'];
  /** For processes started by the host: true where an agent requested it. */
  openedByAgent(pid: number): boolean;
  hasCalled: Agents['hasCalled'];
  now(): number;
}

type Key = Pick<ProcessIdentity, 'pid' | 'startTime'>;

const SCAN_INTERVAL_MS = 1_000;
/** Of systemd: what one application or service started. The group of a whole login, and that of a container, tell nobody apart. */
const TELLING_FAMILY = /\.(?:scope|service)$/m;
const SHARED_FAMILY = /\/(?:session-[^/]*|init)\.scope$/m;

/**
 * What is known of agents for as long as the host runs: their processes and what was seen below them, their terminals and control groups,
 * and when the first of them can have started anything. What they left behind is told by that, although nobody saw it start.
 */
export class AgentTraces {
  readonly #agents = new Set<string>();
  readonly #seen = new Set<string>();
  /** Agents, and what they descend from. */
  readonly #above = new Set<string>();
  /** Those of them that no other agent can have left behind: an agent does not start what it descends from. */
  readonly #cleared = new Set<string>();
  readonly #sessions = new Set<string>();
  readonly #families = new Set<string>();
  readonly #programs = new Set<string>();
  #since = Infinity;
  #scannedAt = -Infinity;
  #changes = 0;

  constructor(private readonly options: TracesOptions) {}

  /** Grows when more may be known. */
  get changes(): number {
    return this.#changes;
  }

  /** Must be called for each contact of a connection. */
  note({ kind, caller }: Contact): void {
    if (kind !== 'disconnected') this.#changes += 1;
    if (kind === 'called' || (kind === 'connected' && caller.protocol !== 'gabp')) this.#remember(caller);
    if (kind === 'called' || (kind === 'disconnected' && this.options.hasCalled(caller.peer))) this.#scan();
  }

  /** True for an agent, and for what was once seen below one or below a program that an agent opened. */
  saw(process: Key): boolean {
    return this.#agents.has(keyOf(process)) || this.#seen.has(keyOf(process));
  }

  /** True once there was an agent. */
  get any(): boolean {
    return this.#since < Infinity;
  }

  /** True in a terminal, or in a control group, that an agent lives in. */
  lives(place: ProcessDetails | null): boolean {
    if (place === null) return false;
    if (place.terminal !== 0 && this.#sessions.has(this.#sessionOf(place))) return true;
    return this.#families.has(place.family);
  }

  /** True for a program that an agent is, or is part of, as the extension of an editor is. */
  isProgram({ executable }: ProcessIdentity): boolean {
    return this.#programs.has(executable);
  }

  /**
   * True where a process may have lost its first parent, which an agent may have been: it started after an agent did. `leader`: of the
   * terminal's session, which the program that shows the terminal puts into a session of its own.
   */
  mayHaveLeft(one: ProcessIdentity, parent: ProcessIdentity, leader?: number): boolean {
    if (Number(one.startTime) < this.#since || this.#cleared.has(keyOf(one))) return false;
    const [place, above] = [one, parent].map(({ pid }) => this.options.inspector.inspect(pid));
    if (place === undefined || place === null || above === undefined || above === null) return true;
    if (place.sessionLeader === above.sessionLeader || one.pid === leader) return false;
    // Whatever an agent descends from may adopt what the agent leaves behind (PR_SET_CHILD_SUBREAPER), and the system does not tell.
    return place.sessionLeader !== one.pid || this.#above.has(keyOf(parent));
  }

  #remember({ agent, peer }: Caller): void {
    for (const { pid, startTime } of agent.via === undefined ? [peer, agent] : []) {
      if (this.#agents.has(keyOf({ pid, startTime }))) continue;
      const line = this.options.lineage(pid);
      if (line[0]?.startTime !== startTime) continue;
      this.#agents.add(keyOf({ pid, startTime }));
      this.#clear(line);
      for (const one of line) this.#above.add(keyOf(one));
      this.#rememberPlace(line);
    }
  }

  /** Up from the agent to what may have lost its first parent: from there on the line may be another agent's. */
  #clear(line: readonly ProcessIdentity[]): void {
    const isOpen = (one: ProcessIdentity, index: number) => {
      const parent = line[index + 1];
      return parent !== undefined && this.mayHaveLeft(one, parent);
    };
    const open = line.findLastIndex(isOpen);
    for (const one of line.slice(open + 1)) this.#cleared.add(keyOf(one));
  }

  /** What shares session and control group with an agent may be its own launcher, and started something before it. */
  #rememberPlace(line: readonly ProcessIdentity[]): void {
    const places = line.map(({ pid }) => this.options.inspector.inspect(pid));
    const [own] = places;
    const apart = places.findIndex((one) => one?.sessionLeader !== own?.sessionLeader || one?.family !== own?.family);
    const together = line.slice(0, apart === -1 ? line.length : Math.max(apart, 1));
    this.#since = Math.min(this.#since, ...together.map(({ startTime }) => Number(startTime)));
    if (own === undefined || own === null) return;
    this.#sessions.add(this.#sessionOf(own));
    if (own.terminal === 0 && TELLING_FAMILY.test(own.family) && !SHARED_FAMILY.test(own.family))
      this.#families.add(own.family);
    this.#rememberPrograms(line, places);
  }

  /** Up to the shell of a terminal, or to what lets the user in. */
  #rememberPrograms(line: readonly ProcessIdentity[], places: readonly (ProcessDetails | null)[]): void {
    for (const [index, one] of line.entries()) {
      if (one.forwardedBy !== undefined || one.uid !== line[0]?.uid) return;
      if (one.executable !== '') this.#programs.add(one.executable);
      const place = places[index];
      if (place?.sessionLeader === one.pid && place.terminal !== 0) return;
    }
  }

  /** Its leader's start tells it from a later one of the same number. */
  #sessionOf({ sessionLeader }: ProcessDetails): string {
    return keyOf({ pid: sessionLeader, startTime: this.options.inspector.inspect(sessionLeader)?.startTime ?? '' });
  }

  #scan(): void {
    if (this.options.now() - this.#scannedAt < SCAN_INTERVAL_MS) return;
    this.#scannedAt = this.options.now();
    const all = this.options.inspector.list();
    const parents = new Map(all.map((one) => [one.pid, one]));
    for (const one of all) {
      const parent = parents.get(one.parentPid);
      if (one.pid === process.pid || this.saw(one)) continue;
      const isAgents = parent !== undefined && parent.pid !== process.pid && this.saw(parent);
      if (isAgents || (one.parentPid === process.pid && this.options.openedByAgent(one.pid))) this.#see(one);
    }
    this.#forgetEnded(new Set(all.map(keyOf)));
  }

  #see(one: Key): void {
    this.#seen.add(keyOf(one));
    this.#since = Math.min(this.#since, Number(one.startTime));
    this.#changes += 1;
  }

  /** No process comes back. */
  #forgetEnded(running: ReadonlySet<string>): void {
    for (const kept of [this.#agents, this.#seen, this.#above, this.#cleared])
      for (const key of kept) if (!running.has(key)) kept.delete(key);
  }
}

const keyOf = ({ pid, startTime }: Key) => `${pid}:${startTime}`;
