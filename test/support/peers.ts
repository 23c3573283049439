/** The bridge and the application of `test/peers` as processes, and the product's host as one: what each says, and what it is told. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { ENTRY } from './command.js';
import { eventually } from './eventually.js';
import { createOracle, type Message } from './gabp-oracle.js';

const PEERS = join(import.meta.dirname, '../peers');
export const APP = join(PEERS, 'app.mjs');

export interface Place {
  home: string;
  env: Record<string, string>;
}

/** A home as a person's, without CHAPERONE_HOME; another place for configuration is named, which GABP does not know. */
export function newPlace(): Place {
  const home = mkdtempSync(join(tmpdir(), 'gp-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CONFIG_HOME: join(home, 'elsewhere') };
  return { home, env };
}

export const STANDARD = '.config/gabp/bridge.json';
const HOST = ['host', '--backend', 'simulated', '--policy', 'unattended', '--print-pairing'];
export const hostCommand = ({ home }: Place, ...more: string[]): string[] => [
  ...[process.execPath, ENTRY],
  ...[...HOST, '--workspace-root', home, ...more],
];

/** Ended with the test. */
function start(command: readonly string[], env: Record<string, string>): ChildProcess {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin?.on('error', () => undefined);
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}

export interface HostProcess {
  child: ChildProcess;
  /** A pairing link, once it was printed. */
  link(): Promise<string>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export function startHostProcess(place: Place, ...more: string[]): HostProcess {
  const child = start(hostCommand(place, ...more), place.env);
  let said = '';
  child.stdout?.on('data', (text) => (said += String(text)));
  child.stderr?.on('data', (text) => (said += String(text)));
  return {
    child,
    link: () => linkIn(() => said),
    async kill(signal) {
      const ended = once(child, 'close');
      child.kill(signal);
      await ended;
    },
  };
}

export async function linkIn(said: () => string): Promise<string> {
  await eventually(said).toMatch(/http\S+#pair=\S+/);
  return /http\S+#pair=\S+/.exec(said())?.[0] ?? '';
}

/** The application; with `file` it says there where it listens. */
export function startApp(place: Place, file: string): ChildProcess {
  return start([process.execPath, APP, file], place.env);
}

interface Told {
  number?: number;
  answer?: unknown;
  error?: { code: number | null; message: string; data: unknown };
  message?: Message;
  welcome?: Message;
  event?: Message;
  launched?: number;
  stderr?: string;
  stdout?: string;
}

export interface BridgeProcess {
  told: Told[];
  request(method: string, params?: Message): Promise<Message>;
  order(order: string, more?: object): Promise<unknown>;
  /** How many welcomes it has had. */
  welcomes(): Message[];
  events(channel: string): Message[];
  /** What the application that it started has written. */
  said(): string;
}

export function startBridge(place: Place, options: object): BridgeProcess {
  const child = start([process.execPath, join(PEERS, 'bridge.mjs'), JSON.stringify(options)], place.env);
  const told: Told[] = [];
  const waiting = new Map<number, (told: Told) => void>();
  let count = 0;
  let faults = '';
  child.stderr?.on('data', (text) => (faults += String(text)));
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const one = JSON.parse(line) as Told;
      told.push(one);
      if (one.number !== undefined) waiting.get(one.number)?.(one);
    });
  onTestFinished(async () => {
    child.stdin?.end();
    await eventually(() => child.exitCode).not.toBeNull();
  });

  async function order(name: string, more: object = {}): Promise<unknown> {
    const number = (count += 1);
    const answered = new Promise<Told>((resolve) => waiting.set(number, resolve));
    child.stdin?.write(`${JSON.stringify({ order: name, number, ...more })}\n`);
    const { error, answer } = await answered;
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return answer;
  }

  return {
    told,
    order,
    request: async (method, params = {}) => (await order('request', { method, params })) as Message,
    welcomes: () => told.flatMap(({ welcome }) => (welcome === undefined ? [] : [welcome])),
    events: (channel) => told.flatMap(({ event }) => (event?.['channel'] === channel ? [event] : [])),
    said: () => `${faults}${told.map(({ stderr, stdout }) => stderr ?? stdout ?? '').join('')}`,
  };
}

/** What the schemas forbid of what a bridge was sent; `observed`, which it asked for, aside. */
export function faultsOf({ told }: BridgeProcess): string[] {
  const oracle = createOracle();
  return told.flatMap(({ message }) => {
    if (message === undefined || JSON.stringify(message).includes('"observed"')) return [];
    return oracle.answer(message);
  });
}

/** What the schemas forbid of what the application was sent; `from`, which it says that it takes, aside. */
export function faultsInRecord(file: string): string[] {
  if (!existsSync(file)) return ['nothing was recorded'];
  const oracle = createOracle();
  return recorded(file).flatMap((message) => {
    const { from: _from, ...params } = (message['params'] ?? {}) as Message;
    return oracle.request({ ...message, params });
  });
}

export const recorded = (file: string): Message[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Message);
