/**
 * Who is the person. Comes in: processes by the kernel's word. Goes out: why one is not proven to be the person's, or null. Asked by
 * everything that acts or speaks for the person. What cannot be told is no: that nothing is known against a process proves nothing.
 */
import { basename } from 'node:path';
import type { CommandMark } from '../../native/peer/command-mark.js';
import type { ProcessDetails, ProcessInspector } from '../../native/peer/process-inspector.js';
import type { ProcessIdentity, ProcessTable } from '../../native/peer/types.js';
import type { AgentTraces } from './agent-traces.js';
import type { Doubt } from '../protocol/index.js';
import type { Agents } from './index.js';

export interface PersonProof {
  /** Of a process of the command line. */
  doubt(peer: ProcessIdentity): Doubt | null;
  /** Of a browser whose page is not paired. */
  browserDoubt(client: ProcessIdentity): Doubt | null;
  /** Of a browser that redeems a pairing link, which proves the rest. `hostsOwn`: the host shows the link itself, and may open the browser. */
  redeemerDoubt(client: ProcessIdentity, hostsOwn: boolean): Doubt | null;
  /** Grows when a doubt may have arisen. */
  readonly changes: number;
}

export interface PersonOptions {
  lineage: ProcessTable['lineage'];
  agents: Pick<Agents, 'hasCalled' | 'includes'>;
  traces: Pick<AgentTraces, 'any' | 'saw' | 'lives' | 'isProgram' | 'mayHaveLeft' | 'changes'>;
  inspector: ProcessInspector;
  mark(pid: number): CommandMark;
  host: {
    pid: number;
    /** An agent's shim started it. */
    background: boolean;
  };
}

type Line = readonly ProcessIdentity[];

const BROWSERS =
  /^(?:chrom(?:e|ium)|google-chrome|firefox|librewolf|waterfox|zen|brave|msedge|vivaldi|opera|epiphany|WebKitNetworkProcess|QtWebEngineProcess|konqueror|falkon)(?:-[a-z]+)*$/;
/** Through its socket any program opens terminals in it, and types into those that are there. */
const MULTIPLEXERS = /^(?:tmux|screen|zellij|dtach|abduco|kitty|wezterm-mux-server|ttyd|gotty|emacs)(?:[-.].*)?$/i;
/** A program drives the browser, or nobody sees it. */
const AUTOMATED =
  /^--?(?:headless|remote-(?:debugging|allow)|enable-automation|marionette|juggler|screenshot|print-to-pdf|dump-dom|load-extension|disable-web-security)/;

/** By a terminal of the person's, or a browser of theirs. The other proof is the key of a paired page. */
export class KernelPersonProof implements PersonProof {
  readonly #origins: Origins;

  constructor(private readonly options: PersonOptions) {
    const mayHaveLeft = options.traces.mayHaveLeft.bind(options.traces);
    const isAgents = (one: ProcessIdentity) => this.#isAgents(one);
    this.#origins = new Origins({ ...options, mayHaveLeft, isAgents, platform: process.platform });
  }

  get changes(): number {
    return this.options.traces.changes;
  }

  doubt(peer: ProcessIdentity): Doubt | null {
    if (peer.forwardedBy !== undefined) return 'unclear';
    const own = this.options.lineage(peer.pid);
    const place = this.options.inspector.inspect(peer.pid);
    if (own[0]?.startTime !== peer.startTime || place === null || this.options.agents.hasCalled(peer)) return 'agent';
    const holders = place.terminal === 0 ? NO_HOLDERS : this.options.inspector.terminalHolders(place.terminal);
    const lines = [own, ...holders.masters.map(this.options.lineage)];
    const known = this.#knownDoubt(lines) ?? this.#markDoubt(lines);
    if (known === 'agent' || known === 'host' || known === 'command') return known;
    return this.#terminalDoubt(own, place, holders.masters) ?? known ?? this.#companyDoubt(peer, holders.programs);
  }

  browserDoubt(client: ProcessIdentity): Doubt | null {
    const line = this.options.lineage(client.pid);
    if (client.forwardedBy !== undefined || line[0]?.startTime !== client.startTime) return 'unclear';
    if (line.some((one) => this.#isAgents(one) || this.#livesWithAgents(one))) return 'agent';
    if (line.some(({ pid }) => this.options.mark(pid).kind === 'marked')) return 'command';
    if (!this.#origins.isKnown(line) || !this.#isSeenBrowser(line)) return 'unclear';
    return this.#sharesWithHost(client.pid, 'pid') ? null : 'unclear';
  }

  redeemerDoubt(client: ProcessIdentity, hostsOwn: boolean): Doubt | null {
    const line = this.options.lineage(client.pid);
    if (line.length === 0) return 'unclear';
    const hostAt = line.findIndex(({ pid }) => pid === this.options.host.pid);
    // What started the host did not start the browser that the host opened.
    const below = hostAt === -1 ? line : line.slice(0, hostAt);
    if (below.some((one) => this.#isAgents(one))) return 'agent';
    if (!hostsOwn && hostAt > 0) return 'host';
    return below.some(({ pid }) => this.options.mark(pid).kind === 'marked') ? 'command' : null;
  }

  #isAgents(one: ProcessIdentity): boolean {
    return this.options.agents.includes([one]) || this.options.traces.saw(one);
  }

  #livesWithAgents({ pid }: ProcessIdentity): boolean {
    return this.options.traces.lives(this.options.inspector.inspect(pid));
  }

  #knownDoubt([own = [], ...others]: readonly Line[]): Doubt | null {
    const [peer, ...above] = own;
    const line = [...above, ...others.flat()];
    if (peer === undefined || this.options.traces.saw(peer) || line.some((one) => this.#isAgents(one))) return 'agent';
    if ([peer, ...line].some((one) => this.#livesWithAgents(one))) return 'agent';
    return line.some(({ pid }) => pid === this.options.host.pid) ? 'host' : null;
  }

  #markDoubt(lines: readonly Line[]): Doubt | null {
    let unreadable = false;
    for (const line of lines) {
      for (const [index, one] of line.entries()) {
        // Some systems let nobody read the environment of init, and no command starts it.
        if (one.pid === 1) continue;
        const { kind } = this.options.mark(one.pid);
        if (kind === 'marked') return 'command';
        unreadable ||= kind !== 'none' && one.uid === process.getuid?.() && !isLoginService(line, index);
      }
    }
    return unreadable ? 'unclear' : null;
  }

  /** Every process from the caller to the shell of the terminal, and to the program that shows it, has to be there and of a known parent. */
  #terminalDoubt(own: Line, place: ProcessDetails, masters: readonly number[]): Doubt | null {
    if (place.terminal === 0) return 'no_terminal';
    const leaderAt = own.findIndex(({ pid }) => pid === place.sessionLeader);
    const inside = own.slice(0, leaderAt + 1).map(({ pid }) => this.options.inspector.inspect(pid));
    const isOneSession = inside.every(
      (one) => one?.sessionLeader === place.sessionLeader && one.terminal === place.terminal,
    );
    if (leaderAt === -1 || !isOneSession) return 'unclear';
    if (!own.slice(0, leaderAt + 1).every(({ pid }) => this.#sharesWithHost(pid, 'pid', 'mount'))) return 'unclear';
    const lines = [own, ...masters.map(this.options.lineage)];
    if (this.options.traces.any && lines.flat().some(isMultiplexer)) return 'unclear';
    if (this.#isHostsTerminal(place)) return null;
    const shown = this.#showerDoubt(own, leaderAt, masters);
    if (shown !== null) return shown;
    const tops = [own.slice(leaderAt), ...masters.map(this.options.lineage)];
    return tops.every((line) => this.#origins.isKnown(line, place.sessionLeader)) ? null : 'unclear';
  }

  /** Whoever typed the command of the host decides with whom it is paired anyway. */
  #isHostsTerminal({ terminal, sessionLeader }: ProcessDetails): boolean {
    const { pid, background } = this.options.host;
    const host = background ? null : this.options.inspector.inspect(pid);
    return host?.terminal === terminal && host.sessionLeader === sessionLeader;
  }

  /** The program that shows a terminal is above its shell; that of a login belongs to another user, who let this one in. */
  #showerDoubt(own: Line, leaderAt: number, masters: readonly number[]): Doubt | null {
    const [leader, parent] = [own[leaderAt], own[leaderAt + 1]];
    const above = own.slice(leaderAt + 1).filter(({ pid }) => masters.includes(pid));
    if (above.some((one) => this.options.traces.isProgram(one))) return 'agent';
    if (above.length > 0) return null;
    const isLetIn = parent !== undefined && (parent.uid !== leader?.uid || isLoginService(own, leaderAt + 1));
    // Outside the container that the host is in, or on a Mac, which does not tell who shows a terminal.
    const isOutside = leader?.parentPid === 0;
    const isMac = parent !== undefined && parent.pid !== 1 && process.platform === 'darwin';
    return masters.length === 0 && (isLetIn || isOutside || isMac) ? null : 'unclear';
  }

  /** A program in the same terminal can change what is typed there. */
  #companyDoubt(peer: ProcessIdentity, programs: readonly number[]): Doubt | null {
    for (const pid of programs) {
      const line = pid === peer.pid ? [] : this.options.lineage(pid);
      if (line.some((one) => this.options.agents.hasCalled(one) || this.options.traces.saw(one))) return 'agent';
      if (this.options.mark(pid).kind === 'marked') return 'command';
    }
    return null;
  }

  #sharesWithHost(pid: number, ...kinds: readonly ('pid' | 'mount')[]): boolean {
    const [one, host] = [pid, this.options.host.pid].map((each) => this.options.inspector.inspect(each)?.namespaces);
    return one !== undefined && kinds.every((kind) => one[kind] === host?.[kind]);
  }

  #isSeenBrowser(line: Line): boolean {
    const [client] = line;
    if (client === undefined || !isBrowser(client)) return false;
    return line.filter(isBrowser).every(({ pid }) => {
      const program = this.options.inspector.programOf(pid);
      return (
        program?.isInstalled === true && program.argv.length > 0 && !program.argv.some((one) => AUTOMATED.test(one))
      );
    });
  }
}

const NO_HOLDERS = { masters: [], programs: [] };

const isMultiplexer = ({ executable }: ProcessIdentity): boolean => MULTIPLEXERS.test(basename(executable));

const isBrowser = ({ executable }: ProcessIdentity): boolean => BROWSERS.test(basename(executable));

/** A service such as sshd keeps its files from the user it serves. Its parent is another user's, which no process can choose for itself. */
function isLoginService(line: Line, index: number): boolean {
  const [self, parent] = [line[index], line[index + 1]];
  return self !== undefined && parent !== undefined && parent.pid !== 1 && parent.uid !== self.uid;
}

/**
 * Where a terminal or browser comes from. Comes in: a process with its ancestors. Goes out: whether something let the person in, or the
 * session's manager started a window for them. Age proves nothing, nor does a parent that adopted the process: whatever is left over has one.
 */
interface OriginOptions {
  lineage: ProcessTable['lineage'];
  inspector: Pick<ProcessInspector, 'inspect' | 'list' | 'programOf'>;
  mayHaveLeft: AgentTraces['mayHaveLeft'];
  isAgents(one: ProcessIdentity): boolean;
  mark(pid: number): CommandMark;
  host: { pid: number };
  platform: NodeJS.Platform;
}

/** They take over what has lost its parent, of whatever it was a child. */
const ADOPTERS =
  /^(?:systemd|init|launchd|upstart|lxqt-session|dinit|tini(?:-static)?|dumb-init|docker-init|catatonit|s6-svscan)$/;
/** They start what a user's file says, with nobody there. */
const UNATTENDED = /^(?:s?cron|crond|fcron|dcron|anacron|atd|incrond|systemd|init)$/i;
/** A window of theirs is seen. Unlike `script`, they show a terminal to the person. */
const WINDOWS =
  /^(?:xterm|uxterm|u?rxvt|gnome-terminal-server|kgx|gnome-console|ptyxis(?:-agent)?|konsole|yakuake|xfce4-terminal|mate-terminal|lxterminal|qterminal|terminator|tilix|alacritty|foot|ghostty|st|cool-retro-term|deepin-terminal|io\.elementary\.terminal|Terminal|iTerm2|chrome|chromium|firefox)(?:-(?:bin|esr|stable|color|256color))*$/;
/** Of systemd: the unit of one application of a user's session. */
const APP_UNIT = /\/user@\d+\.service\/(?:\S*\/)?([^/\s]+\.(?:scope|service))$/m;

class Origins {
  constructor(private readonly options: OriginOptions) {}

  /** `leader`: of the terminal's session, such as a shell. */
  isKnown(line: Line, leader?: number): boolean {
    for (const [index, one] of line.entries()) {
      // Started from outside the container that the host is in.
      if (one.parentPid === 0 || this.#isLaunchedWindow(one, leader)) return true;
      const parent = line[index + 1];
      if (parent === undefined) return false;
      if (parent.uid !== one.uid && !this.#isRaised(parent, one)) return this.#letsIn(parent);
      if (parent.pid === 1 || ADOPTERS.test(basename(parent.executable))) return false;
      if (this.options.mayHaveLeft(one, parent, leader)) return false;
    }
    return false;
  }

  /** Its file made it another user's: it is as good as whoever started it. A Mac's terminals start their shells by such a `login`. */
  #isRaised(parent: ProcessIdentity, { uid }: ProcessIdentity): boolean {
    const place = this.options.inspector.inspect(parent.pid);
    return place?.realUid === uid || (this.options.platform === 'darwin' && place?.name === 'login');
  }

  /** Such as sshd, login, su or a display manager. No process of the user can have it as its parent by itself. */
  #letsIn({ pid }: ProcessIdentity): boolean {
    const name = pid === 1 ? undefined : this.options.inspector.inspect(pid)?.name;
    return name !== undefined && !UNATTENDED.test(name);
  }

  /** Started by the session's manager itself. What is left over stays in the group of what started it, or in that of the whole login. */
  #isLaunchedWindow(one: ProcessIdentity, leader: number | undefined): boolean {
    const place = this.options.inspector.inspect(one.pid);
    if (place === null || !WINDOWS.test(basename(one.executable))) return false;
    if (this.options.platform === 'darwin') return one.parentPid === 1 && place.family === String(one.pid);
    if (this.options.inspector.programOf(one.pid)?.isInstalled !== true) return false;
    return this.#isOwnUnit(place, leader) && this.#isFirstAndAlone(place);
  }

  /**
   * A scope that is named after this process, so that nothing it leaves behind can take its place; or a service whose terminals are in
   * other groups, so that no agent was ever in it.
   */
  #isOwnUnit({ pid, family }: ProcessDetails, leader: number | undefined): boolean {
    const unit = APP_UNIT.exec(family)?.[1];
    if (unit === undefined || unit.endsWith('.scope')) return unit?.endsWith(`-${pid}.scope`) === true;
    const shell = leader === undefined ? null : this.options.inspector.inspect(leader);
    return shell !== null && shell.family !== family;
  }

  #isFirstAndAlone({ pid, family, startTime }: ProcessDetails): boolean {
    const { inspector, lineage, isAgents, mark, host } = this.options;
    const others = inspector.list().filter((one) => one.pid !== pid && inspector.inspect(one.pid)?.family === family);
    return others.every(
      (one) =>
        one.pid !== host.pid &&
        Number(one.startTime) >= Number(startTime) &&
        mark(one.pid).kind !== 'marked' &&
        !lineage(one.pid).some(isAgents),
    );
  }
}
