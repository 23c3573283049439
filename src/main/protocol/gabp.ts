/** GABP 1.0 envelopes as a server reads and writes them: strict out, lenient in. Pure: ids come from the caller. */
import * as z from 'zod';
import { isRecord } from '../../base/is-record.js';
import { message as text, MessageError, type Message } from '../../messages/index.js';
import { ERRORS, toWireError } from './errors.js';
import { PROGRAM_NAME } from './local-command.js';
import { Unreadable } from './transport.js';

const GABP_VERSION = 'gabp/1';
/** The id of a reply to a request whose own id could not be read. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

export const GABP_ERRORS = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  busy: -32000,
  authRequired: -32100,
  authFailed: -32101,
  versionMismatch: -32200,
  invalidType: -32201,
  missingField: -32202,
  badField: -32203,
  resourceNotFound: -32300,
  toolNotFound: -32400,
  toolFailed: -32402,
} as const;

export const GABP_NAME = /^[a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)+$/;

/** A failure meant for the peer. The message says everything: some bridges drop `data`. */
export class GabpFault extends MessageError {
  constructor(
    readonly code: number,
    text: Message,
  ) {
    super(text);
    this.name = 'GabpFault';
  }
}

export interface GabpRequest {
  id: string;
  method: string;
  params: Record<string, unknown>;
}

interface GabpError {
  code: number;
  message: string;
  data?: unknown;
}

export type GabpResponse =
  | { v: typeof GABP_VERSION; id: string; type: 'response'; result: unknown }
  | { v: typeof GABP_VERSION; id: string; type: 'response'; error: GabpError };

export interface GabpEvent {
  v: typeof GABP_VERSION;
  id: string;
  type: 'event';
  channel: string;
  seq: number;
  payload: unknown;
}

/** `ignore`: responses and events, which only a server sends. */
type GabpIncoming =
  { kind: 'request'; request: GabpRequest } | { kind: 'ignore' } | { kind: 'refuse'; id: string; fault: GabpFault };

/** Whether the method exists or is allowed, the server decides. */
export function readGabp(message: unknown): GabpIncoming {
  if (message instanceof Unreadable) return refuse(NIL_UUID, 'parse', text('gabp.unreadable', { why: message.reason }));
  if (!isRecord(message)) return refuse(NIL_UUID, 'invalidRequest', text('gabp.no_object'));
  const { v, type, id: rawId, method } = message;
  const params = message['params'] ?? {};
  const id = readId(rawId);
  const replyId = id ?? NIL_UUID;
  if (v === undefined) return refuse(replyId, 'missingField', text('gabp.missing_field', { field: 'v' }));
  if (v !== GABP_VERSION)
    return refuse(replyId, 'versionMismatch', text('gabp.other_version', { version: GABP_VERSION }));
  if (type === undefined) return refuse(replyId, 'missingField', text('gabp.missing_field', { field: 'type' }));
  if (type === 'response' || type === 'event') return { kind: 'ignore' };
  if (type !== 'request') return refuse(replyId, 'invalidType', text('gabp.no_request'));
  if (rawId === undefined) return refuse(NIL_UUID, 'missingField', text('gabp.missing_field', { field: 'id' }));
  if (id === null) return refuse(NIL_UUID, 'badField', text('gabp.bad_id'));
  if (method === undefined) return refuse(id, 'missingField', text('gabp.missing_field', { field: 'method' }));
  if (typeof method !== 'string' || !GABP_NAME.test(method))
    return refuse(id, 'invalidRequest', text('gabp.bad_method'));
  if (!isRecord(params)) return refuse(id, 'invalidParams', text('gabp.params_no_object'));
  return { kind: 'request', request: { id, method, params } };
}

function readId(value: unknown): string | null {
  return typeof value === 'string' && value.length > 0 && value.length <= 128 ? value : null;
}

function refuse(id: string, code: keyof typeof GABP_ERRORS, why: Message): GabpIncoming {
  return { kind: 'refuse', id, fault: new GabpFault(GABP_ERRORS[code], why) };
}

export function gabpSuccess(id: string, result: unknown): GabpResponse {
  return { v: GABP_VERSION, id, type: 'response', result: result ?? null };
}

/** `full`: the message includes a wire error's code and next step, for peers that drop `data`. */
export function gabpFailure(
  id: string,
  thrown: unknown,
  style: 'full' | 'plain' = 'full',
  program = PROGRAM_NAME,
): GabpResponse {
  return { v: GABP_VERSION, id, type: 'response', error: gabpError(thrown, style, program) };
}

function gabpError(thrown: unknown, style: 'full' | 'plain', program: string): GabpError {
  if (thrown instanceof GabpFault) return { code: thrown.code, message: thrown.message };
  const error = toWireError(thrown).withLocalCommand(program);
  const message = style === 'plain' ? error.message : `${error.code}: ${error.message} ${error.next}`;
  return { code: ERRORS[error.code].gabp, message, data: error.toJSON() };
}

export function gabpEvent(id: string, channel: string, seq: number, payload: unknown): GabpEvent {
  return { v: GABP_VERSION, id, type: 'event', channel, seq, payload: payload ?? null };
}

interface Hello {
  token: string;
  claim: string | null;
  bridgeVersion: string | null;
  platform: string | null;
  launchId: string | null;
}

/** Strict about the token only: known peers leave out launchId and platform, and send clientInfo as a string. Throws GabpFault. */
export function readHello(params: Record<string, unknown>): Hello {
  const token = params['token'];
  if (token === undefined) throw new GabpFault(GABP_ERRORS.invalidParams, text('gabp.token_missing'));
  if (typeof token !== 'string') throw new GabpFault(GABP_ERRORS.invalidParams, text('gabp.token_no_text'));
  return {
    token,
    claim: claimOf(params['clientInfo']),
    bridgeVersion: nonEmptyText(params['bridgeVersion']),
    platform: nonEmptyText(params['platform']),
    launchId: nonEmptyText(params['launchId']),
  };
}

/** `name version` of a clientInfo that may be an object, a string or nonsense. */
export function claimOf(info: unknown): string | null {
  if (typeof info === 'string') return nonEmptyText(info);
  if (typeof info !== 'object' || info === null) return null;
  const name = 'name' in info ? nonEmptyText(info.name) : null;
  const version = 'version' in info ? nonEmptyText(info.version) : null;
  return [name, version].filter((part) => part !== null).join(' ') || null;
}

function nonEmptyText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 128) : null;
}

const toolCallSchema = z.object({
  name: z.string(),
  arguments: z.unknown().optional(),
  parameters: z.unknown().optional(),
});

/** `arguments` wins over `parameters`; neither, or null, is no arguments. Throws GabpFault. */
export function readToolCall(params: Record<string, unknown>): { name: string; arguments: unknown } {
  const parsed = toolCallSchema.safeParse(params);
  if (!parsed.success) throw new GabpFault(GABP_ERRORS.invalidParams, text('gabp.name_no_text'));
  const { name, arguments: given, parameters } = parsed.data;
  if (!GABP_NAME.test(name)) {
    const given = JSON.stringify(name.slice(0, 64));
    throw new GabpFault(GABP_ERRORS.invalidParams, text('gabp.bad_tool_name', { name: given }));
  }
  return { name, arguments: given ?? parameters ?? {} };
}

interface Capabilities {
  methods: string[];
  events: string[];
  resources: string[];
  limits: { maxMessageSize: number; maxConcurrentRequests: number };
}

/** The result of session/hello, which the specification calls session/welcome. */
export function welcome(agentId: string, app: { name: string; version: string }, capabilities: Capabilities) {
  return { agentId, app, capabilities, schemaVersion: '1.0', serverInfo: app };
}
