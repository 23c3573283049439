/** Answers that need no SDK: to the opening, and to what was not done. The shim gives them too, while no host can be had. */
import { ERRORS, toWireError, type WireError } from '../protocol/errors.js';
import { RESUME_TOOL } from '../protocol/resume-tool.js';

/** For the model. */
export const INSTRUCTIONS =
  'Chaperone lets you use this person’s desktop while they stay in charge: they are asked before you act, and everything is recorded. ' +
  'First call request_task with all that you are about to do: the person is then asked once, and not for each act; call finish_task when you are done. ' +
  'Put the steps you know into one run_plan, and look with find_elements as a step of it. ' +
  'Open web pages with open_url, not through the address bar; look at one window with capture_window_screenshot, not at the whole screen. ' +
  `A call that has to wait for them may answer with a status (such as awaiting_human) and a callId: go on waiting with ${RESUME_TOOL}. ` +
  'What an act did is in its effect (confirmed, unverified or no_change, with before and after): read it before you go on. ' +
  'Points are global, in points, from the top left of the main display. Lists come in pages: give next_page_token as page_token. ' +
  'Talk to the person with send_message.';

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
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;
export const MODERN_VERSION = '2026-07-28';

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
