/** A shim between an MCP client and a host in memory. */
import { PassThrough } from 'node:stream';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport as StdioV1 } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioServerTransport as StdioV2 } from '@modelcontextprotocol/server/stdio';
import { pino } from 'pino';
import { createShim, type Shim, type ShimTimes } from '../../src/main/shim/index.js';
import type { ShimOptions } from '../../src/main/serve/mcp/index.js';
import type { FakeHost } from '../support/fake-host.js';

export interface Wired {
  shim: Shim;
  toShim: PassThrough;
  fromShim: PassThrough;
  notices: () => string;
}

type Times = ShimTimes & NonNullable<ShimOptions['times']>;

const QUICK: Times = {
  progressIntervalMs: 20,
  screensTimeoutMs: 5_000,
  detachTimeoutMs: 2_000,
  openingTimeoutMs: 5_000,
  firstRetryMs: 5,
  maxRetryMs: 20,
  lookMs: 50,
};

export function wire(
  host: FakeHost,
  options: { callLimit?: number; times?: Partial<Times>; profile?: 'full' | 'core' } = {},
): Wired {
  const toShim = new PassThrough();
  const fromShim = new PassThrough();
  const notices = new PassThrough();
  let told = '';
  notices.on('data', (chunk) => (told += String(chunk)));
  const times = { ...QUICK, ...options.times };
  host.times = times;
  const shim = createShim({
    input: toShim,
    output: fromShim,
    notices,
    host: host.connection,
    cwd: '/work/project',
    profile: options.profile ?? 'full',
    callLimit: options.callLimit ?? null,
    log: pino({ level: 'silent' }),
    times,
  });
  return { shim, toShim, fromShim, notices: () => told };
}

/** A client of the maintenance line (SDK 1): 2025-11-25 and older. */
export async function clientV1({ toShim, fromShim }: Wired, name = 'old-client'): Promise<ClientV1> {
  const client = new ClientV1({ name, version: '1.0.0' });
  await client.connect(new StdioV1(fromShim, toShim));
  return client;
}

/** A client of SDK 2 that asks for 2026-07-28 where `modern`, else opens with `initialize`. */
export async function clientV2({ toShim, fromShim }: Wired, name = 'new-client', modern = true): Promise<ClientV2> {
  const client = new ClientV2({ name, version: '2.0.0' }, modern ? { versionNegotiation: { mode: 'auto' } } : {});
  await client.connect(new StdioV2(fromShim, toShim));
  return client;
}

/** Raw lines: what a client sees that knows no SDK. */
export function rawClient({ toShim, fromShim }: Wired) {
  const received: Record<string, unknown>[] = [];
  let rest = '';
  fromShim.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) received.push(JSON.parse(line) as Record<string, unknown>);
  });
  return {
    received,
    send: (message: object) => void toShim.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    answer: async (id: number): Promise<Record<string, unknown>> => {
      let found: Record<string, unknown> | undefined;
      await until(() => (found = received.find((message) => message['id'] === id)) !== undefined);
      return found ?? {};
    },
  };
}

/** Polls a condition; the test's own time limit ends a wait in vain. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
