import { message, type Message, type Language } from '../../messages/index.js';
import type { ProcessTable, ProcessIdentity } from '../../native/peer/types.js';
import type { Approvals } from '../approvals/index.js';
import type { Chat } from '../chat/index.js';
import { createCallers, type MakeCaller } from '../agents/caller.js';
import type { HostOptions } from './options.js';
import { type Status, DEMO_STOPPED } from '../protocol/index.js';
import type { PageRefusal } from '../serve/page/definition.js';
import type { WatchedValue } from '../serve/page/greeting.js';
import { spawn, type ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import type { Caller } from '../approvals/request.js';
import { withChaperoneHome, type Launcher } from '../setup/index.js';
import { commandEnvironments } from '../tools/commands/environment.js';
import { createEmitter } from '../../base/emitter.js';
import type { DemoRunner } from '../serve/page/programs.js';

// The demo: a small scripted agent that shows a person what Chaperone does. It is a separate process that connects like any other
// agent, and is recognised because the host started it. One at a time; it ends with the host.

export interface DemoProcessOptions {
  launcher: Launcher;
  env: Record<string, string | undefined>;
  /** Its working folder; its evidence goes there. */
  cwd: string;
  /** On a real desktop the demo also uses an application. */
  real: boolean;
  /** Why it cannot run now. */
  hindered(): PageRefusal | null;
  /** Called when it has ended, to withdraw its requests. */
  gone(agentId: string): void;
  log: Logger;
}

export interface DemoProcess extends DemoRunner {
  running(): boolean;
  on(listener: () => void): () => void;
  /** Whether a process is the demo, as the kernel reports it. */
  isDemo(process: Pick<ProcessIdentity, 'pid' | 'parentPid'>): boolean;
  /** Notes the demo's agent id, to withdraw its requests when it ends. Returns the same caller. */
  register(caller: Caller): Caller;
  close(): Promise<void>;
}

const EXIT_TIMEOUT_MS = 2_000;
const MAX_ERROR_LENGTH = 500;

export function createDemoProcess({ launcher, env, cwd, real, hindered, gone, log }: DemoProcessOptions): DemoProcess {
  const changes = createEmitter<void>((thrown) => log.error({ err: thrown }, 'demo'));
  const agents = new Set<string>();
  let child: ChildProcess | null = null;
  let ended: Promise<unknown> = Promise.resolve();

  function start(language: Language) {
    const { command, args, env: own } = withChaperoneHome(launcher, env);
    const demoArgs = ['demo-agent', '--language', language, ...(real ? ['--real'] : [])];
    const started = spawn(command, [...args.slice(0, -1), ...demoArgs], {
      cwd,
      env: { ...commandEnvironments(env, null).desktop, ...own },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child = started;
    let output = '';
    started.stderr.on('data', (chunk) => (output = (output + String(chunk)).slice(-MAX_ERROR_LENGTH)));
    started.stdin.on('error', () => undefined);
    return new Promise<{ code: number | null; output: string }>((resolve) => {
      started.on('error', (error) => resolve({ code: null, output: error.message }));
      started.on('close', (code) => resolve({ code, output: output.trim() }));
    });
  }

  function end() {
    child = null;
    for (const agentId of agents) gone(agentId);
    agents.clear();
    changes.emit();
  }

  return {
    async run(language, person) {
      if (child !== null) return { ok: false, code: 'demo_running', message: message('refused.demo_running') };
      const hindrance = hindered();
      if (hindrance !== null) return hindrance;
      log.info({ by: person.by }, 'demo: a person started it');
      const finished = start(language).finally(end);
      ended = finished.catch(() => undefined);
      changes.emit();
      const { code, output } = await finished;
      log.info({ code, output }, 'demo: it ended');
      if (code === 0) return { outcome: 'finished', why: null };
      if (code === DEMO_STOPPED) return { outcome: 'stopped', why: null };
      return { outcome: 'failed', why: output === '' ? null : output };
    },
    running: () => child !== null,
    on: changes.on,
    isDemo: ({ pid, parentPid }) => child !== null && pid === child.pid && parentPid === process.pid,
    register(caller) {
      if (caller.agent.demo === true) agents.add(caller.agent.id);
      return caller;
    },
    async close() {
      const last = child;
      const late = setTimeout(() => last?.kill('SIGKILL'), EXIT_TIMEOUT_MS);
      // Also ends its shim, which would otherwise look for another host.
      last?.kill('SIGTERM');
      await ended;
      clearTimeout(late);
    },
  };
}

interface DemoSources {
  approvals: Pick<Approvals, 'cards' | 'withdraw' | 'pauseOfAll'>;
  chat: Pick<Chat, 'agentEnded'>;
  status: Pick<WatchedValue<Status>, 'now'>;
}

/** null where the command that starts the shim is unknown. */
export function openDemo(
  { launcher, env, workspaceRoot, log }: HostOptions,
  sources: DemoSources,
  real: boolean,
): DemoProcess | null {
  if (launcher === undefined) return null;
  const { approvals, chat } = sources;
  return createDemoProcess({
    launcher,
    env,
    cwd: workspaceRoot,
    real,
    hindered: () => hindrance(sources),
    gone(agentId) {
      for (const { agent, executionId } of approvals.cards()) if (agent.id === agentId) approvals.withdraw(executionId);
      chat.agentEnded(agentId);
    },
    log,
  });
}

const HINDRANCES: ReadonlyMap<string, Message> = new Map([
  ['locked', message('refused.demo_locked')],
  ['permission', message('refused.demo_permission')],
  ['display_lost', message('refused.demo_display_lost')],
]);

function hindrance({ approvals, status }: DemoSources): PageRefusal | null {
  if (approvals.pauseOfAll() !== null)
    return { ok: false, code: 'demo_paused', message: message('refused.demo_paused') };
  const condition = status.now().attention?.condition;
  const text = condition && HINDRANCES.get(condition);
  return text === undefined ? null : { ok: false, code: `demo_${condition}`, message: text };
}

/** Adds the state of the demo for pages. */
export function withDemo(status: WatchedValue<Status>, demo: DemoProcess): WatchedValue<Status> {
  const now: WatchedValue<Status>['now'] = () => ({ ...status.now(), demo: demo.running() ? 'running' : 'ready' });
  return {
    now,
    on(listener) {
      const ends = [status, demo].map(({ on }) => on(() => listener(now())));
      return () => ends.forEach((end) => end());
    },
  };
}

export function callersWith(demo: DemoProcess, processes: ProcessTable): MakeCaller {
  const make = createCallers({ processes, isDemo: demo.isDemo });
  return (peer, facts) => demo.register(make(peer, facts));
}
