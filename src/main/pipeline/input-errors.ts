/** Error messages for invalid parameters that name the field and what it takes. Pure. */
import * as z from 'zod';
import { closestName } from './closest-name.js';

interface InputIssue {
  /** `steps.0.tool`; empty for the parameters as a whole. */
  path: string;
  message: string;
}

type Issue = z.core.$ZodIssue;
type Json = Record<string, unknown>;

const MAX_ISSUES = 8;
const MAX_MESSAGE_LENGTH = 600;
const TYPE_NAMES = new Map([
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['string', 'a string'],
  ['boolean', 'true or false'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

const FORMATS = new Map([
  ['uuid', 'a whole id as it was given'],
  ['url', 'an address such as http://localhost:8080'],
  ['datetime', 'a time such as 2026-01-31T12:00:00Z'],
]);

export function describeIssues(schema: z.ZodType, error: z.ZodError, given: unknown): InputIssue[] {
  return error.issues.flatMap((issue) => describeIssue(schema, issue, given)).slice(0, MAX_ISSUES);
}

function describeIssue(schema: z.ZodType, issue: Issue, given: unknown): InputIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const known = parametersAt(schema, issue.path);
    return issue.keys.map((key) => ({
      path: pathText([...issue.path, truncateText(key.replaceAll(/\p{C}/gu, '\u{fffd}'), 60)]),
      message: unknownParameter(key, known),
    }));
  }
  return [
    {
      path: pathText(issue.path),
      message: truncateText(issueText(issue, valueAt(given, issue.path)), MAX_MESSAGE_LENGTH),
    },
  ];
}

function issueText(issue: Issue, value: unknown): string {
  if (issue.code === 'custom') return issue.message;
  const takes = expectedOf(issue);
  if (takes === null) return issue.message;
  const must = /^at (?:most|least) .* (?:characters|items)$/.test(takes) ? 'must have' : 'must be';
  return value === undefined ? `required (${takes})` : `${must} ${takes}, not ${describeValue(value)}`;
}

/** What the field takes; null where zod's own message is better. */
function expectedOf(issue: Issue): string | null {
  if (issue.code === 'invalid_type') return TYPE_NAMES.get(issue.expected) ?? issue.expected;
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((value) => JSON.stringify(value) ?? String(value));
    return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`;
  }
  if (issue.code === 'invalid_union') {
    const first = issue.errors.flatMap(([one]) => (one === undefined ? [] : [expectedOf(one) ?? one.message]));
    return [...new Set(first)].join(' or ') || null;
  }
  if (issue.code === 'invalid_format') return FORMATS.get(issue.format) ?? null;
  if (issue.code === 'too_big') return `at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'too_small')
    return `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin)}`;
  return null;
}

const unitOf = (origin: string): string => (origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '');

/** A short value may be repeated, because the caller wrote it. */
function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return value.length > 40 ? `a string of ${value.length} characters` : JSON.stringify(value);
  return String(value);
}

function unknownParameter(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'unknown parameter; this takes none';
  const near = closestName(key, known);
  return `unknown parameter; ${near === null ? `it takes ${truncateText(known.join(', '), 300)}` : `did you mean ${near}?`}`;
}

/** Published names only; aliases are accepted but not advertised. */
function parametersAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let here: unknown = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  for (const step of path)
    here = typeof step === 'number' ? field(here, 'items') : field(field(here, 'properties'), step);
  const properties = field(here, 'properties');
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, one]) => (field(one, 'unpublished') === true ? [] : [name]));
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(field, given);
}

function field(value: unknown, name: PropertyKey): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[String(name)] : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

const pathText = (path: readonly PropertyKey[]): string => path.map(String).join('.');
const truncateText = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
