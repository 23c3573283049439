/**
 * The messages of MCP clients as they are. Comes in: one parsed message, from any door. Goes out: the message as the SDK takes it, or
 * the answer that says what is wrong with it. The SDK stays silent about what it cannot read, so that it never gets such a message.
 */
import { specTypeSchemas } from '@modelcontextprotocol/server';
import { isRecord } from '../../base/type-guards.js';
import { readJson, type Refused } from '../protocol/json.js';
import { Unreadable } from '../protocol/transport.js';
import { refusedAnswer } from './results.js';

type Id = string | number;
type Json = Record<string, unknown>;

/** `exactId`: the digits of an id that JavaScript cannot hold. */
export interface Refusal {
  answer: { jsonrpc: '2.0'; id: Id | null; error?: { code: number; message: string } };
  exactId?: string;
}

/** `message` null: nothing to pass on; `refusal` null: nothing to answer, as with a notification. */
export type Reading = { message: Json; refusal?: never } | { message: null; refusal: Refusal | null };

const CODES = { parse: -32700, request: -32600, params: -32602 } as const;
const MEMBERS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const;

/** `text`: what was received, for the digits of its id. */
export function readClientMessage(given: unknown, text: string): Reading {
  if (Array.isArray(given))
    return refuse(null, 'request', 'Send one message at a time: only MCP 2025-03-26 has batches, and none is empty.');
  if (!isRecord(given)) return refuse(null, 'request', 'A message is a JSON object. Send {"jsonrpc": "2.0", …}.');
  const isRequest = 'id' in given;
  const { id, method } = given;
  if (isRequest && !isId(id)) return refuseId(id, text);
  const known = isId(id) ? id : null;
  if (given['jsonrpc'] !== '2.0') return refuse(known, 'request', 'jsonrpc must be "2.0". Send {"jsonrpc": "2.0", …}.');
  if (method === undefined && isRequest && ('result' in given || 'error' in given)) return { message: members(given) };
  if (typeof method !== 'string')
    return refuse(known, 'request', 'method must be a string. Name a method of MCP, such as tools/list.');
  const params = readParams(method, given['params']);
  if (typeof params === 'string')
    return isRequest ? refuse(known, 'params', `${method.slice(0, 100)}: ${params}`) : { message: null, refusal: null };
  const { params: _, ...rest } = members(given);
  return { message: params === undefined ? rest : { ...rest, params } };
}

/** The answer to a message that was JSON and still could not be taken. */
export function refusalOf({ id, method, error }: Refused): Refusal {
  if (id !== null && method !== null) return { answer: refusedAnswer(id, method, error) };
  return { answer: failure(null, 'params', `${error.code}: ${error.message} ${error.next}`) };
}

export const unreadable = (text: string): Refusal => ({ answer: failure(null, 'parse', text) });

export const refusedRequest = (id: Id, text: string): Refusal => ({ answer: failure(id, 'request', text) });

/** As it is sent. */
export function refusalText({ answer, exactId }: Refusal): string {
  const text = JSON.stringify(answer);
  return exactId === undefined ? text : text.replace('"id":null', `"id":${exactId}`);
}

export const isId = (value: unknown): value is Id => typeof value === 'string' || Number.isSafeInteger(value);

const members = (given: Json): Json =>
  Object.fromEntries(MEMBERS.flatMap((name) => (Object.hasOwn(given, name) ? [[name, given[name]]] : [])));

function refuse(id: Id | null, kind: keyof typeof CODES, text: string): Reading {
  return { message: null, refusal: { answer: failure(id, kind, text) } };
}

function failure(id: Id | null, kind: keyof typeof CODES, message: string) {
  return { jsonrpc: '2.0' as const, id, error: { code: CODES[kind], message } };
}

/** Its sender finds the answer by the id as it wrote it. */
function refuseId(id: unknown, text: string): Reading {
  const answer = failure(
    null,
    'request',
    `id must be a string or a whole number between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}. Send larger numbers as a string.`,
  );
  if (typeof id !== 'number') return { message: null, refusal: { answer } };
  const written = [...text.matchAll(/"id"\s*:\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g)].map(([, digits = '']) => digits);
  const [exactId, other] = new Set(written.filter((digits) => Number(digits) === id));
  return { message: null, refusal: exactId === undefined || other !== undefined ? { answer } : { answer, exactId } };
}

type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined };
type Validate = (request: Json) => readonly Issue[];

const validates =
  (schema: { '~standard': { validate(value: unknown): { issues?: readonly Issue[] | undefined } } }) =>
  (request: Json): readonly Issue[] =>
    schema['~standard'].validate(request).issues ?? [];

const REQUESTS: ReadonlyMap<string, Validate> = new Map([
  ['initialize', validates(specTypeSchemas.InitializeRequest)],
  ['ping', validates(specTypeSchemas.PingRequest)],
  ['tools/list', validates(specTypeSchemas.ListToolsRequest)],
  ['tools/call', validates(specTypeSchemas.CallToolRequest)],
  ['resources/list', validates(specTypeSchemas.ListResourcesRequest)],
  ['resources/templates/list', validates(specTypeSchemas.ListResourceTemplatesRequest)],
  ['resources/read', validates(specTypeSchemas.ReadResourceRequest)],
  ['resources/subscribe', validates(specTypeSchemas.SubscribeRequest)],
  ['resources/unsubscribe', validates(specTypeSchemas.UnsubscribeRequest)],
  ['prompts/list', validates(specTypeSchemas.ListPromptsRequest)],
  ['prompts/get', validates(specTypeSchemas.GetPromptRequest)],
  ['completion/complete', validates(specTypeSchemas.CompleteRequest)],
  ['logging/setLevel', validates(specTypeSchemas.SetLevelRequest)],
]);

const ANY_REQUEST = validates(specTypeSchemas.JSONRPCRequest);

/** The SDK reads a request twice: as one of any method, and as one of this. */
function issuesOf(request: Json & { method: string }): readonly Issue[] {
  const issues = ANY_REQUEST({ jsonrpc: '2.0', id: 0, ...request });
  return issues.length > 0 ? issues : (REQUESTS.get(request.method)?.(request) ?? []);
}

/** The parameters without what stands for nothing; a text says what is wrong with them. */
function readParams(method: string, given: unknown): Json | undefined | string {
  const value = given === null ? undefined : asObject(given);
  if (value !== undefined && !isRecord(value)) return 'params must be an object. Send {} for none.';
  const params = value === undefined ? undefined : withoutNulls(value, method !== 'tools/call');
  const read = withDefaults(method, method === 'tools/call' ? withReadArguments(params ?? {}) : params);
  const meta: unknown = read?.['_meta'];
  if (meta !== undefined && !isRecord(meta)) return 'params._meta must be an object. Leave it out where there is none.';
  if (meta?.['progressToken'] !== undefined && !isId(meta['progressToken']))
    return 'params._meta.progressToken must be a string or a whole number. Leave it out for no progress.';
  const [issue] = isPlainCall(method, read) ? [] : issuesOf(read === undefined ? { method } : { method, params: read });
  return issue === undefined ? read : problemOf(issue, { params: read ?? {} });
}

/** null is how many clients write that a member is left out. What a tool gets is for the tool to read. */
function withoutNulls(given: Json, deep: boolean): Json {
  if (!Object.values(given).some((one) => typeof one === 'object')) return given;
  const kept = Object.entries(given).filter(([, one]) => one !== null);
  return Object.fromEntries(
    kept.map(([name, one]) => [name, isRecord(one) && (deep || name === '_meta') ? withoutNulls(one, deep) : one]),
  );
}

/** Some clients send the arguments as the text that their model wrote. */
function withReadArguments(params: Json): Json {
  const given = params['arguments'];
  if (typeof given !== 'string') return params;
  const { arguments: _, ...rest } = params;
  return given.trim() === '' ? rest : { ...rest, arguments: asObject(given) };
}

function asObject(given: unknown): unknown {
  if (typeof given !== 'string' || !given.trimStart().startsWith('{')) return given;
  const read = readJson(given);
  return isRecord(read) && !(read instanceof Unreadable) ? read : given;
}

const withDefaults = (method: string, params: Json | undefined): Json | undefined =>
  method === 'initialize' ? { capabilities: {}, ...params } : params;

const PLAIN: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/** What nearly every message is; the SDK's schemas take longer than such a call. */
function isPlainCall(method: string, params: Json | undefined): boolean {
  if (method !== 'tools/call' || params === undefined || typeof params['name'] !== 'string') return false;
  const { arguments: args = {}, _meta: meta = {} } = params;
  if (!isRecord(args) || !isRecord(meta) || Object.hasOwn(args, '__proto__')) return false;
  return (
    Object.keys(params).every((name) => PLAIN.has(name)) && Object.keys(meta).every((name) => name === 'progressToken')
  );
}

/** Names the member. The SDK's own words are about its types. */
function problemOf({ path = [] }: Issue, given: Json): string {
  const steps = path.map((step) => (typeof step === 'object' ? step.key : step));
  const member = steps.map(String).join('.').slice(0, 200);
  const value = steps.reduce<unknown>((one, step) => (isRecord(one) ? one[String(step)] : undefined), given);
  return value === undefined
    ? `${member} is missing. Add it as the specification of MCP has it.`
    : `${member} is not what MCP takes here. Correct it, or leave it out where it is optional.`;
}
