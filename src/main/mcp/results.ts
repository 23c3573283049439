/** The results that MCP's doors make themselves. All others are the host's and pass unchanged. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { isRecord } from '../../base/type-guards.js';
import type { Progress } from '../calls/types.js';
import { WireError } from '../protocol/index.js';
import { RESUME_TOOL } from '../protocol/local-command.js';
import { ERRORS, toWireError } from '../protocol/errors.js';

// Answers that need no SDK: to the opening, and to what was not done. The shim gives them too, while no host can be
// had.

/** For the model. */
export const INSTRUCTIONS =
  'Chaperone lets you use this person’s desktop while they stay in charge: they are asked before you act, and everything is recorded. ' +
  'First call request_task with all that you are about to do: the person is then asked once, and not for each act; call finish_task when you are done. ' +
  'Put the steps you know into one run_plan, and look with find_elements as a step of it. ' +
  'Open web pages with open_url, not through the address bar; look at one window with capture_window_screenshot, not at the whole screen. ' +
  `A call that has to wait for them may answer with a status (such as awaiting_human) and a callId: go on waiting with ${RESUME_TOOL}. ` +
  'What an act did is in its effect (confirmed, unverified or no_change, with before and after): read it before you go on. ' +
  'Points are global, in points, from the top left of the main display. Lists come in pages: give next_page_token as page_token. ' +
  'Talk to the person with send_message. What they write to you unasked is at the end of your next result.';

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: {},
  completions: {},
};

/** `legacy`: up to 2025-11-25, opened with `initialize`; `modern`: from 2026-07-28 on. */
export type Era = 'legacy' | 'modern';

export const capabilitiesOf = (era: Era) => ({ ...CAPABILITIES, ...(era === 'legacy' ? { logging: {} } : {}) });

export const serverInfo = (version: string) => ({ name: 'chaperone', title: 'Chaperone', version });

/** Newest first. */
const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;
const MODERN_VERSION = '2026-07-28';

/** The answer to `initialize`, as the SDK gives it. */
export const openingResult = (asked: unknown, version: string) => ({
  protocolVersion: LEGACY_VERSIONS.find((one) => one === asked) ?? LEGACY_VERSIONS[0],
  capabilities: capabilitiesOf('legacy'),
  serverInfo: serverInfo(version),
  instructions: INSTRUCTIONS,
});

/** The answer to `server/discover`, as the SDK gives it. */
export const discoveryResult = (version: string) => ({
  supportedVersions: [MODERN_VERSION],
  capabilities: capabilitiesOf('modern'),
  instructions: INSTRUCTIONS,
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo(version) },
});

/** A failure in the form the host's own failures have: the code, what happened, the next step. */
export function failureResult(thrown: unknown) {
  const error = toWireError(thrown);
  const text = `${error.code}: ${error.message}\nNext: ${error.next}`;
  return { content: [{ type: 'text', text }], structuredContent: { error: error.toJSON() }, isError: true };
}

/** The answer to a request that could not be read or done: of a tool its failure, of all else a protocol error. */
export function refusedAnswer<I extends string | number>(id: I, method: unknown, error: WireError) {
  const head = { jsonrpc: '2.0' as const, id };
  if (method === 'tools/call') return { ...head, result: failureResult(error) };
  const text = `${error.code}: ${error.message} ${error.next}`;
  return { ...head, error: { code: ERRORS[error.code].gabp, message: text, data: error.toJSON() } };
}

/** A CallToolResult as the host sends it. Only its outline is checked: content blocks are for the host. */
export const toolResultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});
export type HostToolResult = z.infer<typeof toolResultSchema>;
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
