/** One `desktop.*` method from the command line: JSON-RPC on the host's socket, as a script would speak it. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ERRORS } from '../protocol/index.js';
import type { Transport } from '../protocol/transport.js';
import { connectHost } from '../shim/connect.js';
import { EXIT, Failure } from './failure.js';
import { hostConnection } from './running.js';

/** What a method gets that names no limit of its own. */
const TIMEOUT_MS = 120_000;

const answerSchema = z.union([
  z.object({ result: z.unknown() }),
  z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
]);

/** Adds what every method must say of itself where the caller has not. Prints the result; fails with the method's own code and words. */
export async function method(name: string, given: Record<string, unknown>): Promise<void> {
  const said = z.record(z.string(), z.unknown()).catch({}).parse(given['meta']);
  const meta = {
    schemaVersion: 1,
    requestId: randomUUID(),
    workspacePath: process.cwd(),
    timeoutMs: TIMEOUT_MS,
    ...said,
  };
  const answer = await ask({ jsonrpc: '2.0', id: randomUUID(), method: name, params: { ...given, meta } });
  if ('error' in answer) {
    const next = Object.hasOwn(ERRORS, answer.error.code) ? `\n${nextOf(answer.error.code)}` : '';
    throw new Failure(`${answer.error.code}: ${answer.error.message}${next}`);
  }
  process.stdout.write(`${JSON.stringify(answer.result, null, 2)}\n`);
}

function nextOf(code: string): string {
  return new Map(Object.entries(ERRORS)).get(code)?.next ?? '';
}

async function ask(request: object): Promise<z.infer<typeof answerSchema>> {
  const transport = await open();
  try {
    return await new Promise((resolve, reject) => {
      transport.onMessage((message) => resolve(answerSchema.parse(message)));
      transport.onClose((reason) =>
        reject(new Failure(`The connection to the host ended${reason === null ? '' : `: ${reason}`}.`)),
      );
      transport.send(request).catch(reject);
    });
  } finally {
    transport.close();
  }
}

/** Starts a host where none runs, as a tool call does. */
async function open(): Promise<Transport> {
  const host = hostConnection('chaperone-call');
  const session = await connectHost(host, true, new AbortController().signal);
  session?.close();
  const found = await host.find();
  if (found === null) throw new Failure('No host is running. Start one with `chaperone host`.', EXIT.noHost);
  return found.open();
}
