/** The results that MCP's doors make themselves. All others are the host's and pass unchanged. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { isRecord } from '../../base/is-record.js';
import type { Progress } from '../calls/types.js';
import { WireError } from '../protocol/index.js';
import { RESUME_TOOL } from '../protocol/resume-tool.js';

/** A CallToolResult as the host sends it. Only its outline is checked: content blocks are for the host. */
export const toolResultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
export type HostToolResult = z.infer<typeof toolResultSchema>;

export { failureResult, refusedAnswer } from './answers.js';
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
export type CallState = Omit<Progress, 'callId'>;

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

/** There is no such tool: a protocol error, not a tool result. */
export function isUnknownTool(error: unknown): error is WireError {
  return error instanceof WireError && error.details['reason'] === 'unknown_tool';
}

/** The wait for the call has ended; the call itself has not. */
export function isWaiting(error: unknown): boolean {
  return error instanceof WireError && error.details['reason'] === 'awaiting_human';
}

/** The id of a call, from the shim's secret, the number of the line that brought it and the request's id: the same for a line that is repeated. */
export function callIdOf(session: string, line: number, id: string | number): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([session, line, id]))
    .digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
