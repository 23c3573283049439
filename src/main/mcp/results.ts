/** The results that MCP's doors make themselves. All others are the host's and pass unchanged. */
import * as z from 'zod';
import { isRecord } from '../../base/is-record.js';
import { ERRORS, WireError, toWireError } from '../protocol/index.js';
import { RESUME_TOOL } from '../protocol/resume-tool.js';

/** A CallToolResult as the host sends it. Only its outline is checked: content blocks are for the host. */
export const toolResultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
export type HostToolResult = z.infer<typeof toolResultSchema>;

const RESULT_FIELDS: ReadonlySet<string> = new Set(['content', 'structuredContent', 'isError', '_meta']);
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Text, pictures and values as MCP has them, and nothing besides: the SDK would send exactly this. */
export function isPlainResult(value: unknown): value is HostToolResult {
  if (!isRecord(value) || !Object.keys(value).every((name) => RESULT_FIELDS.has(name))) return false;
  const { content, structuredContent, isError, _meta: meta } = value;
  if (!Array.isArray(content) || !content.every(isPlainBlock)) return false;
  if (isError !== undefined && typeof isError !== 'boolean') return false;
  if (structuredContent !== undefined && !isPlainRecord(structuredContent)) return false;
  return meta === undefined || (isPlainRecord(meta) && Object.keys(meta).every(isFreeMetaName));
}

function isPlainBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  const { type, text, data, mimeType } = block;
  const fields = Object.keys(block).length;
  if (type === 'text') return fields === 2 && typeof text === 'string';
  if (type !== 'image' || fields !== 3 || typeof mimeType !== 'string') return false;
  return typeof data === 'string' && data.length % 4 === 0 && BASE64.test(data);
}

const isPlainRecord = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && !Object.hasOwn(value, '__proto__');

/** Of the others MCP says what they hold. */
const isFreeMetaName = (name: string): boolean =>
  name !== 'progressToken' && !name.startsWith('io.modelcontextprotocol/');

export { RESUME_TOOL };

/** The call that a call of resume_call names, by either spelling; null where it names none or two. */
export function resumedCall(args: unknown): string | null {
  const { call_id: one, callId: other } = isRecord(args) ? args : {};
  const id = one ?? other;
  const isOne = one === undefined || one === null || other === undefined || other === null || one === other;
  return isOne && typeof id === 'string' && id !== '' && id.length <= MAX_CALL_ID ? id : null;
}

const MAX_CALL_ID = 256;

/** What is known of a call that has not ended. */
export const callStateSchema = z.object({
  state: z.enum(['queued', 'awaiting_human', 'running']),
  approvalId: z.string().optional(),
  message: z.string(),
  /** What the person is asked in the chat, and the call that asks it. */
  question: z.object({ callId: z.string(), text: z.string(), quickReplies: z.array(z.string()) }).optional(),
});
export type CallState = z.infer<typeof callStateSchema>;

const WAITING = 'awaiting_human';

/** Not an error: the call continues in the host, and the result says how to resume it. `status` is the same for every wait; `state` says which one it is. */
export function pendingResult(callId: string, tool: string, known: CallState, url: string | null): HostToolResult {
  const where = url === null ? 'in Chaperone' : `in Chaperone at ${url}`;
  const next = `Call ${RESUME_TOOL} with {"call_id": "${callId}"} to go on waiting; do not make the same call anew.`;
  const structuredContent = {
    status: WAITING,
    state: known.state,
    callId,
    tool,
    message: known.message,
    approvalId: known.approvalId ?? null,
    next,
  };
  const state = known.state === WAITING ? '' : ` (${known.state})`;
  const text = `No result yet. status: awaiting_human${state}, callId: ${callId}. ${tool} waits ${where}: ${known.message}\n${next}`;
  return { content: [{ type: 'text', text }], structuredContent };
}

/** Whether it is such a handle. */
export function isPending(result: object): boolean {
  const value = 'structuredContent' in result ? result.structuredContent : null;
  return isRecord(value) && value['status'] === WAITING && typeof value['callId'] === 'string';
}

/** A failure in the form the host's own failures have: the code, what happened, the next step. */
export function failureResult(thrown: unknown): HostToolResult {
  const error = toWireError(thrown);
  const text = `${error.code}: ${error.message}\nNext: ${error.next}`;
  return { content: [{ type: 'text', text }], structuredContent: { error: error.toJSON() }, isError: true };
}

/** The answer to a request that could not be read for what it asks: of a tool its failure, of all else a protocol error. */
export function refusedAnswer<I extends string | number>(id: I, method: unknown, error: WireError) {
  const head = { jsonrpc: '2.0' as const, id };
  if (method === 'tools/call') return { ...head, result: failureResult(error) };
  const text = `${error.code}: ${error.message} ${error.next}`;
  return { ...head, error: { code: ERRORS[error.code].gabp, message: text, data: error.toJSON() } };
}

/** There is no such tool: a protocol error, not a tool result. */
export function isUnknownTool(error: unknown): error is WireError {
  return error instanceof WireError && error.details['reason'] === 'unknown_tool';
}

/** The wait for the call has ended; the call itself has not. */
export function isWaiting(error: unknown): boolean {
  return error instanceof WireError && error.details['reason'] === 'awaiting_human';
}
