/** Checks the client's lines before the SDK reads them: the SDK does not answer invalid lines. They are answered here, and reading continues. */
import { isRecord } from '../../base/is-record.js';
import { Transform, type Readable } from 'node:stream';
import { refusedAnswer } from '../mcp/results.js';
import { mayOverflow, Overflowing, overflowingMember } from '../protocol/json.js';
import type { Batches, Id } from './batches.js';

type Refuse = (answer: object) => void;

interface JsonRpcError {
  jsonrpc: '2.0';
  id: Id | null;
  error: { code: number; message: string };
}

const MAX_LINE_BYTES = 10 * 1024 * 1024;
const NEWLINE = 0x0a;
const CODES = { parse: -32700, request: -32600, params: -32602 } as const;

/**
 * Passes valid messages on unchanged, and the messages of a batch one by one. `reply` gets the error answer to each invalid line; a
 * message of which `take` says true is not passed on.
 */
export function readableLines(
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
    if (tooLong) reply(jsonRpcError(null, 'parse', `A message has ${MAX_LINE_BYTES} bytes at most.`));
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
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    reply(jsonRpcError(null, 'parse', `This is no JSON: ${error instanceof Error ? error.message : String(error)}`));
    return [];
  }
  const check = mayOverflow(text) ? refuseOverflowing : () => false;
  if (batches.supported && Array.isArray(message) && message.length > 0) return splitBatch(message, batches, check);
  const accepted = check(message, reply) ? [] : acceptMessage(message, text, reply);
  return accepted.length > 0 && take(message) ? [] : accepted;
}

function acceptMessage(message: unknown, text: string, reply: Refuse): string[] {
  const violation = findViolation(message);
  if (violation === null) return [withoutNull(message) ?? text];
  if (violation.id !== undefined) reply(jsonRpcError(violation.id, violation.kind, violation.text));
  return [];
}

/** True where a number of the message overflows, which a request is told. */
function refuseOverflowing(message: unknown, reply: Refuse): boolean {
  const member = overflowingMember(message);
  if (member === null) return false;
  const { id, method, error } = new Overflowing(member, message);
  const hasId = isRecord(message) && 'id' in message;
  if (id !== null && method !== null) reply(refusedAnswer(id, method, error));
  else if (hasId || method === null) reply(jsonRpcError(null, 'params', `${error.code}: ${error.message}`));
  return true;
}

/** The messages of a batch. Errors are answered within the batch's answer. */
function splitBatch(messages: readonly unknown[], batches: Batches, check: typeof refuseOverflowing): string[] {
  const ids = new Set<Id>();
  const errors: object[] = [];
  const lines = messages.flatMap((message) => {
    const id = idOf(message);
    const request = isRecord(message) && 'method' in message && id !== undefined;
    if (request && (ids.has(id) || batches.isPending(id) || message['method'] === 'initialize')) {
      errors.push(jsonRpcError(id, 'request', 'In a batch each request has an id of its own, and none is initialize.'));
      return [];
    }
    const refuse: Refuse = (answer) => errors.push(answer);
    const line = check(message, refuse) ? [] : acceptMessage(message, JSON.stringify(message), refuse);
    if (request && line.length > 0) ids.add(id);
    return line;
  });
  batches.open([...ids], errors);
  return lines;
}

/** `id` undefined: a notification, which is never answered. */
function findViolation(
  message: unknown,
): { id: JsonRpcError['id'] | undefined; kind: keyof typeof CODES; text: string } | null {
  if (Array.isArray(message))
    return {
      id: null,
      kind: 'request',
      text: 'Send one message a line: only MCP 2025-03-26 has batches, and none is empty.',
    };
  if (!isRecord(message) || message['jsonrpc'] !== '2.0')
    return { id: idOf(message) ?? null, kind: 'request', text: 'This is no JSON-RPC 2.0 message.' };
  const { method, params } = message;
  const id = 'id' in message ? idOf(message) : undefined;
  if (id === undefined && 'id' in message)
    return { id: null, kind: 'request', text: 'id must be a string or a whole number.' };
  if (method === undefined && ('result' in message || 'error' in message)) return null;
  if (typeof method !== 'string') return { id: id ?? null, kind: 'request', text: 'method must be a string.' };
  if (params === undefined || isRecord(params)) return null;
  return { id, kind: 'params', text: `${method.slice(0, 100)}: params must be an object.` };
}

/** Some clients write `"arguments": null` for none. */
function withoutNull(message: unknown): string | null {
  if (!isRecord(message) || message['method'] !== 'tools/call' || !isRecord(message['params'])) return null;
  const { arguments: given, ...params } = message['params'];
  return given === null ? JSON.stringify({ ...message, params }) : null;
}

function idOf(message: unknown): Id | undefined {
  const id = isRecord(message) ? message['id'] : undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : undefined;
}

function jsonRpcError(id: JsonRpcError['id'], kind: keyof typeof CODES, message: string): JsonRpcError {
  return { jsonrpc: '2.0', id, error: { code: CODES[kind], message } };
}
