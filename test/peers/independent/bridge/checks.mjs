/**
 * Checks of what the application sends. Each returns a list of violations.
 * @typedef {{level: "must" | "should", rule: string, problem: unknown, received?: unknown}} Violation
 */
import { glob, isObject, METHOD_PATTERN } from '../lib/names.mjs';
import { checkAgainst, checkAgainstForeign, RESPONSE_SCHEMAS } from '../lib/schemas.mjs';
import { ASYNCAPI_PAYLOADS } from './asyncapi-payloads.mjs';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const ASSIGNED_CODES = new Set([
  -32700, -32600, -32601, -32602, -32603, -32100, -32101, -32102, -32103, -32200, -32201, -32202, -32203, -32300,
  -32301, -32302, -32303, -32400, -32401, -32402, -32403, -32500, -32501, -32502, -32503,
]);

/** @returns {Violation} */
const must = (rule, problem, received) => ({ level: 'must', rule, problem, received });

/** @returns {Violation} */
const should = (rule, problem, received) => ({ level: 'should', rule, problem, received });

/** @param {unknown} value @param {string} ref @returns {Violation[]} */
function bySchema(value, ref) {
  const problems = checkAgainst(value, ref);
  return problems.length > 0 ? [must(`SCHEMA/1.0/${ref}`, problems, value)] : [];
}

/** @param {any} message @returns {Violation[]} */
export function checkMessage(message) {
  if (!isObject(message)) return [must('gabp.md 3.1: a message MUST be a JSON object', 'not an object', message)];
  if (message.type === 'request') {
    return [must('EXAMPLES/1.0/README.md: requests go from bridge to mod', 'a request came in', message)];
  }
  if (message.type === 'response') return bySchema(message, 'envelope.schema.json#/$defs/response');
  if (message.type === 'event') return bySchema(message, 'events/event.message.json');
  return [must('gabp.md 3.1: type is request, response or event', 'wrong type', message)];
}

/** @param {number} code @returns {Violation[]} */
function checkErrorCode(code) {
  const server = code <= -32000 && code >= -32099;
  const free = (code >= -31999 && code <= -1) || (code >= 1 && code <= 65535);
  if (ASSIGNED_CODES.has(code) || server || free) return [];
  return [must('registry.md 2: error codes', 'a code which is neither assigned nor free for custom use', code)];
}

/**
 * @param {any} message a response with a valid envelope
 * @param {{method: string, params: any, outputSchema?: object}} request
 * @returns {Violation[]}
 */
export function checkResponse(message, request) {
  if (message.error) return checkErrorCode(message.error.code);
  const schema = RESPONSE_SCHEMAS[request.method];
  const found = schema ? bySchema(message, schema) : [];
  if (found.length > 0) return found;
  const special = SPECIAL[request.method];
  return special ? special(message.result, request) : [];
}

/** @type {Record<string, (result: any, request: any) => Violation[]>} */
const SPECIAL = {
  'session/hello': ({ capabilities }) => [
    ...(capabilities.events ?? [])
      .filter((channel) => !METHOD_PATTERN.test(channel))
      .map((channel) => should('registry.md 1.4: event channel names', 'the name does not match', channel)),
    ...attentionParts(capabilities),
  ],
  'tools/list': ({ tools }) => {
    const names = tools.map((tool) => tool.name);
    return names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => must('tool.schema.json: name is a unique identifier', 'the name occurs twice', name));
  },
  'tools/call': (result, { outputSchema }) => {
    const problems = outputSchema ? checkAgainstForeign(result, outputSchema) : [];
    return problems.length > 0 ? [must('tool.schema.json: outputSchema of the tool', problems, result)] : [];
  },
  'events/subscribe': (result, request) => channelList(result, 'subscribed', request.params.channels),
  'events/unsubscribe': (result, request) => channelList(result, 'unsubscribed', request.params.channels),
  'resources/read': ({ content, encoding }) =>
    encoding === 'base64' && !isBase64(content)
      ? [must('gabp.md 4.4: base64 for binary', 'the content is not base64', content)]
      : [],
  'attention/current': ({ attention }) => openOnly(attention, 'gabp.md 4.6: the current open attention item'),
  'attention/ack': ({ attentionId, currentAttention }, { params }) => [
    ...(attentionId === params.attentionId
      ? []
      : [must('gabp.md 4.6: attentionId is the id that was requested', 'another id', attentionId)]),
    ...openOnly(currentAttention, 'gabp.md 4.6: currentAttention is open'),
  ],
};

/** @param {any} capabilities @returns {Violation[]} */
function attentionParts({ methods = [], events = [] }) {
  const parts = ['attention/current', 'attention/ack'].filter((name) => methods.includes(name)).length;
  const found = [];
  if (parts === 1) found.push(should('gabp.md 4.6', 'only one of the two attention methods is offered', methods));
  if (parts === 2 && !events.some((name) => name.startsWith('attention/'))) {
    found.push(should('gabp.md 4.7: attention channels SHOULD be exposed', 'no attention channel', events));
  }
  return found;
}

/** @param {any} item @param {string} rule @returns {Violation[]} */
const openOnly = (item, rule) => (item && item.state !== 'open' ? [must(rule, 'the state is not open', item)] : []);

/** @param {unknown} content */
const isBase64 = (content) =>
  typeof content === 'string' && content.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(content);

/** @param {any} result @param {string} field @param {string[]} asked @returns {Violation[]} */
function channelList(result, field, asked) {
  const rule = `gabp.md 4.3: ${field} is an array of channel names`;
  const list = isObject(result) ? result[field] : undefined;
  if (!Array.isArray(list) || list.some((name) => typeof name !== 'string')) return [must(rule, 'not so', result)];
  const extra = list.filter((name) => !asked.some((pattern) => glob(pattern)(name)));
  return extra.length > 0 ? [must(rule, 'channels which were not asked for', extra)] : [];
}

/**
 * @param {any} message an event with a valid envelope
 * @param {{expected: boolean}} context
 * @returns {Violation[]}
 */
export function checkEvent({ id, channel, payload }, { expected }) {
  const found = [];
  if (!expected)
    found.push(must('gabp.md 4.3: events of subscribed channels', 'the channel is not subscribed to', channel));
  if (!UUID_V4.test(id)) found.push(should('envelope.schema.json $defs/uuid: UUID v4', 'another kind of UUID', id));
  if (ASYNCAPI_PAYLOADS[channel]) {
    const problems = checkAgainstForeign(payload, ASYNCAPI_PAYLOADS[channel]);
    if (problems.length > 0) found.push(must(`asyncapi.yaml: payload of ${channel}`, problems, payload));
  }
  if (channel.startsWith('attention/')) found.push(...checkAttention(channel, payload));
  return found;
}

/** @param {string} channel @param {any} payload @returns {Violation[]} */
function checkAttention(channel, payload) {
  const found = bySchema(payload, 'events/attention.payload.schema.json');
  if (found.length > 0) return found;
  if (channel !== 'attention/cleared') return openOnly(payload, `asyncapi.yaml: ${channel} tells of an open item`);
  const gates = payload.state === 'open' && payload.blocking;
  return gates ? [must('asyncapi.yaml: a cleared item no longer gates', 'it is open and blocking', payload)] : [];
}
