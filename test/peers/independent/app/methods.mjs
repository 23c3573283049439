/** The protocol methods of gabp.md section 4, after the handshake. */
import { CODES, GabpError } from '../lib/errors.mjs';
import { glob } from '../lib/names.mjs';
import { checkAgainst, REQUEST_SCHEMAS } from '../lib/schemas.mjs';
import { listResources, readResource, resourceUris } from './resources.mjs';
import { getState, setState } from './state.mjs';
import { callTool, definitions } from './tools.mjs';

/**
 * @typedef {{game: import("./game.mjs").Game, connection: import("./connection.mjs").Connection,
 *   requestId: string, afterAnswer: (action: () => void) => void}} Context
 */

export const LIMITS = Object.freeze({ maxMessageSize: 1048576, maxConcurrentRequests: 10, requestTimeout: 30 });

/** @param {{filter?: {tags?: string[], namePattern?: string}}} params */
function listTools({ filter = {} }) {
  const { tags, namePattern } = filter;
  const fits = namePattern === undefined ? () => true : glob(namePattern);
  const tools = definitions().filter(
    (tool) => fits(tool.name) && (!tags || tags.some((tag) => tool.tags.includes(tag))),
  );
  return { tools };
}

/** @param {any} params @param {Context} context */
async function call(params, context) {
  let timer;
  const timeout = new Promise((_done, fail) => {
    const error = new GabpError(CODES.TOOL_TIMEOUT, 'Tool execution exceeded the time limit', { name: params.name });
    timer = setTimeout(() => fail(error), LIMITS.requestTimeout * 1000);
  });
  try {
    return await Promise.race([callTool(params.name, params.arguments ?? {}, context), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {{attentionId: string}} params @param {Context} context */
function acknowledge({ attentionId }, { game, afterAnswer }) {
  const send = game.attention.clear(attentionId, 'The attention item was cleared after acknowledgement.');
  if (send) afterAnswer(send);
  return { acknowledged: send !== null, attentionId, currentAttention: game.attention.current() };
}

/** @type {Record<string, (params: any, context: Context) => unknown>} */
const METHODS = {
  'tools/list': listTools,
  'tools/call': call,
  'events/subscribe': ({ channels }, { game, connection }) => ({
    subscribed: game.events.subscribe(connection, channels),
  }),
  'events/unsubscribe': ({ channels }, { game, connection }) => ({
    unsubscribed: game.events.unsubscribe(connection, channels),
  }),
  'resources/list': (params) => ({ resources: listResources(params) }),
  'resources/read': ({ uri }, { game }) => readResource(game, uri),
  'state/get': (params, { game }) => getState(game, params),
  'state/set': (params, { game }) => setState(game, params),
  'attention/current': (_params, { game }) => ({ attention: game.attention.current() }),
  'attention/ack': acknowledge,
};

/** @param {import("./game.mjs").Game} game */
export function capabilities(game) {
  return {
    methods: ['session/hello', ...Object.keys(METHODS)],
    events: game.events.channels,
    resources: resourceUris(),
    limits: { ...LIMITS },
  };
}

/** @param {any} message @returns {void} throws when the parameters do not fit the schema of the method */
export function checkParams(message) {
  const errors = checkAgainst(message, REQUEST_SCHEMAS[message.method]);
  if (errors.length > 0) throw new GabpError(CODES.INVALID_PARAMS, 'Invalid params', { errors });
}

/** @param {any} message @param {Context} context */
export async function runMethod(message, context) {
  if (!Object.hasOwn(METHODS, message.method)) {
    throw new GabpError(CODES.METHOD_NOT_FOUND, 'Method not found', { method: message.method });
  }
  checkParams(message);
  return METHODS[message.method](message.params ?? {}, context);
}
