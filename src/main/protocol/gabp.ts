/** GABP 1.0 envelopes as a server reads and writes them: strict out, lenient in. Pure: ids come from the caller. */
import * as z from 'zod';
import { isRecord } from '../../base/type-guards.js';
import { message as text, MessageError, type Message } from '../../messages/index.js';
import { ERRORS, toWireError, type WireError } from './errors.js';
import { Refused } from './json.js';
import { PROGRAM_NAME } from './local-command.js';
import { Unreadable } from './transport.js';
import { plainWords } from './characters.js';

/** GABP 1.0 envelopes as a client reads and writes them: strict out, lenient in about what known applications get wrong. Pure. */
export type AppOutcome =
  | { ok: true; result: unknown }
  | { ok: false; code: number; text: string }
  /** Both a result and an error: neither can be believed. */
  | { ok: 'both' };

type FromApp =
  | { kind: 'response'; id: string; outcome: AppOutcome }
  | { kind: 'event'; channel: string; seq: number | null; payload: unknown }
  /** Not readable, of another version, or what only a client sends. */
  | { kind: 'invalid' };

const MAX_CHANNEL_CHARS = 200;
/** Longest text of an application's error. */
const MAX_ERROR_CHARS = 2_000;

const errorSchema = z.looseObject({ code: z.int().catch(0), message: z.string().catch('') });

export function readFromApp(message: unknown): FromApp {
  if (!isRecord(message) || message['v'] !== GABP_VERSION) return { kind: 'invalid' };
  const { type, id, channel, seq, payload } = message;
  if (type === 'response' && typeof id === 'string') return { kind: 'response', id, outcome: outcomeOf(message) };
  if (
    type !== 'event' ||
    'method' in message ||
    typeof channel !== 'string' ||
    channel === '' ||
    channel.length > MAX_CHANNEL_CHARS
  )
    return { kind: 'invalid' };
  const counted = typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0;
  return { kind: 'event', channel, seq: counted ? seq : null, payload: payload ?? null };
}

/** Known applications send `error: null` with each result and `result: null` with each error. */
function outcomeOf({ result, error }: Record<string, unknown>): AppOutcome {
  if (error === undefined || error === null) return { ok: true, result: result ?? null };
  if (result !== undefined && result !== null) return { ok: 'both' };
  const { code, message } = errorSchema.catch({ code: 0, message: '' }).parse(error);
  return { ok: false, code, text: plainWords(message, MAX_ERROR_CHARS) };
}

export const requestToApp = (id: string, method: string, params: Record<string, unknown>) => ({
  v: GABP_VERSION,
  id,
  type: 'request',
  method,
  params,
});

const names = (most: number) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((list) => list.filter((one) => typeof one === 'string' && one !== '').slice(0, most) as string[]);

const MAX_NAMES = 1_000;

const limit = (least: number) => z.int().min(least).optional().catch(undefined);
const limitsSchema = z.looseObject({
  maxConcurrentRequests: limit(1),
  /** Bytes. */
  maxMessageSize: limit(1024),
  /** Seconds. */
  requestTimeout: limit(1),
});

const capabilitiesSchema = z
  .looseObject({
    /** Absent: unknown, so every method is tried. */
    methods: names(MAX_NAMES).optional(),
    events: names(MAX_NAMES),
    extensions: z.record(z.string(), z.unknown()).catch({}),
    limits: limitsSchema.catch({}),
  })
  .catch({ events: [], extensions: {}, limits: {} });

const welcomeSchema = z.looseObject({
  app: z.looseObject({ name: z.string().catch(''), version: z.string().catch('') }).catch({ name: '', version: '' }),
  capabilities: capabilitiesSchema,
});

export interface Welcome {
  /** What the application calls itself: a claim. */
  claim: string;
  capabilities: z.infer<typeof capabilitiesSchema>;
}

const MAX_CLAIM_CHARS = 100;

/** null for what is no answer to a hello. */
export function readWelcome(result: unknown): Welcome | null {
  const parsed = welcomeSchema.safeParse(result);
  if (!parsed.success) return null;
  const { app, capabilities } = parsed.data;
  return { claim: plainWords(`${app.name} ${app.version}`.trim(), MAX_CLAIM_CHARS), capabilities };
}

export const GABP_VERSION = 'gabp/1';
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
  | { kind: 'request'; request: GabpRequest }
  | { kind: 'ignore' }
  | { kind: 'refuse'; id: string; fault: GabpFault | WireError };

/** Whether the method exists or is allowed, the server decides. */
export function readGabp(message: unknown, { strict = false } = {}): GabpIncoming {
  if (message instanceof Refused)
    return { kind: 'refuse', id: readId(message.id, strict) ?? NIL_UUID, fault: message.error };
  if (message instanceof Unreadable) return refuse(NIL_UUID, 'parse', text('gabp.unreadable', { why: message.reason }));
  if (!isRecord(message)) return refuse(NIL_UUID, 'invalidRequest', text('gabp.no_object'));
  const { v, type, id: rawId, method } = message;
  const params = message['params'] ?? {};
  const id = readId(rawId, strict);
  const replyId = id ?? NIL_UUID;
  if (v === undefined) return refuse(replyId, 'missingField', text('gabp.missing_field', { field: 'v' }));
  if (v !== GABP_VERSION)
    return refuse(replyId, 'versionMismatch', text('gabp.other_version', { version: GABP_VERSION }));
  if (type === undefined) return refuse(replyId, 'missingField', text('gabp.missing_field', { field: 'type' }));
  if (type === 'response' || type === 'event') return { kind: 'ignore' };
  if (type !== 'request') return refuse(replyId, 'invalidType', text('gabp.no_request'));
  if (rawId === undefined) return refuse(NIL_UUID, 'missingField', text('gabp.missing_field', { field: 'id' }));
  if (id === null) return refuse(NIL_UUID, 'badField', text(strict ? 'gabp.id_no_uuid' : 'gabp.bad_id'));
  if (method === undefined) return refuse(id, 'missingField', text('gabp.missing_field', { field: 'method' }));
  if (typeof method !== 'string' || !GABP_NAME.test(method))
    return refuse(id, 'invalidRequest', text('gabp.bad_method'));
  if (!isRecord(params)) return refuse(id, 'invalidParams', text('gabp.params_no_object'));
  const more = strict ? Object.keys(message).find((key) => !REQUEST_KEYS.has(key)) : undefined;
  if (more !== undefined) return refuse(id, 'invalidRequest', text('gabp.unknown_field', { field: more.slice(0, 64) }));
  return { kind: 'request', request: { id, method, params } };
}

const REQUEST_KEYS: ReadonlySet<string> = new Set(['v', 'id', 'type', 'method', 'params']);

function readId(value: unknown, strict: boolean): string | null {
  if (strict && !uuidSchema.safeParse(value).success) return null;
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

/** Lenient about all but the token: known peers leave out launchId and platform, and send clientInfo as a string. Throws GabpFault. */
export function readHello(params: Record<string, unknown>, { strict = false } = {}): Hello {
  const token = params['token'];
  if (token === undefined) throw new GabpFault(GABP_ERRORS.invalidParams, text('gabp.token_missing'));
  if (typeof token !== 'string') throw new GabpFault(GABP_ERRORS.invalidParams, text('gabp.token_no_text'));
  if (strict) assertStrict(helloSchema, params);
  return {
    token,
    claim: claimOf(params['clientInfo']),
    bridgeVersion: nonEmptyText(params['bridgeVersion']),
    platform: nonEmptyText(params['platform']),
    launchId: nonEmptyText(params['launchId']),
  };
}

const uuidSchema = z.uuid();
const helloSchema = z.strictObject({
  token: z.string().min(32),
  bridgeVersion: z.string().min(1),
  platform: z.enum(['windows', 'macos', 'linux']),
  launchId: uuidSchema,
  clientInfo: z.strictObject({ name: z.string().optional(), version: z.string().optional() }).optional(),
});

/** Throws GabpFault naming the field. */
function assertStrict(schema: z.ZodType, params: Record<string, unknown>): void {
  const issue = schema.safeParse(params).error?.issues[0];
  if (issue === undefined) return;
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const field = [...issue.path, ...(unknown === undefined ? [] : [unknown])].map(String).join('.') || 'params';
  const id = unknown === undefined ? 'gabp.bad_field' : 'gabp.unknown_field';
  throw new GabpFault(GABP_ERRORS.invalidParams, text(id, { field: field.slice(0, 64) }));
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

const strictCallSchema = z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() });

/** `arguments` wins over `parameters`; neither, or null, is no arguments. Throws GabpFault. */
export function readToolCall(
  params: Record<string, unknown>,
  { strict = false } = {},
): { name: string; arguments: unknown } {
  if (strict) assertStrict(strictCallSchema, params);
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

/** How this process was started, for a bridge that compares it with what it asked for. An extension of the GABS bridge. */
export interface ObservedLaunch {
  argv: string[];
  cwd: string;
  envValues: Record<string, string>;
  envAbsent: string[];
}

/** The result of session/hello, which the specification calls session/welcome. */
export function welcome(
  agentId: string,
  app: { name: string; version: string },
  capabilities: Capabilities,
  observed?: ObservedLaunch,
) {
  const more = observed === undefined ? {} : { observed };
  return { agentId, app, capabilities, schemaVersion: '1.0', serverInfo: app, ...more };
}
