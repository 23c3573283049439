/** The body of a POST, as the SDK takes it, or the response that says what is wrong with it. Called by the HTTP door. */
import { formatEnglish } from '../../../messages/index.js';
import {
  isId,
  readClientMessage,
  refusalOf,
  refusalText,
  refusedRequest,
  type Reading,
  type Refusal,
} from '../../mcp/client-messages.js';
import { checkJson, readJson, Refused } from '../../protocol/json.js';
import { Unreadable } from '../../protocol/transport.js';

export function readClientBody(text: string): unknown {
  const given = readJson(text);
  const whole = given instanceof Refused ? given.received : given;
  if (Array.isArray(whole) && whole.length > 0) return readBatch(whole, text);
  if (given instanceof Unreadable && !(given instanceof Refused))
    return problem(400, `This is no JSON: ${formatEnglish(given.reason)}`, -32_700);
  const { message, refusal } = readOne(given, text);
  return message ?? respond(refusal ?? null);
}

/** A notification too is told what is wrong with it: the request that brings it is always answered. */
function readOne(given: unknown, text: string): Reading {
  return given instanceof Refused ? { message: null, refusal: refusalOf(given) } : readClientMessage(given, text);
}

/** What is no request of JSON-RPC at all is told so by HTTP too; of all else the answer goes to who asked. */
function respond(refusal: Refusal | null): Response {
  if (refusal === null) return problem(400, 'This notification is not as MCP has it. Correct its params.', -32_602);
  const { id, error } = refusal.answer;
  const status = id === null || error?.code === -32_600 ? 400 : 200;
  return new Response(refusalText(refusal), { status, headers: { 'content-type': 'application/json' } });
}

/** Done as a whole or not at all: an HTTP request has one answer. */
function readBatch(given: readonly unknown[], text: string): unknown {
  const read = given.map((one) => readOne(checkJson(one, text), text));
  const wrong = read.some(({ message }) => message === null);
  if (!wrong) return read.map(({ message }) => message);
  const answers = read.flatMap(({ message, refusal = null }) => {
    if (message === null) return refusal === null ? [] : [refusalText(refusal)];
    const { id, method } = message;
    return method !== undefined && isId(id) ? [refusalText(refusedRequest(id, NOT_DONE))] : [];
  });
  return new Response(`[${answers.join()}]`, { status: 400, headers: { 'content-type': 'application/json' } });
}

const NOT_DONE =
  'Not done, because another message of this batch is wrong. Correct that one, then send the batch again.';

/** Answers of the HTTP door itself, in the form of the SDK's. The text is for programs. */
export function problem(status: number, text: string, code = -32_000, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message: text }, id: null }, { status, headers });
}
