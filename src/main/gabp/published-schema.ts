/** The schema of a tool's parameters as it may be published: only known keywords, bounded, and without hidden characters. Pure. */
import { isRecord } from '../../base/is-record.js';
import { plainWords } from '../protocol/plain-words.js';

/** Characters; a larger schema is left out, because every list would carry it. */
const MAX_CHARACTERS = 4_000;
const MAX_DEPTH = 6;
const MAX_ITEMS = 60;
const MAX_TEXT = 300;
/** What known model providers take. */
const PROPERTY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

type Schema = Record<string, unknown>;
type Cleaner = (value: unknown, depth: number) => unknown;

const cleanText: Cleaner = (value) => (typeof value === 'string' ? plainWords(value, MAX_TEXT) : undefined);
const cleanNumber: Cleaner = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const cleanPlain: Cleaner = (value) =>
  typeof value === 'string' ? plainWords(value, MAX_TEXT) : typeof value === 'boolean' ? value : cleanNumber(value, 0);
const cleanList =
  (clean: Cleaner): Cleaner =>
  (value, depth) => {
    if (!Array.isArray(value)) return undefined;
    const kept = value.slice(0, MAX_ITEMS).map((one) => clean(one, depth));
    return kept.some((one) => one !== undefined) ? kept.filter((one) => one !== undefined) : undefined;
  };

const KEYWORDS = new Map<string, Cleaner>([
  ['type', (value) => (TYPES.has(value) ? value : undefined)],
  ['title', cleanText],
  ['description', cleanText],
  ['format', cleanText],
  ['default', cleanPlain],
  ['const', cleanPlain],
  ['enum', cleanList(cleanPlain)],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'].map((key) => [key, cleanNumber] as const),
  ['items', cleanSchema],
  ['anyOf', cleanList(cleanSchema)],
  ['oneOf', cleanList(cleanSchema)],
  ['properties', cleanProperties],
]);

/** Any object where the schema cannot be published: the application checks the parameters itself. */
export function publishedSchema(given: unknown): Schema {
  const cleaned = cleanSchema(given, 0);
  if (!isRecord(cleaned)) return { type: 'object' };
  const { anyOf: _anyOf, oneOf: _oneOf, ...plain } = cleaned;
  const schema = { ...plain, type: 'object' };
  return JSON.stringify(schema).length <= MAX_CHARACTERS ? schema : { type: 'object' };
}

function cleanSchema(given: unknown, depth: number): unknown {
  if (!isRecord(given) || depth > MAX_DEPTH) return undefined;
  const kept: Schema = {};
  for (const [key, clean] of KEYWORDS) {
    const value = Object.hasOwn(given, key) ? clean(given[key], depth + 1) : undefined;
    if (value !== undefined) kept[key] = value;
  }
  const { properties } = kept;
  const required = cleanList(cleanText)(given['required'], depth);
  if (isRecord(properties) && Array.isArray(required)) {
    const named = required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name));
    if (named.length > 0) kept['required'] = [...new Set(named)];
  }
  return kept;
}

function cleanProperties(given: unknown, depth: number): unknown {
  if (!isRecord(given)) return undefined;
  const named = Object.entries(given)
    .filter(([name]) => PROPERTY_NAME.test(name) && name !== '__proto__')
    .slice(0, MAX_ITEMS);
  return Object.fromEntries(named.map(([name, schema]) => [name, cleanSchema(schema, depth) ?? {}]));
}
