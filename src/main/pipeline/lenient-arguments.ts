/**
 * Arguments the way models write them, as the schema of their tool has them: "448" for 448, "true" for true, null and "" for left out,
 * JSON text for a list or an object, one value for a list of one, and the other spelling of a name. Only what the schema refuses is
 * read anew, so that a text which it takes stays the text that it is. Called where an agent's arguments arrive, before anybody looks at
 * them: the person is asked about what this gives. Pure.
 */
import * as z from 'zod';
import { isRecord } from '../../base/type-guards.js';
import { readJson } from '../protocol/json.js';
import { Unreadable } from '../protocol/transport.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A member of each level may need one. */
const MAX_ROUNDS = 12;
/** What is run, what consents and what is secret: it is taken as it is written or refused. */
const EXACT =
  /^(confirm|command|script|source|args|environment|env|stdin|token|phrase|secret|password|parameter_values)$/i;
/** Empty, these name nothing; without them another thing would be meant. */
const NAMES_ONE = /(^|_)(id|ids|name|text|value)$|[a-z]Ids?$/;

/** As far as it can be read without doubt; what is left wrong is for the tool to refuse. */
export function readArguments(schema: z.ZodType, given: unknown): unknown {
  let value: unknown = typeof given === 'string' ? (readText(given, isRecord) ?? given) : (given ?? {});
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { error } = schema.safeParse(value);
    const next = error === undefined ? value : fixAll(schema, value, error.issues);
    if (next === value) return value;
    value = next;
  }
  return value;
}

function fixAll(schema: z.ZodType, root: unknown, issues: readonly Issue[]): unknown {
  return issues.reduce((value, issue) => fix(schema, value, issue, issue.path) ?? value, root);
}

/** The arguments with this one put right; null where it cannot be. */
function fix(schema: z.ZodType, root: unknown, issue: Issue, path: Path): unknown {
  if (issue.code === 'unrecognized_keys') return respell(schema, root, issue.keys, path);
  const value = valueAt(root, path);
  if (value === undefined || path.length === 0) return null;
  if (value === null || value === '') return leftOut(schema, root, path, value);
  if (path.some((step) => typeof step === 'string' && EXACT.test(step))) return null;
  if (issue.code === 'invalid_union') return fixUnion(schema, root, issue, path);
  const read = readAs(issue, value);
  return read === undefined ? null : withValue(root, path, read);
}

/** Where exactly one of the choices can be meant. */
function fixUnion(schema: z.ZodType, root: unknown, { errors }: z.core.$ZodIssueInvalidUnion, path: Path): unknown {
  const fixed = errors.flatMap((issues) => {
    const one = issues.reduce<unknown>(
      (value, issue) => (value === null ? null : fix(schema, value, issue, [...path, ...issue.path])),
      root,
    );
    return one === null ? [] : [one];
  });
  const [only, ...others] = fixed;
  return others.every((other) => JSON.stringify(other) === JSON.stringify(only)) ? (only ?? null) : null;
}

/** Only where the tool does without it. */
function leftOut(schema: z.ZodType, root: unknown, path: Path, value: unknown): unknown {
  const name = path.at(-1);
  if (typeof name !== 'string') return null;
  if (value === '' && (EXACT.test(name) || NAMES_ONE.test(name))) return null;
  const without = withValue(root, path, undefined);
  const issues = schema.safeParse(without).error?.issues ?? [];
  return issues.some((issue) => samePath(issue.path, path)) ? null : without;
}

const samePath = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((step, at) => step === other[at]);

const NUMBER = /^\s*-?(0|[1-9]\d*)(\.\d+)?\s*$/;

/** undefined: it is not what the issue asks for in another form. */
function readAs(issue: Issue, value: unknown): unknown {
  if (issue.code === 'invalid_value')
    return issue.values.find((one) => typeof one !== 'string' && String(one) === value);
  if (issue.code !== 'invalid_type') return undefined;
  const { expected } = issue;
  if (expected === 'array') return readList(value);
  if (typeof value !== 'string') return undefined;
  if (expected === 'number' || expected === 'int') return readNumber(value);
  if (expected === 'boolean') return /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : undefined;
  return expected === 'object' || expected === 'record' ? readText(value, isRecord) : undefined;
}

/** None that would be another number than the one that is written. */
function readNumber(text: string): number | undefined {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** A text with separators may be several values: which, only its writer knows. */
function readList(value: unknown): unknown[] | undefined {
  if (typeof value !== 'string') return [value];
  const start = value.trimStart()[0];
  if (start === '[') return readText(value, Array.isArray);
  const one = start === '{' ? readText(value, isRecord) : /[,;\n]/.test(value) ? undefined : value;
  return one === undefined ? undefined : [one];
}

function readText<T>(text: string, fits: (value: unknown) => value is T): T | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = readJson(text);
  return !(value instanceof Unreadable) && fits(value) ? value : undefined;
}

/** `callId` for `call_id` and the other way round. Two spellings that say different things are left for the tool to refuse. */
function respell(schema: z.ZodType, root: unknown, keys: readonly string[], path: Path): unknown {
  const given = valueAt(root, path);
  if (!isRecord(given)) return null;
  const known = new Map(namesAt(schema, path).map((name) => [words(name), name]));
  const names = new Map<string, string>();
  for (const key of keys) {
    const name = known.get(words(key));
    if (name === undefined || (Object.hasOwn(given, name) && !isSame(given[name], given[key]))) continue;
    names.set(key, name);
  }
  if (names.size === 0 || new Set(names.values()).size < names.size) return null;
  return withValue(
    root,
    path,
    Object.fromEntries(Object.entries(given).map(([key, one]) => [names.get(key) ?? key, one])),
  );
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const words = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[-_]/g, '_').toLowerCase();

function namesAt(schema: z.ZodType, path: Path): string[] {
  const published: unknown = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const here = path.reduce<unknown>(
    (one, step) => valueAt(one, typeof step === 'number' ? ['items'] : ['properties', step]),
    published,
  );
  const properties = valueAt(here, ['properties']);
  return isRecord(properties) ? Object.keys(properties) : [];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (one, step) =>
      typeof one === 'object' && one !== null && Object.hasOwn(one, step) ? Reflect.get(one, step) : undefined,
    value,
  );
}

/** A copy. `to` undefined: without it. */
function withValue(value: unknown, [step, ...rest]: Path, to: unknown): unknown {
  if (step === undefined) return to;
  if (Array.isArray(value)) return value.map((one: unknown, at) => (at === step ? withValue(one, rest, to) : one));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([name, one]) => {
    if (name !== step) return [[name, one]];
    const next = withValue(one, rest, to);
    return next === undefined ? [] : [[name, next]];
  });
  return Object.fromEntries(entries);
}
