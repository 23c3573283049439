/**
 * The demo: a small scripted agent that shows a person what Chaperone does. It is a separate process that connects like any other
 * agent, and is recognised because the host started it. One at a time; it ends with the host.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import type { ProcessIdentity } from '../../native/peer/types.js';
import type { Caller } from '../pipeline/ports.js';
import type { Language } from '../../messages/index.js';
import { DEMO_STOPPED } from '../protocol/index.js';
import type { Launcher } from '../setup/index.js';
import { launcherAt } from '../setup/index.js';
import { commandEnvironments } from './command-environment.js';
import { createEmitter } from '../../base/emitter.js';
import type { Refusal } from '../serve/page/definition.js';
import type { DemoRunner } from '../serve/page/demo.js';

export interface DemoOptions {
  launcher: Launcher;
  env: Record<string, string | undefined>;
  /** Its working folder, with its evidence below. */
  cwd: string;
  /** There is a real desktop, where the demo can do more than move the pointer. */
  real: boolean;
  /** Why it cannot run now. */
  hindered(): Refusal | null;
  /** Called when it has ended, to withdraw its requests. */
  gone(agentId: string): void;
  log: Logger;
}

export interface Demo extends DemoRunner {
  running(): boolean;
  on(listener: () => void): () => void;
  /** Whether a process is the demo, as the kernel reports it. */
  is(process: Pick<ProcessIdentity, 'pid' | 'parentPid'>): boolean;
  /** Stores its identity as an agent. */
  met(caller: Caller): Caller;
  close(): Promise<void>;
}

const EXIT_TIMEOUT_MS = 2_000;
const MAX_ERROR_LENGTH = 500;

export function createDemo({ launcher, env, cwd, real, hindered, gone, log }: DemoOptions): Demo {
  const news = createEmitter<void>((thrown) => log.error({ err: thrown }, 'demo'));
  const agents = new Set<string>();
  let child: ChildProcess | null = null;
  let ended: Promise<unknown> = Promise.resolve();

  function start(language: Language) {
    const { command, args, env: own } = launcherAt(launcher, env);
    const words = ['demo-agent', '--language', language, ...(real ? ['--real'] : [])];
    const started = spawn(command, [...args.slice(0, -1), ...words], {
      cwd,
      env: { ...commandEnvironments(env, null).desktop, ...own },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child = started;
    let said = '';
    started.stderr.on('data', (chunk) => (said = (said + String(chunk)).slice(-MAX_ERROR_LENGTH)));
    started.stdin.on('error', () => undefined);
    return new Promise<{ code: number | null; said: string }>((resolve) => {
      started.on('error', (error) => resolve({ code: null, said: error.message }));
      started.on('close', (code) => resolve({ code, said: said.trim() }));
    });
  }

  function end() {
    child = null;
    for (const agentId of agents) gone(agentId);
    agents.clear();
    news.emit();
  }

  return {
    async run(language, person) {
      if (child !== null) return { ok: false, code: 'demo_running', message: 'The demo is running already.' };
      const hindrance = hindered();
      if (hindrance !== null) return hindrance;
      log.info({ by: person.by }, 'demo: a person started it');
      const over = start(language).finally(end);
      ended = over.catch(() => undefined);
      news.emit();
      const { code, said } = await over;
      log.info({ code, said }, 'demo: it ended');
      if (code === 0) return { outcome: 'finished', why: null };
      if (code === DEMO_STOPPED) return { outcome: 'stopped', why: null };
      return { outcome: 'failed', why: said === '' ? null : said };
    },
    running: () => child !== null,
    on: news.on,
    is: ({ pid, parentPid }) => child !== null && pid === child.pid && parentPid === process.pid,
    met(caller) {
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
