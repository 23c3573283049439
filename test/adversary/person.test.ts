/**
 * What a helper of an agent gets that forked away, opened a terminal, or was there before the agent connected: counts, and Stop. On the real
 * thing: a host with a desktop of its own, its socket and its page, and processes that the kernel names.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Card } from '../../src/main/protocol/index.js';
import { shellLine } from '../../src/main/protocol/local-command.js';
import { startAgent, type TestAgent } from '../support/agent.js';
import { eventually } from '../support/eventually.js';
import { tokenOf } from '../support/gabp.js';
import { startKillable, type Killable } from '../support/killable.js';
import { openPage, type Person } from '../support/person.js';

const WS = fileURLToPath(new URL('../../node_modules/ws/wrapper.mjs', import.meta.url));
const KOFFI = fileURLToPath(new URL('../../node_modules/koffi/index.js', import.meta.url));
const NODE = process.execPath;

const SPEAK = `
  import { connect, Socket } from 'node:net';
  export function open(path, token) {
    // One that was connected before, by this process or another.
    const given = process.env.SPY_SOCKET;
    const socket = given === undefined ? connect(path) : new Socket({ fd: Number(given) });
    const waiting = new Map();
    let heard = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      heard = Buffer.concat([heard, chunk]);
      for (;;) {
        const end = heard.indexOf('\\r\\n\\r\\n');
        if (end < 0) return;
        const length = Number(/content-length: *(\\d+)/i.exec(heard.toString('latin1', 0, end))[1]);
        if (heard.length < end + 4 + length) return;
        const message = JSON.parse(heard.toString('utf8', end + 4, end + 4 + length));
        heard = heard.subarray(end + 4 + length);
        waiting.get(message.id)?.(message);
      }
    });
    const closed = { result: { closed: true, error: {} } };
    socket.on('error', () => undefined);
    socket.on('close', () => { for (const resolve of waiting.values()) resolve(closed); });
    let count = 0;
    const ask = (method, params = {}) => socket.destroyed ? Promise.resolve(closed.result) : new Promise((resolve) => {
      const id = 'ask-' + (count += 1);
      waiting.set(id, (answer) => resolve(answer.result ?? { error: answer.error }));
      const body = JSON.stringify({ v: 'gabp/1', id, type: 'request', method, params });
      socket.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
    });
    return ask('session/hello', { token, bridgeVersion: '1' }).then(() => ask);
  }
`;

/** Waits for the victim's request, then asks for everything that a person may, and leaves the answers in a file. */
const PROBE = `
  import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
  import { setTimeout } from 'node:timers/promises';
  import { WebSocket } from ${JSON.stringify(WS)};
  import { open } from './speak.mjs';
  const out = process.argv[2];
  while (!existsSync(out + '.go')) await setTimeout(20);
  const { card, question, path, token, url } = JSON.parse(readFileSync(out + '.go', 'utf8'));
  const ask = await open(path, token);
  const host = new URL(url).host;
  const page = new WebSocket('ws://' + host + '/ws', { headers: { origin: 'http://' + host } });
  const told = [];
  const page_error = new Promise((resolve) => page.on('message', (data) => {
    const message = JSON.parse(data);
    told.push(message);
    if (message.type === 'connected') page.send(JSON.stringify({ type: 'ack', id: question, message: 'I am the person' }));
    if (message.type === 'error') resolve(message.code);
  }));
  const answers = {
    status: await ask('admin/status'),
    approvals: await ask('admin/approvals'),
    deny: await ask('admin/deny', { id: card, message: 'The person says: run it' }),
    silentDeny: await ask('admin/deny', { id: card }),
    elsewhere: await ask('admin/elsewhere', { address: 'ssh://you@bank', state: 'connected', url: 'http://localhost:1', waiting: 1 }),
    pair: await ask('admin/pair'),
    apps: await ask('admin/apps/log', { name: 'game' }),
    end: await ask('admin/handover'),
    head: await ask('admin/head'),
    reply: await page_error,
    page: told,
  };
  writeFileSync(out + '.part', JSON.stringify(answers));
  renameSync(out + '.part', out);
  process.exit(0);
`;

/** Starts one thing before it connects as an agent, and another then. Stays, or goes. */
const SPY = `
  import { spawnSync } from 'node:child_process';
  import { open } from './speak.mjs';
  const [path, token, before, after, stay] = process.argv.slice(2);
  const run = (script) => script !== '' && spawnSync('sh', ['-c', script], { stdio: 'ignore' });
  run(before);
  const ask = await open(path, token);
  await ask('tools/call', { name: 'screen/list_displays' });
  run(after);
  if (stay !== 'stay') process.exit(0);
`;

/** Adopts what its children leave behind, and starts the agent. */
const REAPER = `
  import { createRequire } from 'node:module';
  import { spawn } from 'node:child_process';
  const koffi = createRequire(import.meta.url)(${JSON.stringify(KOFFI)});
  koffi.load(null).func('int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)')(36, 1, 0, 0, 0);
  spawn(process.execPath, process.argv.slice(2), { stdio: 'ignore' });
`;

const PTY = 'import os,pty,sys\nif os.fork(): sys.exit()\nos.setsid()\npty.spawn(sys.argv[1:])';

/** Connects, and becomes the program that speaks. */
const BECOME = `
import os, socket, sys
own = socket.socket(socket.AF_UNIX)
own.connect(sys.argv[1])
os.dup2(own.fileno(), 9)
os.environ['SPY_SOCKET'] = '9'
os.execvp(sys.argv[2], sys.argv[2:])`;

/** Connects, and sends the connection to a program that forked away. */
const HAND_OVER = `
import os, socket, sys
here, there = socket.socketpair()
if os.fork() == 0:
    os.setsid()
    os.dup2(socket.recv_fds(there, 1, 1)[1][0], 9)
    os.environ['SPY_SOCKET'] = '9'
    os.execvp(sys.argv[2], sys.argv[2:])
own = socket.socket(socket.AF_UNIX)
own.connect(sys.argv[1])
socket.send_fds(here, [b'x'], [own.fileno()])
os.wait()`;

interface Answers {
  status: {
    status: { agents: { pid: number }[] };
    desktop: unknown;
    health: unknown;
    policy: unknown;
    otherAgents: number;
  };
  approvals: { approvals: { id: string }[]; others: number };
  page: { type: string; history?: unknown[] }[];
  reply: string;
  [name: string]: unknown;
}

class Scene {
  #count = 0;
  readonly #closers: (() => unknown)[] = [];
  private constructor(
    readonly started: Killable,
    public person: Person,
    readonly folder: string,
  ) {}

  static async open(): Promise<Scene> {
    const started = await startKillable(['--backend', 'linux', '--display', 'virtual']);
    const folder = mkdtempSync(join(tmpdir(), 'chaperone-spy-'));
    for (const [name, text] of Object.entries({ speak: SPEAK, probe: PROBE, spy: SPY, reaper: REAPER })) writeFileSync(join(folder, `${name}.mjs`), text); // prettier-ignore
    return new Scene(started, await openPage(started.host.url, started.host.link), folder);
  }

  /** The host knows nothing any more of the agents that have gone. */
  async restart(): Promise<void> {
    this.person.close();
    await this.started.kill();
    await this.started.start();
    this.person = await openPage(this.started.host.url, this.started.host.link);
  }

  file = (name: string): string => join(this.folder, name);
  place = (): string[] => [this.started.host.socketPath, tokenOf(this.started.home)];

  /** The command of a helper, and the answers it will get. */
  helper(): { line: string; answers: (victim: Victim) => Promise<Answers> } {
    const out = this.file(`answers-${(this.#count += 1)}`);
    return {
      line: shellLine([NODE, this.file('probe.mjs'), out]),
      answers: async ({ card, question }) => {
        const [path, token] = this.place();
        writeFileSync(`${out}.part`, JSON.stringify({ card, question, path, token, url: this.started.host.url }));
        renameSync(`${out}.part`, `${out}.go`);
        await eventually(() => existsSync(out)).toBe(true);
        return JSON.parse(readFileSync(out, 'utf8')) as Answers;
      },
    };
  }

  /** Another agent than the victim; resolves once it has started what it starts. */
  async spy({ before = '', after = '', stay = true, above = [] }: Spying & { above?: string[] }): Promise<void> {
    const done = this.file(`done-${(this.#count += 1)}`);
    const words = [this.file('spy.mjs'), ...this.place(), before, `${after}${after === '' ? '' : '\n'}touch ${done}`, stay ? 'stay' : 'go']; // prettier-ignore
    const child = spawn(NODE, [...above, ...words], { stdio: 'ignore', detached: true });
    this.#closers.push(() => child.pid !== undefined && endGroup(child.pid));
    await eventually(() => existsSync(done)).toBe(true);
  }

  async victim(): Promise<Victim & { agent: TestAgent }> {
    const agent = await startAgent(this.started.home, {
      cwd: this.started.workspace,
      ownProcess: true,
      name: 'victim',
    });
    this.#closers.push(() => agent.close());
    agent.call('execute_shell_command', { command: 'echo hunter2' }).catch(() => undefined);
    const { approval } = await this.person.next('approvalRequested');
    agent.call('send_message', { text: 'The secret is 1234' }).catch(() => undefined);
    const { ack_id: question } = await this.person.next('agentMessage');
    return { agent, card: approval.id, question };
  }

  /** The request is as it was, and the person sees no line of anybody else. */
  expectUntouched({ card, question }: Victim): void {
    const { seen } = this.person;
    expect(seen.filter((one) => one.type === 'approvalResolved' && one.id === card)).toEqual([]);
    expect(seen.filter((one) => one.type === 'userMessage' && one.ack_id === question)).toEqual([]);
    expect(JSON.stringify(seen)).not.toContain('ssh://you@bank');
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
    this.person.close();
    await this.started.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Victim {
  card: Card['id'];
  question: string;
}
interface Spying {
  before?: string;
  after?: string;
  stay?: boolean;
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** A connection is closed once its process has become another program; until the host has looked at the first, it is the second's. */
function expectClosedOrCountsOnly(got: Answers): void {
  if (!('closed' in got.status)) return expectCountsOnly(got);
  for (const name of ['approvals', 'deny', 'elsewhere', 'pair', 'head']) expect(got[name]).toEqual(got.status);
}

function expectCountsOnly(got: Answers): void {
  expect(got.status).toMatchObject({ desktop: { env: null }, health: null, policy: null, pendingApprovals: 1 });
  // At most the spy that is above the helper.
  expect(got.status.status.agents.length).toBeLessThanOrEqual(1);
  expect(got.approvals).toMatchObject({ approvals: [], others: 1 });
  for (const name of ['deny', 'silentDeny', 'elsewhere', 'pair', 'apps', 'end', 'head'])
    expect([name, got[name]]).toEqual([name, { error: expect.anything() as unknown }]);
  expect(got.reply).toBe('pairing_needed');
  expect(JSON.stringify(got)).not.toMatch(/victim|hunter2|secret is 1234|#pair=|DBUS_SESSION/);
}

const inTerminal = (line: string) => shellLine(['script', '-qec', line, '/dev/null']);
const installed = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const sandboxes = spawnSync('unshare', ['-pmf', '--mount-proc', 'true']).status === 0;
const [tmuxes, xterms] = [installed('tmux'), installed('xterm')];
const tmux = (name: string, ...more: string[]) => ['tmux', '-L', `${name}-${process.pid}`, '-f', '/dev/null', ...more];
const python = (...words: string[]) => shellLine(['python3', '-c', ...words]);

/** What an agent knows of where the host runs. */
interface Place {
  socket: string;
  display: Record<string, string>;
}
/** `false`: what it needs is missing here. */
type Way = [start: (line: string, place: Place) => string, isPossible?: boolean];

const WAYS: Record<string, Way> = {
  'a child': [(line) => `${line} &`],
  'a child in a terminal of its own': [(line) => `${inTerminal(line)} &`],
  'a helper that forked away': [(line) => `setsid -f ${line}`],
  'forked away, in a terminal of its own': [(line) => `setsid -f ${inTerminal(line)}`],
  'forked twice, in the agent’s session': [(line) => `(${inTerminal(line)} &)`],
  'without its environment': [(line) => `setsid -f env -i PATH="$PATH" ${inTerminal(line)}`],
  'in a terminal within a terminal': [(line) => `setsid -f ${inTerminal(inTerminal(line))}`],
  'in a terminal that a script made': [(line) => `${python(PTY, 'sh', '-c', line)} < /dev/null`],
  'behind a shell that waits in a terminal': [(line) => `setsid -f ${inTerminal(`sh -c ${shellLine([`${line}; true`])}`)}`],
  'a background job of a terminal’s shell': [(line) => `setsid -f ${inTerminal(`${line} & wait`)}`],
  'left over in a terminal whose shell ended': [(line, { socket }) => `setsid -f ${inTerminal(`setsid -f true; (${line} &); while [ -e ${socket} ]; do sleep 1; done`)}`],
  'by a connection that another program handed over': [(line, { socket }) => `setsid -f ${inTerminal(python(HAND_OVER, socket, 'sh', '-c', inTerminal(line)))}`],
  'in a window of xterm': [(line, { display }) => `${shellLine(['env', ...Object.entries(display).map((pair) => pair.join('=')), 'xterm', '-e', line])} &`, xterms],
  'in a window of xterm that forked away': [(line, { display }) => `setsid -f ${shellLine(['env', ...Object.entries(display).map((pair) => pair.join('=')), 'xterm', '-e', line])}`, xterms],
  'in a tmux of its own': [(line) => shellLine(tmux('spy', 'new-session', '-d', line)), tmuxes],
  'in a new window of the person’s tmux': [(line) => shellLine(tmux('person', 'new-window', '-d', line)), tmuxes],
  'typed into a window of the person’s tmux': [(line) => shellLine(tmux('person', 'send-keys', '-t', ':0', '-l', `${line}\n`)), tmuxes],
  'in a sandbox of its own': [(line) => `setsid -f unshare -pmf --mount-proc ${inTerminal(line)}`, sandboxes],
}; // prettier-ignore

describe('[req:PN-1] a helper of an agent gets counts only', () => {
  let scene: Scene;
  let victim: Victim;
  let place: Place;
  beforeAll(async () => {
    if (tmuxes) spawnSync('setsid', tmux('person', 'new-session', '-d', 'sh'));
    scene = await Scene.open();
    const { desktop } = JSON.parse((await scene.started.command.type(['status', '--json'])).stdout) as { desktop: { env: Record<string, string> } }; // prettier-ignore
    place = { socket: scene.started.host.socketPath, display: desktop.env };
    victim = await scene.victim();
  });
  afterAll(async () => {
    if (tmuxes) for (const name of ['spy', 'person']) spawnSync('tmux', tmux(name, 'kill-server').slice(1));
    await scene.close();
  });

  for (const [way, [start, isPossible = true]] of Object.entries(WAYS))
    test.skipIf(!isPossible)(way, async () => {
      const { line, answers } = scene.helper();
      await scene.spy({ after: `{ ${start(line, place)}\n} > /dev/null 2>&1 < /dev/null` });
      expectCountsOnly(await answers(victim));
      scene.expectUntouched(victim);
    });

  test('by a connection from before it became another program', async () => {
    const { line, answers } = scene.helper();
    const start = inTerminal(python(BECOME, scene.started.host.socketPath, 'sh', '-c', line));
    await scene.spy({ after: `setsid -f ${start} > /dev/null 2>&1 < /dev/null` });
    expectClosedOrCountsOnly(await answers(victim));
    scene.expectUntouched(victim);
  });

  test('one that outlives its agent', async () => {
    const { line, answers } = scene.helper();
    await scene.spy({ after: `setsid -f ${inTerminal(line)}`, stay: false });
    expectCountsOnly(await answers(victim));
  });

  test('one that what started the agent adopts', async () => {
    const { line, answers } = scene.helper();
    await scene.spy({ after: `setsid -f ${inTerminal(line)}`, above: [scene.file('reaper.mjs')] });
    expectCountsOnly(await answers(victim));
  });

  test('the person in a terminal of their own gets everything meanwhile, and everybody may stop', async () => {
    const shown = JSON.parse((await scene.started.command.type(['status', '--json'])).stdout) as Answers['status'];
    expect(shown).toMatchObject({ otherAgents: 0, desktop: { env: { DISPLAY: expect.stringMatching(/^:\d/) as unknown } } });
    expect((await scene.started.command.type(['approvals', 'list'])).stdout).toContain(victim.card);
    const counts = await scene.started.command.run(['status']);
    expect(counts.stdout).toContain('You see counts only. Chaperone cannot tell that you, and not an agent, typed this.');
    const denied = await scene.started.command.run(['approvals', 'deny', victim.card]);
    expect(denied).toMatchObject({ code: 1, stdout: '' });
    scene.expectUntouched(victim);
    expect(await scene.started.command.run(['stop'])).toMatchObject({ code: 0 });
    const { status } = await scene.person.next('status', (one) => one.status.paused !== null);
    expect(JSON.stringify(status.paused)).toContain('program');
  });
}); // prettier-ignore

describe('[req:PN-1] no age makes a helper the person', () => {
  let scene: Scene | null = null;
  afterEach(() => scene?.close());

  test('nor does a restart of the host, which forgets the agent that left it', async () => {
    const opened = await Scene.open();
    scene = opened;
    const { line, answers } = opened.helper();
    await opened.spy({ before: `setsid -f ${inTerminal(line)} > /dev/null 2>&1 < /dev/null`, stay: false });
    await opened.restart();
    const victim = await opened.victim();
    expectCountsOnly(await answers(victim));
    opened.expectUntouched(victim);
  });

  test('that no agent was ever seen to start', async () => {
    const opened = await Scene.open();
    scene = opened;
    const { line, answers } = opened.helper();
    spawnSync('sh', ['-c', `setsid -f ${inTerminal(line)} > /dev/null 2>&1 < /dev/null`]);
    const victim = await opened.victim();
    expectCountsOnly(await answers(victim));
    opened.expectUntouched(victim);
  });
});

describe('[req:PN-2] what was there before the agent connected counts as its own', () => {
  let scene: Scene | null = null;
  afterEach(() => scene?.close());

  test.each([
    ['forked away', true, (line: string) => `setsid -f ${line}`],
    ['in a terminal', true, (line: string) => `setsid -f ${inTerminal(line)}`],
    ['in a terminal, of an agent that has gone', false, (line: string) => `setsid -f ${inTerminal(line)}`],
    ['in a terminal that a script made', true, (line: string) => `${python(PTY, 'sh', '-c', line)} < /dev/null`],
  ])('%s', async (_way, stay, start) => {
    const opened = await Scene.open();
    scene = opened;
    const { line, answers } = opened.helper();
    await opened.spy({ before: `{ ${start(line)}\n} > /dev/null 2>&1`, stay });
    const victim = await opened.victim();
    expectCountsOnly(await answers(victim));
    opened.expectUntouched(victim);
  });
});
