import { describe, expect, it } from 'vitest';
import { AgentTraces } from '../../src/main/agents/agent-traces.js';
import { createAgents } from '../../src/main/agents/index.js';
import { KernelPersonProof, type PersonOptions } from '../../src/main/agents/person.js';
import type { Caller } from '../../src/main/approvals/request.js';
import type { CommandMark } from '../../src/native/peer/command-mark.js';
import type { ProcessDetails } from '../../src/native/peer/process-inspector.js';
import type { ProcessIdentity } from '../../src/native/peer/types.js';

const uid = process.getuid?.() ?? 0;
const [INIT, MANAGER, GREETER, DESK, TERMINAL, SHELL, CLI, CURSOR, EXTENSION, AGENT, BROWSER] = [1, 10, 13, 15, 20, 30, 40, 150, 155, 160, 120] as const; // prettier-ignore

/** What it started itself is not counted as an agent’s. */
const HOST = process.pid;

interface Made {
  executable?: string;
  parent: number;
  /** Else its number: it started in that order. */
  start?: number;
  uid?: number;
  /** Else the same as `uid`. */
  realUid?: number;
  name?: string;
  /** Else its number: it opened a session. */
  session?: number;
  terminal?: number;
  family?: string;
  sandbox?: string;
  argv?: string[];
  mark?: CommandMark['kind'];
  /** Terminals that it shows. */
  shows?: number[];
}

const PTS = 34816;

/**
 * init, the user's manager 10, the display manager 13, the desktop 15 that it let in; a terminal program 20 with the shell 30, in which `chaperone status` 40 runs; the host;
 * an editor 150 with an extension 155 and the agent 160 that this started; a browser 120.
 */
const USUAL: Record<number, Made> = {
  [INIT]: { executable: '/sbin/init', parent: 0, uid: uid + 1 },
  [MANAGER]: { executable: '/usr/lib/systemd/systemd', parent: INIT },
  [GREETER]: { parent: INIT, uid: uid + 1, name: 'lightdm' },
  [DESK]: { executable: '/usr/bin/xfce4-session', parent: GREETER },
  [TERMINAL]: { executable: '/usr/bin/xterm', parent: DESK, shows: [PTS], session: DESK },
  [SHELL]: { executable: '/bin/bash', parent: TERMINAL, terminal: PTS },
  [CLI]: { executable: '/usr/bin/node', parent: SHELL, session: SHELL, terminal: PTS },
  [HOST]: { executable: '/usr/bin/node', parent: DESK, start: 100 },
  [CURSOR]: { executable: '/opt/cursor/cursor', parent: DESK, start: 25 },
  [EXTENSION]: { executable: '/opt/cursor/cursor', parent: CURSOR, start: 26, session: CURSOR },
  [AGENT]: { executable: '/usr/bin/claude', parent: EXTENSION, start: 27, session: CURSOR },
  [BROWSER]: { executable: '/usr/lib/chromium/chromium', parent: DESK, session: DESK, argv: ['chromium', 'http://localhost:1'] },
}; // prettier-ignore

class World {
  readonly agents = createAgents(() => new Date(0));
  readonly traces: AgentTraces;
  readonly proof: KernelPersonProof;
  readonly all: Map<number, Made>;

  constructor(
    more: Record<number, Made> = {},
    host: Partial<PersonOptions['host']> = {},
    agent: number | null = AGENT,
  ) {
    this.all = new Map(Object.entries({ ...USUAL, ...more }).map(([pid, made]) => [Number(pid), made]));
    const list = () => [...this.all.keys()].flatMap((pid) => this.place(pid) ?? []);
    const inspector = {
      inspect: (pid: number) => this.place(pid),
      list,
      terminalHolders: (terminal: number) => ({
        masters: [...this.all].filter(([, { shows = [] }]) => shows.includes(terminal)).map(([pid]) => pid),
        programs: [...this.all].filter(([, made]) => made.terminal === terminal).map(([pid]) => pid),
      }),
      programOf: (pid: number) => ({ argv: this.all.get(pid)?.argv ?? [], isInstalled: this.all.get(pid)?.executable?.startsWith('/usr/') === true }), // prettier-ignore
    };
    const lineage = (pid: number) => this.lineage(pid);
    const { agents } = this;
    this.traces = new AgentTraces({ inspector, lineage, openedByAgent: () => false, hasCalled: agents.hasCalled, now: () => Date.now() }); // prettier-ignore
    agents.onContact((contact) => this.traces.note(contact));
    const mark = (pid: number): CommandMark => {
      const kind = this.all.get(pid)?.mark ?? 'none';
      return kind === 'marked' ? { kind, executionId: 'x' } : { kind };
    };
    this.proof = new KernelPersonProof({ lineage, agents, traces: this.traces, inspector, mark, host: { pid: HOST, background: false, ...host } }); // prettier-ignore
    if (agent !== null) this.connect(agent);
  }

  then(pid: number): this {
    this.connect(pid);
    return this;
  }

  connect(pid: number): void {
    const peer = this.identity(pid);
    if (peer === null) throw new Error(`no process ${pid}`);
    const caller = { agent: peer, peer, connectionId: `${pid}`, protocol: 'mcp' } as unknown as Caller;
    this.agents.connected(caller);
    this.agents.called(caller);
  }

  identity(pid: number): ProcessIdentity | null {
    const made = this.all.get(pid);
    return made === undefined ? null : { pid, startTime: `${made.start ?? pid}`, uid: made.uid ?? uid, executable: made.executable ?? '/bin/x', script: null, cwd: null, parentPid: made.parent }; // prettier-ignore
  }

  lineage(pid: number): ProcessIdentity[] {
    const found = this.identity(pid);
    return found === null ? [] : [found, ...this.lineage(found.parentPid)];
  }

  place(pid: number): ProcessDetails | null {
    const made = this.all.get(pid);
    if (made === undefined) return null;
    const { parent, session = pid, terminal = 0, family = '0::/\n', sandbox = '' } = made;
    const namespaces = { pid: `pid${sandbox}`, mount: `mnt${sandbox}` };
    return { pid, parentPid: parent, startTime: `${made.start ?? pid}`, sessionLeader: session, groupLeader: pid, terminal, uid, family, namespaces, realUid: made.realUid ?? made.uid ?? uid, name: made.name ?? 'x' }; // prettier-ignore
  }

  doubt(pid: number = CLI, more: Partial<ProcessIdentity> = {}) {
    const known = this.identity(pid) ?? {
      pid,
      startTime: '',
      uid,
      executable: '',
      script: null,
      cwd: null,
      parentPid: 0,
    };
    return this.proof.doubt({ ...known, ...more });
  }

  browser(pid: number = BROWSER) {
    const known = this.identity(pid);
    if (known === null) throw new Error('no such process');
    return this.proof.browserDoubt(known);
  }
}

/** In a terminal that 50 shows: its shell 51 and the caller 52. */
const terminalOf = (shower: Partial<Made>, shell: Partial<Made> = {}): Record<number, Made> => ({
  50: { executable: '/usr/bin/xterm', parent: DESK, session: DESK, shows: [PTS + 1], ...shower },
  51: { executable: '/bin/bash', parent: 50, terminal: PTS + 1, ...shell },
  52: { executable: '/usr/bin/node', parent: 51, session: 51, terminal: PTS + 1 },
});

const APPS = '0::/user.slice/user-1000.slice/user@1000.service/app.slice';
const VTE = `${APPS}/vte-spawn-1.scope\n`;
/** A window that the session's manager started, in a group of its own. */
const windowOf = (more: Partial<Made>, family = `${APPS}/app-gnome-xterm-50.scope\n`) =>
  terminalOf({ parent: MANAGER, session: 50, family, ...more }, { family });
/** A terminal program that serves several windows. */
const serverOf = (more: Partial<Made>, shell: Partial<Made> = {}) =>
  terminalOf({ executable: '/usr/libexec/gnome-terminal-server', parent: MANAGER, session: 50, family: `${APPS}/gnome-terminal-server.service\n`, ...more }, { family: VTE, ...shell }); // prettier-ignore

describe('the person is', () => {
  it.each<[string, World, number]>([
    ['who types in a terminal that was there before the agent', new World(), CLI],
    ['who types in one that the desktop opened later', new World(terminalOf({})), 52],
    ['who types in a window that the session’s manager started, also after an agent came', new World(windowOf({})), 52],
    ['who types in a window of a terminal server, whose shells have groups of their own', new World(serverOf({})), 52],
    ['who started a terminal in such a window', new World({ ...serverOf({}), 53: { executable: '/usr/bin/xterm', parent: 51, session: 51, shows: [PTS + 2], family: VTE }, 54: { parent: 53, terminal: PTS + 2, family: VTE }, 55: { parent: 54, session: 54, terminal: PTS + 2, family: VTE } }), 55],
    ['who types in their own tmux, while no agent has connected', new World(terminalOf({ executable: '/usr/bin/tmux' }), {}, null), 52],
    ['who types in another terminal of the editor in whose terminal the agent runs', new World({
      ...terminalOf({ executable: '/usr/share/code/code', shows: [PTS + 1, PTS + 2] }),
      53: { executable: '/bin/bash', parent: 50, terminal: PTS + 2 },
      54: { executable: '/usr/bin/claude', parent: 53, session: 53, terminal: PTS + 2 },
    }, {}, 54), 52],
    ['who came by SSH, also later', new World({ 49: { executable: '/usr/sbin/sshd', parent: INIT, uid: uid + 1, start: 3, name: 'sshd-session' }, ...terminalOf({ executable: '', parent: 49, mark: 'unreadable', shows: [], session: 50 }) }), 52],
    ['who logged in at the console', new World(terminalOf({ executable: '/usr/bin/login', parent: INIT, uid: uid + 1, shows: [], name: 'login' })), 52],
    ['who came into the container from outside', new World({ 51: { parent: 0, terminal: PTS + 1 }, 52: { parent: 51, session: 51, terminal: PTS + 1 } }), 52],
    ['who typed the command of the host there', new World({ ...terminalOf({ parent: MANAGER, session: 50 }), [HOST]: { parent: 51, start: 100, session: 51, terminal: PTS + 1 } }), 52],
  ])('%s', (_who, world, pid) => expect(world.doubt(pid)).toBeNull()); // prettier-ignore
});

describe('[req:PN-1] the person is not', () => {
  it.each<[string, World, number, string]>([
    ['who has no terminal', new World({ [CLI]: { parent: SHELL, session: SHELL } }), CLI, 'no_terminal'],
    ['whose process is gone', new World(), 41, 'agent'],
    ['an agent', new World(), AGENT, 'agent'],
    ['what runs below an agent, in a terminal of its own', new World(terminalOf({ parent: AGENT, session: CURSOR })), 52, 'agent'],
    ['what types into a terminal that an agent shows', new World({ ...terminalOf({ shows: [] }), [AGENT]: { parent: EXTENSION, session: CURSOR, start: 27, shows: [PTS + 1] } }), 52, 'agent'],
    ['what forked away from an agent with a terminal of its own', new World(terminalOf({ parent: INIT, session: 50 })), 52, 'unclear'],
    ['what the user’s manager adopted, or started for an agent', new World(terminalOf({ parent: MANAGER, session: 50 })), 52, 'unclear'],
    ['what another manager adopted', new World({ ...terminalOf({ parent: 11, session: 50 }), 11: { executable: '/usr/lib/systemd/systemd', parent: INIT, start: 2 } }), 52, 'unclear'],
    ['what a subreaper adopted, of a session whose leader has ended', new World({ ...terminalOf({ parent: 12, session: 49 }), 12: { parent: DESK, session: DESK, start: 3 } }), 52, 'unclear'],
    ['what an agent’s ancestor adopted, in a session of its own', new World(terminalOf({ parent: EXTENSION, session: 50 })), 52, 'unclear'],
    ['what an agent’s ancestor adopted, of a session whose leader has ended', new World(terminalOf({ parent: DESK, session: 49 })), 52, 'unclear'],
    ['what an agent’s ancestor adopted, with a new agent below it', new World({ ...terminalOf({ parent: EXTENSION, session: 50 }), 55: { parent: 50, terminal: PTS + 3 } }).then(55), 52, 'unclear'],
    ['what an agent’s launcher started before the agent', new World(terminalOf({ parent: EXTENSION, session: 50, start: 26 })), 52, 'unclear'],
    ['what a terminal of the agent’s own editor shows', new World(terminalOf({ executable: '/opt/cursor/cursor', parent: CURSOR, session: CURSOR })), 52, 'agent'],
    ...([null, AGENT] as const).flatMap((agent): [string, World, number, string][] => {
      const [when, host] = [agent === null ? ', known of no agent' : '', {}];
      const unit = `${APPS}/app-gnome-xterm-50.scope\n`;
      return [
        [`what forked away, however old${when}`, new World(terminalOf({ parent: INIT, session: 50, start: 3 }), host, agent), 52, 'unclear'],
        [`what the first process adopted, which is of the same user${when}`, new World({ ...terminalOf({ parent: INIT, session: 50, start: 3 }), [INIT]: { executable: '/sbin/init', parent: 0 } }, host, agent), 52, 'unclear'],
        [`what the manager adopted, however old${when}`, new World(terminalOf({ parent: MANAGER, session: 50, start: 12 }), host, agent), 52, 'unclear'],
        [`what a desktop that adopts has below it${when}`, new World({ ...terminalOf({ executable: '/usr/bin/script' }), [DESK]: { executable: '/usr/bin/lxqt-session', parent: GREETER } }, host, agent), 52, 'unclear'],
        [`a script of the manager, in a group of its own${when}`, new World(windowOf({ executable: '/usr/bin/script' }), host, agent), 52, 'unclear'],
        [`a window of a program that is not installed${when}`, new World(windowOf({ executable: '/home/ann/xterm' }), host, agent), 52, 'unclear'],
        [`what is left in the group of another window${when}`, new World(windowOf({}, `${APPS}/app-gnome-xterm-49.scope\n`), host, agent), 52, 'unclear'],
        [`what is left in the group of a shell${when}`, new World(windowOf({}, VTE), host, agent), 52, 'unclear'],
        [`what is left in a service with its shells${when}`, new World(windowOf({}, `${APPS}/app-konsole@1.service\n`), host, agent), 52, 'unclear'],
        [`what is left in the group of the login${when}`, new World(windowOf({}, '0::/user.slice/user-1000.slice/session-50.scope\n'), host, agent), 52, 'unclear'],
        [`who came second into the group${when}`, new World({ ...windowOf({}), 60: { parent: INIT, start: 45, family: unit } }, host, agent), 52, 'unclear'],
        [`in a group with a command${when}`, new World({ ...windowOf({}), 60: { parent: INIT, mark: 'marked', family: unit } }, host, agent), 52, 'unclear'],
        [`in a group with the host${when}`, new World({ ...windowOf({}), [HOST]: { parent: INIT, start: 100, family: unit } }, host, agent), 52, 'unclear'],
        [`what a timer started as the user${when}`, new World({ ...terminalOf({ parent: 48 }), 48: { parent: 47, start: 5 }, 47: { parent: INIT, uid: uid + 1, name: 'cron', start: 4 } }, host, agent), 52, 'unclear'],
        [`what the first process adopted of another user${when}`, new World({ ...terminalOf({ parent: 99 }), 99: { parent: INIT, start: 4 } }, host, agent), 52, 'unclear'],
        [`what became another user by its file, and has no parent${when}`, new World({ ...terminalOf({ parent: 48 }), 48: { parent: INIT, uid: uid + 1, realUid: uid, start: 4, name: 'sg' } }, host, agent), 52, 'unclear'],
      ];
    }),
    ['in a group with what an agent started', new World({ ...windowOf({}), 60: { parent: AGENT, family: `${APPS}/app-gnome-xterm-50.scope\n` } }), 52, 'unclear'],
    ['in a terminal whose shell has ended', new World({ ...terminalOf({}), 52: { parent: INIT, session: 51, terminal: PTS + 1 } }), 52, 'unclear'],
    ['in a terminal that nobody above it shows', new World(terminalOf({ shows: [] })), 52, 'unclear'],
    ['in a terminal that another program shows too, which nobody started', new World({ ...terminalOf({}), 60: { parent: INIT, shows: [PTS + 1] } }), 52, 'unclear'],
    ['in a terminal that a tmux shows too', new World({ ...terminalOf({}), 60: { executable: '/usr/bin/tmux', parent: DESK, session: DESK, shows: [PTS + 1] } }), 52, 'unclear'],
    ['in a sandbox', new World({ ...terminalOf({}), 52: { parent: 51, session: 51, terminal: PTS + 1, sandbox: '2' } }), 52, 'unclear'],
    ['in the terminal of an agent', new World({ 45: { parent: SHELL, session: SHELL, terminal: PTS } }, {}, 45), CLI, 'agent'],
    ['below the session of an agent', new World({ ...terminalOf({ parent: 45, session: SHELL }), 45: { parent: SHELL, session: SHELL, terminal: PTS }, 46: { parent: 45, session: SHELL, terminal: PTS } }, {}, 46), 52, 'agent'],
    ['in the control group of an agent', new World({ ...terminalOf({ family: '0::/user.slice/run-u7.service\n' }), [AGENT]: { parent: INIT, family: '0::/user.slice/run-u7.service\n' } }), 52, 'agent'],
    ['what the host started', new World({ [CLI]: { parent: HOST, session: SHELL, terminal: PTS } }), CLI, 'host'],
    ['in a terminal that the host’s child shows', new World(terminalOf({ parent: HOST, session: HOST })), 52, 'host'],
    ['what carries the mark of a command', new World({ [CLI]: { parent: SHELL, session: SHELL, terminal: PTS, mark: 'marked' } }), CLI, 'command'],
    ['what carries the mark and left its terminal', new World({ [CLI]: { parent: SHELL, session: SHELL, mark: 'marked' } }), CLI, 'command'],
    ['in the terminal of a command', new World({ 45: { parent: TERMINAL, terminal: PTS, mark: 'marked' } }), CLI, 'command'],
    ['what hides its environment', new World({ [SHELL]: { executable: '/bin/bash', parent: TERMINAL, terminal: PTS, mark: 'unreadable' } }), CLI, 'unclear'],
    ['what forked away and has a new agent below it', new World({ ...terminalOf({ parent: INIT, session: 50 }), 55: { parent: 50, terminal: PTS + 3 } }).then(55), 52, 'unclear'],
    ...['tmux', 'screen', 'screen-4.9.0', 'zellij', 'dtach', 'kitty', 'ttyd', 'emacs-gtk'].map((name): [string, World, number, string] => [`in ${name}, also one that was there before the agent`, new World(terminalOf({ executable: `/usr/bin/${name}`, start: 22 })), 52, 'unclear']),
    ['in a tmux, in the terminal of the host too', new World({ ...terminalOf({ executable: '/usr/bin/tmux', parent: MANAGER, session: 50 }), [HOST]: { parent: 51, start: 100, session: 51, terminal: PTS + 1 } }), 52, 'unclear'],
    ['in a terminal inside a tmux', new World({ ...terminalOf({ parent: 49, session: 49 }), 49: { executable: '/usr/bin/tmux', parent: DESK, session: DESK, start: 22 } }), 52, 'unclear'],
    ['in the terminal of a host that an agent’s shim started', new World({ ...terminalOf({ parent: MANAGER, session: 50 }), [HOST]: { parent: 51, start: 100, session: 51, terminal: PTS + 1 } }, { background: true }), 52, 'unclear'],
  ])('%s', (_who, world, pid, doubt) => expect(world.doubt(pid)).toBe(doubt)); // prettier-ignore

  it('whoever SSH forwards [req:RH-10], and whoever has the number of another now', () => {
    expect(new World().doubt(CLI, { forwardedBy: 'ssh' })).toBe('unclear');
    expect(new World().doubt(CLI, { startTime: '39' })).toBe('agent');
  });

  it('in a terminal that an agent has left, or opened before it connected, for as long as the host runs [req:PN-2]', () => {
    const world = new World({ 45: { parent: SHELL, session: SHELL, terminal: PTS } }, {}, null);
    expect(world.doubt()).toBeNull();
    world.connect(45);
    world.all.delete(45);
    world.connect(AGENT);
    expect(world.doubt()).toBe('agent');
  });
});

describe('[req:PN-3] a page that is not paired is the person’s', () => {
  it('in a browser that the desktop started, with nobody to drive it', () => expect(new World().browser()).toBeNull());

  const browser = (more: Partial<Made>) => ({ [BROWSER]: { executable: '/usr/lib/chromium/chromium', parent: DESK, session: DESK, argv: ['chromium'], ...more } }); // prettier-ignore
  it.each<[string, Partial<Made>, string]>([
    ['in another program', { executable: '/usr/bin/node' }, 'unclear'],
    ['in a copy of a browser', { executable: '/home/ann/firefox' }, 'unclear'],
    ['below an agent', { parent: AGENT }, 'agent'],
    ['of a command', { mark: 'marked' }, 'command'],
    ['that lost its parent, however old', { parent: MANAGER, session: BROWSER, start: 12 }, 'unclear'],
    ['in a sandbox', { sandbox: '2' }, 'unclear'],
    ['whose arguments are not told', { argv: [] }, 'unclear'],
    ...['--headless=new', '-headless', '--remote-debugging-port=0', '--remote-debugging-pipe', '--enable-automation', '--marionette', '--load-extension=/tmp/x'].map((flag): [string, Partial<Made>, string] => [`with ${flag}`, { argv: ['chromium', flag] }, 'unclear']),
  ])('not %s', (_what, more, doubt) => expect(new World(browser(more)).browser()).toBe(doubt)); // prettier-ignore
});

describe('[req:PW-2] who may redeem a link', () => {
  const hosts: Record<number, Made> = { 110: { executable: '/usr/bin/chromium', parent: HOST }, 111: { executable: '/usr/bin/chromium', parent: 110 } }; // prettier-ignore
  const redeemer = (world: World, pid: number, hostsOwn: boolean) => {
    const known = world.identity(pid) ?? {
      pid,
      startTime: '',
      uid,
      executable: '',
      script: null,
      cwd: null,
      parentPid: 0,
    };
    return world.proof.redeemerDoubt(known, hostsOwn);
  };

  it('a browser of the person’s, with any link', () => {
    for (const hostsOwn of [true, false]) expect(redeemer(new World(), BROWSER, hostsOwn)).toBeNull();
  });

  it('a browser that the host opened, with a link that the host shows itself, also where an agent started the host', () => {
    const world = new World(hosts, {}, DESK);
    expect(redeemer(world, 111, true)).toBeNull();
    expect(redeemer(new World(hosts), 111, false)).toBe('host');
    expect(redeemer(world, BROWSER, true)).toBe('agent');
  });

  it('no browser that a command started or an agent had opened, nor one that has gone [req:PW-9]', () => {
    expect(redeemer(new World({ ...hosts, 110: { parent: HOST, mark: 'marked' } }), 111, true)).toBe('command');
    expect(redeemer(new World({ [BROWSER]: { parent: AGENT } }), BROWSER, true)).toBe('agent');
    expect(redeemer(new World(), 41, true)).toBe('unclear');
  });
});
