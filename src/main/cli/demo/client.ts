/** An MCP client over a shim of its own, with only what the demo needs. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { Launcher } from '../../setup/index.js';
import { VERSION } from '../../protocol/version.js';

const PROTOCOL = '2025-06-18';
/** The maximum. The demo resumes a call that takes longer. */
const CALL_LIMIT_SECONDS = '86400';

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
  /** The address of the page, once known. */
  url(): string | null;
  /** Rejects when the shim has ended. */
  readonly lost: Promise<never>;
  close(): Promise<void>;
}

/** Resolves once the host has answered. */
export async function openClient({ command, args }: Launcher): Promise<AgentClient> {
  const shim = spawn(command, [...args, '--call-limit', CALL_LIMIT_SECONDS], { stdio: ['pipe', 'pipe', 'pipe'] });
  let url: string | null = null;
  createInterface({ input: shim.stderr }).on(
    'line',
    (line) => (url = /^http:\/\/localhost:\d+$/.exec(line)?.[0] ?? url),
  );
  const pending = new Map<number, { resolve(result: unknown): void; reject(reason: Error): void }>();
  let lastId = 0;

  const ended = new Promise<void>((resolve) => shim.on('close', () => resolve()).on('error', () => resolve()));
  const lost = ended.then((): never => {
    throw new Error('Chaperone went away.');
  });
  lost.catch((reason: Error) => {
    for (const { reject } of pending.values()) reject(reason);
    pending.clear();
  });
  shim.stdin.on('error', () => undefined);
  createInterface({ input: shim.stdout }).on('line', (line) => {
    const { id, result, error } = messageSchema.parse(JSON.parse(line));
    const request = typeof id === 'number' ? pending.get(id) : undefined;
    if (request === undefined || typeof id !== 'number') return;
    pending.delete(id);
    if (error === undefined) request.resolve(result);
    else request.reject(new Error(error.message));
  });

  const write = (message: object) => void shim.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const send = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      write({ id: lastId, method, params });
    });
  const close = async () => {
    shim.kill('SIGKILL');
    await ended;
  };

  try {
    const clientInfo = { name: 'chaperone-demo', version: VERSION };
    await send('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    write({ method: 'notifications/initialized' });
  } catch (error) {
    await close();
    throw error;
  }
  const call = async (name: string, args: Record<string, unknown>): Promise<CallResult> =>
    resultSchema.parse(await send('tools/call', { name, arguments: args }));
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
