/** MCP over stdio comes in, the shim's tools and calls go out. Serves every protocol version the SDK has (2024-10-07 to 2026-07-28). */
import { type Readable, type Writable, Transform } from 'node:stream';
import { isJSONRPCRequest, parseJSONRPCMessage, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import type { McpBackend, McpClientInfo } from '../mcp/backend.js';
import {
  refusalText,
  type Refusal,
  isId,
  readClientMessage,
  refusalOf,
  refusedRequest,
  unreadable,
  type Reading,
} from '../mcp/client-messages.js';
import { addScreensToHandshake, onEachMessage } from '../mcp/handshake.js';
import { createObservationBuffer } from '../mcp/observation-buffer.js';
import { createQuestionForms } from '../mcp/question-forms.js';
import { askBeside, asker, questionOf } from '../mcp/questions.js';
import { clientOf, createMcpServer, type McpServer } from '../mcp/server.js';
import { createBatches, type Batches, type Id } from './batches.js';
import { createPlainCalls } from './plain-calls.js';
import { formatEnglish } from '../../messages/index.js';
import { checkJson, readJson, Refused } from '../protocol/json.js';
import { Unreadable } from '../protocol/transport.js';

// Checks the client's lines before the SDK reads them: the SDK does not answer invalid lines. They are answered here, and reading continues.

type Refuse = (refusal: Refusal) => void;

const MAX_LINE_BYTES = 10 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Passes on what the SDK can read, and the messages of a batch one by one. `reply` gets the error answer to each invalid line; a
 * message of which `take` says true is not passed on.
 */
function readableLines(
  input: Readable,
  batches: Batches,
  reply: Refuse,
  take: (message: unknown) => boolean,
): Readable {
  let parts: Buffer[] = [];
  let size = 0;

  function keep(part: Buffer): void {
    size += part.length;
    if (size <= MAX_LINE_BYTES) parts.push(part);
    else parts = [];
  }

  /** The messages of the line that has just ended. */
  function line(): string[] {
    const [only] = parts;
    const text = (parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)).toString('utf8');
    const tooLong = size > MAX_LINE_BYTES;
    parts = [];
    size = 0;
    if (tooLong) reply(unreadable(`A message has ${MAX_LINE_BYTES} bytes at most. Send less at once.`));
    return tooLong || text.trim() === '' ? [] : checkLine(text, batches, reply, take);
  }

  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at));
        from = at + 1;
        for (const whole of line()) this.push(`${whole}\n`);
      }
      keep(chunk.subarray(from));
      done();
    },
  });
  input.on('error', (error) => lines.destroy(error));
  input.on('close', () => lines.end());
  return input.pipe(lines);
}

function checkLine(text: string, batches: Batches, reply: Refuse, take: (message: unknown) => boolean): string[] {
  const given = readJson(text);
  const whole = given instanceof Refused ? given.received : given;
  if (batches.supported && Array.isArray(whole) && whole.length > 0) return splitBatch(whole, text, batches);
  const { message, refusal } = readLine(given, text);
  if (message === null && refusal !== null) reply(refusal);
  return message === null || take(message) ? [] : [JSON.stringify(message)];
}

function readLine(given: unknown, text: string): Reading {
  if (given instanceof Refused) return { message: null, refusal: given.isNotification ? null : refusalOf(given) };
  if (!(given instanceof Unreadable)) return readClientMessage(given, text);
  return { message: null, refusal: unreadable(`This is no JSON: ${formatEnglish(given.reason)}`) };
}

/** The messages of a batch. Errors are answered within the batch's answer. */
function splitBatch(messages: readonly unknown[], text: string, batches: Batches): string[] {
  const ids = new Set<Id>();
  const errors: object[] = [];
  const lines = messages.flatMap((one) => {
    const { message, refusal } = readLine(checkJson(one, text), text);
    if (message === null) {
      if (refusal !== null) errors.push(refusal.answer);
      return [];
    }
    const { id, method } = message;
    if (method === undefined || !isId(id)) return [JSON.stringify(message)];
    if (ids.has(id) || batches.isPending(id) || method === 'initialize') {
      const text = 'In a batch each request has an id of its own, and none is initialize.';
      errors.push(refusedRequest(id, text).answer);
      return [];
    }
    ids.add(id);
    return [JSON.stringify(message)];
  });
  batches.open([...ids], errors);
  return lines;
}

/**
 * Writes lines. The first of a turn leaves at once, all others of it in one system call, and with them the first where the turn before
 * had several.
 */
export function createLineWriter(out: Writable): (line: string) => void {
  let [count, countBefore, corked] = [0, 0, false];
  const endTurn = (): void => {
    [count, countBefore] = [0, count];
    if (corked) out.uncork();
    corked = false;
  };
  return (line) => {
    count += 1;
    if (count === 1) process.nextTick(endTurn);
    if (!corked && (count > 1 || countBefore > 1)) {
      out.cork();
      corked = true;
    }
    out.write(`${line}\n`);
  };
}

interface McpOptions {
  input: Readable;
  output: Writable;
  version: string;
  backend: McpBackend;
  /** Between progress notifications of a waiting call. */
  progressIntervalMs: number;
  onError(error: Error): void;
}

/** While more output waits for the client, no observation events are sent. */
const MAX_QUEUED_BYTES = 1024 * 1024;

/** Serves until the input ends or `close` is called. */
export function serveMcp(options: McpOptions) {
  const servers = new Set<McpServer>();
  const forms = createQuestionForms(options.onError);
  const write = (answer: object): void => void options.output.write(`${JSON.stringify(answer)}\n`);
  const batches = createBatches(write);
  /** What the client called itself in `initialize`. */
  let client: McpClientInfo | null = null;
  const plainCalls = createPlainCalls({
    call(name, args, wait) {
      const [opened] = servers;
      const asking = { wait, answer: options.backend.answer, forms, of: questionOf(name, args) };
      return askBeside(opened === undefined ? null : asker(opened.server), asking, (asked) =>
        options.backend.call(name, args, client, asked),
      );
    },
    write: createLineWriter(options.output),
    isRequest: isJSONRPCRequest,
    handOver: (request) => transport.onmessage?.(parseJSONRPCMessage(request)),
    progressIntervalMs: options.progressIntervalMs,
  });
  const refuse = (refusal: Refusal): void => void options.output.write(`${refusalText(refusal)}\n`);
  const lines = readableLines(options.input, batches, refuse, plainCalls.take);
  const transport = new StdioServerTransport(lines, options.output);
  sendBatchAnswersTogether(transport, batches);
  onEachAnswer(transport, (id, version) => {
    if (version !== null) batches.setVersion(version);
    for (const { server } of servers) client = clientOf(server.getClientVersion());
    plainCalls.answered(id, version !== null && !batches.supported);
  });
  onClose(transport, plainCalls.close);
  addScreensToHandshake(transport, () => options.backend.screens());
  const observations = createObservationBuffer({
    send: (...event) => servers.forEach((server) => server.sendObservation(...event)),
    canSend: () => options.output.writableLength < MAX_QUEUED_BYTES,
  });
  const serving = serveStdio(
    ({ era }) => {
      const opened = createMcpServer({ ...options, observations, forms, begun: plainCalls.begun }, era);
      servers.add(opened);
      opened.server.onclose = () => void servers.delete(opened);
      return opened.server;
    },
    { transport, onerror: options.onError },
  );
  return {
    toolsChanged: (): void => servers.forEach((server) => server.listsChanged()),
    resourceUpdated: (uri: string): void => servers.forEach((server) => server.resourceUpdated(uri)),
    /** Sends an event of one of this agent's observations. Does not wait for a client that reads slowly. */
    sendObservation: observations.add,
    close: (): Promise<void> => serving.close(),
  };
}

const CANCELLED = 'notifications/cancelled';
const cancelledSchema = z.looseObject({
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
});

/** Holds back the answers to the requests of a batch until all are there. A cancelled request is never answered. */
function sendBatchAnswersTogether(transport: StdioServerTransport, batches: Batches): void {
  onEachMessage(transport, (message) => {
    if (!('method' in message) || message.method !== CANCELLED) return;
    const cancelled = cancelledSchema.safeParse(message);
    if (cancelled.success) batches.forget(cancelled.data.params.requestId);
  });
  const send = transport.send.bind(transport);
  transport.send = async (message: JSONRPCMessage) => {
    if ('method' in message || message.id === undefined) return send(message);
    if (!batches.addAnswer(message.id, message)) await send(message);
  };
}

/** Calls the listener before each answer is sent, with the protocol version where it names one. */
function onEachAnswer(transport: StdioServerTransport, listener: (id: Id, version: string | null) => void): void {
  const send = transport.send.bind(transport);
  transport.send = async (message: JSONRPCMessage) => {
    if (!('method' in message) && message.id !== undefined) {
      const version = 'result' in message ? message.result['protocolVersion'] : null;
      listener(message.id, typeof version === 'string' ? version : null);
    }
    await send(message);
  };
}

function onClose(transport: StdioServerTransport, listener: () => void): void {
  const close = transport.close.bind(transport);
  transport.close = () => {
    listener();
    return close();
  };
}
