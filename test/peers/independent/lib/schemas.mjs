/** The schemas of the specification, unchanged, from where the tests keep them. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validate } from './validator.mjs';

const FILE = join(dirname(fileURLToPath(import.meta.url)), '../../../support/gabp-protocol/schemas.json');
const SCHEMAS = JSON.parse(readFileSync(FILE, 'utf8'));

/** @param {string} name path below SCHEMA/1.0 */
const loadSchema = (name) => SCHEMAS[`SCHEMA/1.0/${name}`];

/** @param {string} ref @param {string} base */
function resolve(ref, base) {
  const [file, pointer = ''] = ref.split('#');
  const name = file ? normalize(join(dirname(base), file)) : base;
  let schema = loadSchema(name);
  for (const part of pointer.split('/').slice(1)) schema = schema[part];
  return { schema, base: name };
}

/**
 * @param {unknown} value
 * @param {string} ref for example "methods/tools.list.request.json" or "envelope.schema.json#/$defs/event"
 * @returns {import("./validator.mjs").Problem[]}
 */
export function checkAgainst(value, ref) {
  const { schema, base } = resolve(ref, '');
  return validate(value, schema, { resolve, base });
}

/**
 * Checks against a schema which the other side sent (a tool's); only references inside it can be resolved.
 * @param {unknown} value @param {any} root
 * @returns {import("./validator.mjs").Problem[]}
 */
export function checkAgainstForeign(value, root) {
  const inside = (ref) => {
    let schema = root;
    for (const part of ref.split('#')[1].split('/').slice(1)) schema = schema[part];
    return { schema: schema ?? true, base: '' };
  };
  try {
    return validate(value, root, { resolve: inside });
  } catch {
    return [];
  }
}

/** The request schemas by method name. */
export const REQUEST_SCHEMAS = Object.freeze({
  'session/hello': 'methods/session.hello.request.json',
  'tools/list': 'methods/tools.list.request.json',
  'tools/call': 'methods/tools.call.request.json',
  'events/subscribe': 'methods/events.subscribe.request.json',
  'events/unsubscribe': 'methods/events.unsubscribe.request.json',
  'resources/list': 'methods/resources.list.request.json',
  'resources/read': 'methods/resources.read.request.json',
  'state/get': 'methods/state.get.request.json',
  'state/set': 'methods/state.set.request.json',
  'attention/current': 'methods/attention.current.request.json',
  'attention/ack': 'methods/attention.ack.request.json',
});

/** The response schemas by method name; events/subscribe and events/unsubscribe have none. */
export const RESPONSE_SCHEMAS = Object.freeze({
  'session/hello': 'methods/session.welcome.response.json',
  'tools/list': 'methods/tools.list.response.json',
  'tools/call': 'methods/tools.call.response.json',
  'resources/list': 'methods/resources.list.response.json',
  'resources/read': 'methods/resources.read.response.json',
  'state/get': 'methods/state.get.response.json',
  'state/set': 'methods/state.set.response.json',
  'attention/current': 'methods/attention.current.response.json',
  'attention/ack': 'methods/attention.ack.response.json',
});
