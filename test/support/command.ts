/** The built command line as its own process, in a home of its own that is removed afterwards together with every host it started. */
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath } from 'node:url';
import { shellLine } from '../../src/main/protocol/local-command.js';

export const ENTRY = fileURLToPath(new URL('../../dist/main/cli/index.js', import.meta.url));

/** Whether or not the tests run in one: it would be the person's. */
const WITHOUT_TERMINAL = { detached: true };

/** As a login does: root lets it become another user's, whose child is the terminal. Others have to run the tests below a login. */
export const LET_IN =
  process.getuid?.() === 0
    ? ['python3', '-c', 'import os,signal,sys\nr,w=os.pipe()\np=os.fork()\nif p==0:\n os.close(w); os.read(r,1); os.execvp(sys.argv[1],sys.argv[1:])\nsignal.signal(signal.SIGTERM, lambda *_: (os.seteuid(0), os.kill(p,15)))\nos.setresuid(65534,65534,0)\nos.close(r); os.write(w,b"x")\nsys.exit(os.waitstatus_to_exitcode(os.waitpid(p,0)[1]))'] // prettier-ignore
    : [];

/** A terminal of the person's own, in which the shell runs a line. Its output and errors are one stream. */
export function openTerminal(line: string, env: NodeJS.ProcessEnv = process.env): ChildProcessWithoutNullStreams {
  const [program = '', ...more] = [...LET_IN, 'script', '-qec', line, '/dev/null'];
  return spawn(program, more, { env, stdio: 'pipe' });
}

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
}

export interface Home {
  path: string;
  env: Record<string, string>;
  start(args: string[], env?: Record<string, string>): Running;
  /** A shim of another agent than this process. */
  startShim(env?: Record<string, string>): Running;
  run(args: string[], env?: Record<string, string>): Promise<Ended>;
  /** As `run`, in a terminal of its own that no agent opened: as the person. Both streams are its one. */
  type(args: string[], typed?: string): Promise<Ended>;
  /** Pids of hosts that work in this home. */
  hosts(): number[];
  close(): Promise<void>;
}

export function createHome(): Home {
  const path = mkdtempSync(join(tmpdir(), 'chp-'));
  const base = { PATH: process.env['PATH'] ?? '', HOME: path, CHAPERONE_HOME: path, CHAPERONE_BACKEND: 'simulated' };
  const started = new Set<Running>();

  const start = (args: string[], env: Record<string, string> = {}): Running =>
    follow(spawn(process.execPath, [ENTRY, ...args], { env: { ...base, ...env }, stdio: 'pipe', ...WITHOUT_TERMINAL }));

  const follow = (child: ChildProcessWithoutNullStreams): Running => {
    let stdout = '';
    let stderr = '';
    // A chunk may end within a character.
    const [outText, errText] = [new StringDecoder('utf8'), new StringDecoder('utf8')];
    child.stdout.on('data', (chunk: Buffer) => (stdout += outText.write(chunk)));
    child.stderr.on('data', (chunk: Buffer) => (stderr += errText.write(chunk)));
    child.stdin.on('error', () => undefined);
    const ended = new Promise<Ended>((resolve) =>
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
    );
    const running: Running = { child, stdout: () => stdout, stderr: () => stderr, ended };
    started.add(running);
    void ended.then(() => started.delete(running));
    return running;
  };

  const hosts = (): number[] => processesWith(`CHAPERONE_HOME=${path}`).filter((pid) => isHost(pid));

  return {
    path,
    env: base,
    start,
    startShim: (env = {}) =>
      follow(spawn('sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, ENTRY, 'mcp'], { env: { ...base, ...env }, stdio: 'pipe', ...WITHOUT_TERMINAL })), // prettier-ignore
    run: (args, env) => {
      const running = start(args, env);
      running.child.stdin?.end();
      return running.ended;
    },
    async type(args, typed = '') {
      const words = shellLine([process.execPath, ENTRY, ...args]);
      const running = follow(openTerminal(words, base));
      running.child.stdin?.write(typed);
      const ended = await running.ended;
      return { ...ended, stdout: ended.stdout.replaceAll('\r\n', '\n') };
    },
    hosts,
    close: async () => {
      for (const running of started) running.child.kill('SIGKILL');
      await Promise.all([...started].map((running) => running.ended));
      for (const pid of hosts()) endProcess(pid);
      while (hosts().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

function isHost(pid: number): boolean {
  const args = readProc(pid, 'cmdline').split('\0');
  return args.includes(ENTRY) && args.includes('host');
}

function processesWith(variable: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => environmentOf(pid).includes(variable));
}

/** `NAME=value` of a running process, by the kernel's word. */
export function environmentOf(pid: number): string[] {
  return readProc(pid, 'environ').split('\0');
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
