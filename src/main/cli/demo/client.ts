/** The side of MCP that an agent has, over a shim of its own: what the demo needs and no more. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { Launcher } from '../../setup/index.js';
import { VERSION } from '../../protocol/version.js';

const PROTOCOL = '2025-06-18';
/** Seconds: the most there is. The demo waits on after it. */
const CALL_LIMIT = '86400';

const messageSchema = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  result: z.unknown(),
  error: z.looseObject({ message: z.string() }).optional(),
});

const resultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  structuredContent: z.looseObject({}).optional(),
  isError: z.boolean().default(false),
  _meta: z.looseObject({}).default({}),
});
const waitingSchema = z.looseObject({ status: z.literal('awaiting_human'), callId: z.string() });
export type CallResult = z.infer<typeof resultSchema>;

export interface AgentClient {
  /** Rejects only when there is no answer: a tool's failure is a result. */
  call(name: string, args: Record<string, unknown>): Promise<CallResult>;
  /** Where the person answers, once that is known. */
  url(): string | null;
  /** Rejects when the shim has gone. */
  readonly lost: Promise<never>;
  close(): Promise<void>;
}

/** Resolves once the host has answered. */
export async function openClient({ command, args }: Launcher): Promise<AgentClient> {
  const shim = spawn(command, [...args, '--call-limit', CALL_LIMIT], { stdio: ['pipe', 'pipe', 'pipe'] });
  let url: string | null = null;
  createInterface({ input: shim.stderr }).on(
    'line',
    (line) => (url = /^http:\/\/localhost:\d+$/.exec(line)?.[0] ?? url),
  );
  const waiting = new Map<number, { resolve(result: unknown): void; reject(reason: Error): void }>();
  let last = 0;

  const ended = new Promise<void>((resolve) => shim.on('close', () => resolve()).on('error', () => resolve()));
  const lost = ended.then((): never => {
    throw new Error('Chaperone went away.');
  });
  lost.catch((reason: Error) => {
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  });
  shim.stdin.on('error', () => undefined);
  createInterface({ input: shim.stdout }).on('line', (line) => {
    const { id, result, error } = messageSchema.parse(JSON.parse(line));
    const one = typeof id === 'number' ? waiting.get(id) : undefined;
    if (one === undefined || typeof id !== 'number') return;
    waiting.delete(id);
    if (error === undefined) one.resolve(result);
    else one.reject(new Error(error.message));
  });

  const write = (message: object) => void shim.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      write({ id: last, method, params });
    });
  const close = async () => {
    shim.kill('SIGKILL');
    await ended;
  };

  try {
    const clientInfo = { name: 'chaperone-demo', version: VERSION };
    await request('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    write({ method: 'notifications/initialized' });
  } catch (error) {
    await close();
    throw error;
  }
  const call = async (name: string, args: Record<string, unknown>): Promise<CallResult> =>
    resultSchema.parse(await request('tools/call', { name, arguments: args }));
  return {
    async call(name, args) {
      let result = await call(name, args);
      for (;;) {
        const waits = waitingSchema.safeParse(result.structuredContent);
        if (!waits.success) return result;
        result = await call('resume_call', { call_id: waits.data.callId });
      }
    },
    url: () => url,
    lost,
    close,
  };
}
