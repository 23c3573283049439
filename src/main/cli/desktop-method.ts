/** Calls one `desktop.*` method by JSON-RPC on the host's socket, as scripts do. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { message, verbatim } from '../../messages/index.js';
import type { Transport } from '../protocol/transport.js';
import { connectHost } from '../shim/connect.js';
import { requestService } from '../transport/xpc-client.js';
import { EXIT, Failure } from './failure.js';
import { hostConnection } from './host-client.js';
import { printJson } from './output.js';

const DEFAULT_TIMEOUT_MS = 120_000;
const ANSWER_MS = 5_000;

const answerSchema = z.union([
  z.object({ result: z.unknown() }),
  z.object({ error: z.object({ code: z.string(), message: z.string(), details: z.object({ next: z.string() }) }) }),
]);

/** Adds the required `meta` fields that the caller has not given. Prints the result; fails with the method's code, message and next step. */
export async function callMethod(name: string, given: Record<string, unknown>, service = false): Promise<void> {
  const givenMeta = z.record(z.string(), z.unknown()).catch({}).parse(given['meta']);
  const meta = {
    schemaVersion: 1,
    requestId: randomUUID(),
    workspacePath: process.cwd(),
    timeoutMs: DEFAULT_TIMEOUT_MS,
    ...givenMeta,
  };
  const envelope = { jsonrpc: '2.0', id: randomUUID(), method: name, params: { ...given, meta } };
  const answer = service ? await serviceAnswer(envelope, meta.timeoutMs) : await request(envelope);
  if ('error' in answer) {
    const { code, message: why, details } = answer.error;
    const next = why.endsWith(details.next) ? [] : [details.next];
    throw new Failure(verbatim([`${code}: ${why}`, ...next].join('\n')));
  }
  printJson(answer.result);
}

/** A little longer than the method may take, so that its own answer comes first. */
async function serviceAnswer(envelope: object, timeoutMs: number): Promise<z.infer<typeof answerSchema>> {
  return answerSchema.parse(await requestService(envelope, timeoutMs + ANSWER_MS));
}

async function request(envelope: object): Promise<z.infer<typeof answerSchema>> {
  const transport = await open();
  try {
    return await new Promise((resolve, reject) => {
      transport.onMessage((answer) => resolve(answerSchema.parse(answer)));
      transport.onClose((reason) =>
        reject(
          new Failure(message('cli.connection_ended', { known: reason === null ? 'other' : 'yes', why: reason ?? '' })),
        ),
      );
      transport.send(envelope).catch(reject);
    });
  } finally {
    transport.close();
  }
}

/** Starts a host where none runs, as tool calls do. */
async function open(): Promise<Transport> {
  const host = hostConnection('chaperone-call');
  const session = await connectHost(host, true, new AbortController().signal);
  session?.close();
  const found = await host.find();
  if (found === null) throw new Failure(message('cli.no_host'), EXIT.noHost);
  return found.open();
}
