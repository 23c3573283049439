/** The client's lines on their way to the SDK, which says nothing to one it cannot read: such a line is answered here, and the next one is read all the same. */
import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import type { Batches, Id } from './batches.js';

export interface Refusal {
  jsonrpc: '2.0';
  id: Id | null;
  error: { code: number; message: string };
}

/** Bytes of one line. */
const MAX_LINE_BYTES = 10 * 1024 * 1024;
const NEWLINE = 0x0a;
const CODES = { parse: -32700, request: -32600, params: -32602 } as const;

type Fields = Record<string, unknown>;

/** Gives on the lines that are messages, as they came, and the messages of a batch one by one. `refuse` gets the answer to each line that is none. */
export function readableLines(input: Readable, batches: Batches, refuse: (answer: Refusal) => void): Readable {
  let parts: Buffer[] = [];
  let size = 0;

  function take(part: Buffer): void {
    size += part.length;
    if (size <= MAX_LINE_BYTES) parts.push(part);
    else parts = [];
  }

  /** What goes on of the line that has just ended. */
  function line(): string[] {
    const text = Buffer.concat(parts).toString('utf8');
    const tooLong = size > MAX_LINE_BYTES;
    parts = [];
    size = 0;
    if (tooLong) refuse(refusal(null, 'parse', `A message has ${MAX_LINE_BYTES} bytes at most.`));
    return tooLong || text.trim() === '' ? [] : checkLine(text, batches, refuse);
  }

  const lines = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at));
        from = at + 1;
        for (const whole of line()) this.push(`${whole}\n`);
      }
      take(chunk.subarray(from));
      done();
    },
  });
  input.on('error', (error) => lines.destroy(error));
  input.on('close', () => lines.end());
  return input.pipe(lines);
}

function checkLine(text: string, batches: Batches, refuse: (answer: Refusal) => void): string[] {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    refuse(refusal(null, 'parse', `This is no JSON: ${error instanceof Error ? error.message : String(error)}`));
    return [];
  }
  if (batches.supported && Array.isArray(message) && message.length > 0) return splitBatch(message, batches);
  return acceptMessage(message, text, refuse);
}

function acceptMessage(message: unknown, text: string, refuse: (answer: Refusal) => void): string[] {
  const wrong = findViolation(message);
  if (wrong === null) return [withoutNull(message) ?? text];
  if (wrong.id !== undefined) refuse(refusal(wrong.id, wrong.kind, wrong.words));
  return [];
}

/** The messages of a batch; what is none of them is answered in the batch's own answer. */
function splitBatch(messages: readonly unknown[], batches: Batches): string[] {
  const ids = new Set<Id>();
  const refused: Refusal[] = [];
  const lines = messages.flatMap((message) => {
    const id = idOf(message);
    const request = isObject(message) && 'method' in message && id !== undefined;
    if (request && (ids.has(id) || batches.isPending(id) || message['method'] === 'initialize')) {
      refused.push(refusal(id, 'request', 'In a batch each request has an id of its own, and none is initialize.'));
      return [];
    }
    const line = acceptMessage(message, JSON.stringify(message), (answer) => refused.push(answer));
    if (request && line.length > 0) ids.add(id);
    return line;
  });
  batches.open([...ids], refused);
  return lines;
}

/** `id` undefined: a notification, which is never answered. */
function findViolation(
  message: unknown,
): { id: Refusal['id'] | undefined; kind: keyof typeof CODES; words: string } | null {
  if (Array.isArray(message))
    return {
      id: null,
      kind: 'request',
      words: 'Send one message a line: only MCP 2025-03-26 has batches, and none is empty.',
    };
  if (!isObject(message) || message['jsonrpc'] !== '2.0')
    return { id: idOf(message) ?? null, kind: 'request', words: 'This is no JSON-RPC 2.0 message.' };
  const { method, params } = message;
  const id = 'id' in message ? idOf(message) : undefined;
  if (id === undefined && 'id' in message)
    return { id: null, kind: 'request', words: 'id must be a string or a whole number.' };
  if (method === undefined && ('result' in message || 'error' in message)) return null;
  if (typeof method !== 'string') return { id: id ?? null, kind: 'request', words: 'method must be a string.' };
  if (params === undefined || isObject(params)) return null;
  return { id, kind: 'params', words: `${method.slice(0, 100)}: params must be an object.` };
}

/** Some clients write `"arguments": null` for none. */
function withoutNull(message: unknown): string | null {
  if (!isObject(message) || message['method'] !== 'tools/call' || !isObject(message['params'])) return null;
  const { arguments: given, ...params } = message['params'];
  return given === null ? JSON.stringify({ ...message, params }) : null;
}

function idOf(message: unknown): Id | undefined {
  const id = isObject(message) ? message['id'] : undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : undefined;
}

function refusal(id: Refusal['id'], kind: keyof typeof CODES, message: string): Refusal {
  return { jsonrpc: '2.0', id, error: { code: CODES[kind], message } };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
