/** What both parts of the witness on a Mac ask by: scripts of System Events, and lists of processes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Rect } from '../desktop.js';

/** Runs a program and gives what it writes. */
export type RunProgram = (argv: readonly [string, ...string[]], stdin?: string, limitMs?: number) => Promise<string>;

const PROGRAM_MS = 10_000;

/** What the function body of JavaScript for Automation returns. */
export const jxa = async (run: RunProgram, script: string): Promise<unknown> =>
  JSON.parse(await run(['/usr/bin/osascript', '-l', 'JavaScript', '-e', `JSON.stringify((() => {${script}})())`]));

export const windowsOf = async (run: RunProgram, pid: number): Promise<MacWindow[]> =>
  readWindows(await jxa(run, windowsScript(pid)));

/** Rejects where the program fails or takes too long. */
export const runProgram: RunProgram = async ([program, ...args], stdin, limitMs = PROGRAM_MS) => {
  const running = promisify(execFile)(program, args, { timeout: limitMs });
  // A program may end before it has read what it is given; its exit code tells whether it failed.
  running.child.stdin?.on('error', () => undefined).end(stdin ?? '');
  return (await running).stdout;
};

export interface MacWindow {
  title: string;
  frame: Rect;
  minimized: boolean;
}

export const EVENTS = `const events = Application('System Events');`;
export const processOf = (pid: number): string =>
  `${EVENTS} const one = events.processes.whose({ unixId: ${pid} })[0];`;
const windowsScript = (pid: number): string =>
  `${processOf(pid)} return one.windows().map((each) => [each.name(), each.position(), each.size(), each.attributes.byName('AXMinimized').value()]);`;

function readWindows(value: unknown): MacWindow[] {
  if (!Array.isArray(value)) return [];
  return value.map((each: unknown) => {
    const [title, position, size, minimized]: unknown[] = Array.isArray(each) ? each : [];
    const frame = { ...pointOf(position), ...sizeOf(size) };
    return { title: String(title), frame, minimized: minimized === true };
  });
}

const numbers = (value: unknown): [number, number] => {
  const [a, b]: unknown[] = Array.isArray(value) ? value : [];
  return [Number(a), Number(b)];
};

export function pointOf(value: unknown): { x: number; y: number } {
  const [x, y] = numbers(value);
  return { x, y };
}

export function sizeOf(value: unknown): { width: number; height: number } {
  const [width, height] = numbers(value);
  return { width, height };
}

export async function pidsOf(run: RunProgram, name: string): Promise<number[]> {
  const listed = await run(['/bin/ps', '-axo', 'pid=,comm=']);
  return listed
    .split('\n')
    .filter((line) => line.trimEnd().endsWith(`/${name}`))
    .map((line) => Number.parseInt(line, 10));
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
