/** Checks the client's lines before the SDK reads them: the SDK does not answer invalid lines. They are answered here, and reading continues. */
import { Transform, type Readable } from 'node:stream';
import { formatEnglish } from '../../messages/index.js';
import {
  isId,
  readClientMessage,
  refusalOf,
  refusedRequest,
  unreadable,
  type Reading,
  type Refusal,
} from '../mcp/client-messages.js';
import { checkJson, readJson, Refused } from '../protocol/json.js';
import { Unreadable } from '../protocol/transport.js';
import type { Batches, Id } from './batches.js';

type Refuse = (refusal: Refusal) => void;

const MAX_LINE_BYTES = 10 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Passes on what the SDK can read, and the messages of a batch one by one. `reply` gets the error answer to each invalid line; a
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
