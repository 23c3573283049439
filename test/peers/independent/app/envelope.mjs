/** Checks of the envelope (gabp.md 3, registry.md 2.2; for the choice of codes see NOTES.md, part A). */
import { CODES, GabpError } from '../lib/errors.mjs';
import { isObject, isUuid, METHOD_PATTERN, NIL_UUID, PROTOCOL } from '../lib/names.mjs';

const TYPES = ['request', 'response', 'event'];
const REQUEST_FIELDS = ['v', 'id', 'type', 'method', 'params'];

/** @param {any} message @param {string} field */
function need(message, field) {
  if (!Object.hasOwn(message, field)) {
    throw new GabpError(CODES.MISSING_FIELD, `Missing required field: ${field}`, { field });
  }
}

/** @param {any} message */
function checkRequest(message) {
  need(message, 'method');
  if (typeof message.method !== 'string' || !METHOD_PATTERN.test(message.method)) {
    throw new GabpError(CODES.INVALID_FIELD, 'Invalid field value: method', { field: 'method' });
  }
  const extra = Object.keys(message).filter((name) => !REQUEST_FIELDS.includes(name));
  if (extra.length > 0) throw new GabpError(CODES.INVALID_REQUEST, 'Invalid Request', { unexpected: extra });
  if (message.params !== undefined && !isObject(message.params)) {
    throw new GabpError(CODES.INVALID_PARAMS, 'Invalid params: params must be an object');
  }
}

/** @param {unknown} message @returns {void} throws when it is not a valid request, response or event */
export function checkEnvelope(message) {
  if (!isObject(message)) throw new GabpError(CODES.INVALID_REQUEST, 'Invalid Request: a message is a JSON object');
  need(message, 'v');
  if (message.v !== PROTOCOL) {
    throw new GabpError(CODES.VERSION_MISMATCH, 'Protocol version mismatch', { supported: [PROTOCOL] });
  }
  need(message, 'type');
  if (!TYPES.includes(message.type)) throw new GabpError(CODES.INVALID_MESSAGE_TYPE, 'Invalid message type');
  need(message, 'id');
  if (!isUuid(message.id)) throw new GabpError(CODES.INVALID_FIELD, 'Invalid field value: id', { field: 'id' });
  if (message.type === 'request') checkRequest(message);
}

/** @param {any} message @returns {string} the id under which an error is answered */
export const answerId = (message) => (isObject(message) && isUuid(message.id) ? message.id : NIL_UUID);

/** @param {any} message @returns {boolean} whether an error about this message is answered at all */
export const isAnswerable = (message) => !isObject(message) || !['response', 'event'].includes(message.type);
