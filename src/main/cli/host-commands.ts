/** `chaperone open`, `restart` and `logs`: what a person does with the host in the background. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import * as z from 'zod';
import { errno } from '../../base/type-guards.js';
import { delay, poll } from '../../base/poll.js';
import { message, type Formatter } from '../../messages/index.js';
import { readBridge } from '../host/discovery.js';
import { ConnectionLost } from '../shim/connect.js';
import { EXIT, Failure, print, terminalSafe } from './failure.js';
import { connectHost, hostConnection, paths, withHost } from './host-client.js';

const END_MS = 15_000;
const FOLLOW_MS = 500;
/** As much of the log's end as is read for the last lines. */
const TAIL_BYTES = 1_048_576;

/** Starts a host where none runs. The page tells a browser that is not paired how to pair. */
export async function open({ text }: Formatter): Promise<void> {
  const url = await startedHost();
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  print(text((await opens(opener, url)) ? 'cli.open.opened' : 'cli.open.by_hand', { url }));
}

/** False where there is no browser to open it in. */
async function opens(opener: string, url: string): Promise<boolean> {
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  try {
    const [code] = await once(child, 'exit');
    return code === 0;
  } catch {
    return false;
  }
}

/** As the menu bar app replaces a host: only one in the background, and nobody is paused. */
export async function restart({ text }: Formatter): Promise<void> {
  const pid = readBridge(paths())?.metadata.pid;
  await withHost((session) => session.request('admin/handover', {})).catch((error: unknown) => {
    if (!(error instanceof ConnectionLost)) throw error;
  });
  // An ended process whose parent does not ask for it still has its number.
  const isOver = () => pid === undefined || !runs(pid) || readBridge(paths())?.metadata.pid !== pid;
  const ended = () => Promise.resolve(isOver() || null);
  if ((await poll(ended, END_MS, new AbortController().signal)) === null)
    throw new Failure(message('cli.restart.goes_on', { pid: String(pid) }));
  print(text('cli.restart.runs', { url: await startedHost() }));
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return errno(thrown) !== 'ESRCH';
  }
}

async function startedHost(): Promise<string> {
  const session = await connectHost(hostConnection('chaperone'), true, new AbortController().signal);
  session?.close();
  const url = readBridge(paths())?.url;
  if (session === null || url === undefined) throw new Failure(message('cli.no_host'), EXIT.noHost);
  return url;
}

interface LogOptions {
  lines: string;
  follow?: boolean;
}

/** With `follow`, until a signal ends this process. */
export async function logs({ lines, follow = false }: LogOptions): Promise<void> {
  const count = Number(lines);
  if (!Number.isSafeInteger(count) || count < 0)
    throw new Failure(message('cli.logs.count', { given: lines }), EXIT.usage);
  const file = join(paths().state, 'host.log');
  if (!existsSync(file)) throw new Failure(message('cli.logs.none', { file }));
  let at = statSync(file).size;
  const last = readPart(file, Math.max(0, at - TAIL_BYTES), at)
    .split('\n')
    .filter(Boolean);
  for (const line of count === 0 ? [] : last.slice(-count)) print(shownLine(line));
  if (!follow) return;
  let begun = '';
  for (;;) {
    await delay(FOLLOW_MS, new AbortController().signal);
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size < at) at = 0;
    const whole = `${begun}${readPart(file, at, size)}`.split('\n');
    at = size;
    begun = whole.pop() ?? '';
    for (const line of whole) print(shownLine(line));
  }
}

function readPart(file: string, from: number, to: number): string {
  if (to <= from) return '';
  const bytes = Buffer.alloc(to - from);
  const descriptor = openSync(file, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, from));
  } finally {
    closeSync(descriptor);
  }
}

const lineSchema = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string().default(''),
  err: z.looseObject({ message: z.string() }).optional(),
  reason: z.string().optional(),
});

/** Time, level and what happened. A line of another kind, as a crash leaves it, stays as it is. */
function shownLine(line: string): string {
  const read = lineSchema.safeParse(jsonOf(line));
  if (!read.success) return terminalSafe(line);
  const { level, time, msg, err, reason } = read.data;
  const what = [msg, err?.message, reason].filter(Boolean).join(': ');
  return terminalSafe(`${new Date(time).toISOString()} ${pino.levels.labels[level] ?? String(level)} ${what}`);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
