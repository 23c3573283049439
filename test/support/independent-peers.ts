/** The bridge and the application of `test/peers/independent` as processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.js';
import type { Message } from './gabp-oracle.js';
import type { Place } from './peers.js';

const PEERS = join(import.meta.dirname, '../peers');
const ADAPTER = join(PEERS, 'standard-file.mjs');
const APPLICATION = join(PEERS, 'independent/application.mjs');

/** For who is launched by a bridge that knows no variables. */
export const withVariables = (command: readonly string[]): string[] => [
  process.execPath,
  ADAPTER,
  'to-environment',
  ...command,
];

/** The application, for a bridge that hands over its file by a variable. */
export const launchedApplication = [process.execPath, ADAPTER, 'from-environment', process.execPath, APPLICATION];

/** Runs by itself and says in `file` where it listens. */
export function startApplication({ env }: Place, file: string): { kill(): Promise<void> } {
  const child = spawn(process.execPath, [APPLICATION, file], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  return { kill };
}

interface Report extends Message {
  report: string;
}

export interface IndependentBridge {
  order(order: string, more?: object): Promise<Message>;
  call(name: string, args?: Message, more?: object): Promise<Message>;
  reports(kind: string): Report[];
  events(channel: string): Report[];
  /** What it holds against the host, by the specification and its schemas; `should` is what the specification only recommends. */
  violations(level: 'must' | 'should'): Report[];
  /** What the host that it launched has said on standard error. */
  log(): string;
}

/** Its options are in `bridge.mjs`. An order that fails rejects with the bridge's report as text. */
export function startIndependentBridge({ env }: Place, options: object): IndependentBridge {
  const text = JSON.stringify({ backoff: { baseMs: 50, maxMs: 500 }, maxAttempts: 60, ...options });
  const child = spawn(process.execPath, [join(PEERS, 'independent/bridge.mjs'), text], { env, stdio: 'pipe' });
  const told: Report[] = [];
  const waiting = new Map<number, (report: Report) => void>();
  let count = 0;
  child.stderr.resume();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const report = JSON.parse(line) as Report;
    told.push(report);
    if (typeof report['tag'] === 'number') waiting.get(report['tag'])?.(report);
  });
  onTestFinished(async () => {
    child.stdin.end();
    await eventually(() => child.exitCode ?? child.signalCode).not.toBeNull();
  });

  async function order(name: string, more: object = {}): Promise<Message> {
    const tag = (count += 1);
    const answered = new Promise<Report>((resolve) => waiting.set(tag, resolve));
    child.stdin.write(`${JSON.stringify({ order: name, tag, ...more })}\n`);
    const report = await answered;
    if (report.report === 'error') throw new Error(JSON.stringify(report));
    return report['result'] as Message;
  }

  const reports = (kind: string) => told.filter(({ report }) => report === kind);
  return {
    order,
    reports,
    call: (name, args = {}, more = {}) =>
      order('request', { method: 'tools/call', params: { name, arguments: args }, ...more }),
    events: (channel) => reports('event').filter((event) => event['channel'] === channel),
    violations: (level) => reports('violation').filter((violation) => violation['level'] === level),
    log: () => reports('log').map(({ line }) => String(line)).join('\n'), // prettier-ignore
  };
}
