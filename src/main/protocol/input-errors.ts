/**
 * Messages for invalid parameters that name the field and what it takes, made from zod's codes and never from its English. A schema's own
 * rule says what it wants with {@link ruleError}. Pure.
 */
import * as z from 'zod';
import {
  formatEnglish,
  isMessage,
  message,
  verbatim,
  type Code,
  type Given,
  type Message,
} from '../../messages/index.js';
import { readTypable } from '../../base/text.js';

/** Finds the known names that a misspelled or incomplete one may mean. Pure. */

const MAX_COMPARED_LENGTH = 80;
const MAX_SIMILAR_NAMES = 5;

/** The one name that is probably meant: the closest spelling, or else the only name that contains the given one or is part of it. */
export function closestName(given: string, known: readonly string[]): string | null {
  const { misspelled, related } = compareNames(given, known);
  return misspelled[0] ?? (related.length === 1 ? (related[0] ?? null) : null);
}

/** All names that may be meant, closest first. */
export function similarNames(given: string, known: readonly string[]): string[] {
  const { misspelled, related } = compareNames(given, known);
  return [...new Set([...misspelled, ...related])].slice(0, MAX_SIMILAR_NAMES);
}

/** `misspelled`: at most a third of the letters differ, not counting case and punctuation; closest first. */
function compareNames(given: string, known: readonly string[]): { misspelled: string[]; related: string[] } {
  const wanted = lettersOf(given.slice(0, MAX_COMPARED_LENGTH));
  if (wanted === '') return { misspelled: [], related: [] };
  const compared = known.map((name) => {
    const letters = lettersOf(name);
    return { name, letters, distance: editDistance(wanted, letters) };
  });
  const misspelled = compared
    .filter(({ name, distance }) => distance <= Math.max(wanted.length, name.length) / 3)
    .toSorted((one, other) => one.distance - other.distance);
  const related = compared.filter(({ letters }) => contains(letters, wanted) || contains(wanted, letters));
  return { misspelled: misspelled.map(({ name }) => name), related: related.map(({ name }) => name) };
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const contains = (whole: string, part: string): boolean => part.length > 1 && whole.includes(part);

/** Levenshtein distance, where two letters in the wrong order are one fault. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  let earlier: number[] = [];
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const [above = 0, before = 0, left = 0] = [row[j + 1], row[j], next[j]];
      const isSwapped = i > 0 && j > 0 && letter === b[j - 1] && other === a[i - 1];
      const swapped = isSwapped ? (earlier[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(above + 1, left + 1, before + (letter === other ? 0 : 1), swapped));
    }
    earlier = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

export interface InputIssue {
  /** `steps.0.tool`; empty for the parameters as a whole. */
  path: string;
  problem: Message;
}

type Issue = z.core.$ZodIssue;
type Json = Record<string, unknown>;

const MAX_ISSUES = 8;
const MAX_VALUES_LENGTH = 500;
const TYPES = new Map<string, Message>([
  ['int', message('input.whole_number')],
  ['number', message('input.number')],
  ['string', message('input.string')],
  ['boolean', message('input.boolean')],
  ['array', message('input.array')],
  ['object', message('input.object')],
  ['record', message('input.object')],
]);
const FORMATS = new Map<string, Message>([
  ['uuid', message('input.uuid')],
  ['url', message('input.url')],
  ['datetime', message('input.time')],
]);

/** What a rule of our own says: the second argument of zod's `refine`. */
export const ruleError = <C extends Code>(code: C, ...given: Given<C>): { params: { text: Message } } => ({
  params: { text: message(code, ...given) },
});

/** For text that is typed or written: a `superRefine` of a string. */
export function typable(text: string, ctx: z.RefinementCtx): void {
  const { untypable } = readTypable(text);
  if (untypable !== null) ctx.addIssue({ code: 'custom', ...ruleError('input.untypable', { character: untypable }) });
}

export function describeIssues(schema: z.ZodType, error: z.ZodError, given: unknown): InputIssue[] {
  return error.issues
    .filter((issue) => !isBesides(issue, error.issues))
    .flatMap((issue) => describeIssue(schema, issue, given))
    .slice(0, MAX_ISSUES);
}

/** Zod measures a text as it would a list: where the kind of value is wrong, nothing else about it is. */
const isBesides = (issue: Issue, all: readonly Issue[]): boolean =>
  issue.code !== 'invalid_type' &&
  all.some(({ code, path }) => code === 'invalid_type' && pathText(path) === pathText(issue.path));

/** All of them as one message. `whole`: the name to put before a problem that belongs to no single parameter. */
export function joinIssues(issues: readonly InputIssue[], whole = ''): Message {
  return issues
    .map(({ path, problem }) => (path || whole ? message('input.at', { path: path || whole, problem }) : problem))
    .reduce((one, other) => message('input.both', { one, other }));
}

/** As agents get them. */
export const issuesInEnglish = (issues: readonly InputIssue[]): { path: string; message: string }[] =>
  issues.map(({ path, problem }) => ({ path, message: formatEnglish(problem) }));

function describeIssue(schema: z.ZodType, issue: Issue, given: unknown): InputIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const known = parametersAt(schema, issue.path);
    return issue.keys.map((key) => ({
      path: pathText([...issue.path, truncateText(key.replaceAll(/\p{C}/gu, '\u{fffd}'), 60)]),
      problem: unknownParameter(key, known),
    }));
  }
  return [{ path: pathText(issue.path), problem: problemOf(issue, valueAt(given, issue.path)) }];
}

function problemOf(issue: Issue, value: unknown): Message {
  if (issue.code === 'custom') return ruleText(issue) ?? message('input.invalid');
  if (issue.code === 'invalid_key') return firstProblem(issue.issues, issue.path.at(-1));
  if (issue.code === 'invalid_element') return firstProblem(issue.issues, value);
  if (issue.code === 'not_multiple_of') return message('input.step', { step: String(issue.divisor) });
  const takes = takenBy(issue);
  if (takes === null) return message('input.invalid');
  if (value === undefined) return message('input.required', { takes });
  const counts = (issue.code === 'too_big' || issue.code === 'too_small') && unitOf(issue.origin) !== 'other';
  return message(counts ? 'input.must_have' : 'input.must_be_not', { takes, given: describeValue(value) });
}

const firstProblem = ([first]: readonly Issue[], value: unknown): Message =>
  first === undefined ? message('input.invalid') : problemOf(first, value);

function ruleText({ params }: z.core.$ZodIssueCustom): Message | null {
  const text: unknown = params?.['text'];
  return isMessage(text) ? text : null;
}

/** What the field takes; null where that is not known. */
export function takenBy(issue: Issue): Message | null {
  if (issue.code === 'invalid_type') return TYPES.get(issue.expected) ?? verbatim(issue.expected);
  if (issue.code === 'invalid_value') return oneOf(issue.values.map((value) => JSON.stringify(value) ?? String(value)));
  if (issue.code === 'invalid_union') {
    const first = issue.errors.flatMap(([one]) => (one === undefined ? [] : (takenBy(one) ?? [])));
    return either(first);
  }
  if (issue.code === 'invalid_format')
    return FORMATS.get(issue.format) ?? message('input.form', { form: issue.pattern ?? issue.format });
  if (issue.code === 'too_big')
    return message('input.at_most', { max: String(issue.maximum), unit: unitOf(issue.origin) });
  if (issue.code !== 'too_small') return null;
  const min = String(issue.minimum);
  return issue.inclusive === false
    ? message('input.more_than', { min })
    : message('input.at_least', { min, unit: unitOf(issue.origin) });
}

const unitOf = (origin: string): 'string' | 'array' | 'other' =>
  origin === 'string' || origin === 'array' ? origin : 'other';

function oneOf(values: readonly string[]): Message {
  const shown = truncateText(values.join(', '), MAX_VALUES_LENGTH);
  return values.length === 1 ? verbatim(shown) : message('input.one_of', { values: shown });
}

function either(choices: readonly Message[]): Message | null {
  const distinct = [...new Map(choices.map((one) => [formatEnglish(one), one])).values()];
  return distinct.length === 0 ? null : distinct.reduce((one, other) => message('input.either', { one, other }));
}

/** A short value may be repeated, because the caller wrote it. */
function describeValue(value: unknown): Message {
  if (Array.isArray(value)) return message('input.given_array', { length: value.length });
  if (typeof value === 'object' && value !== null) return message('input.object');
  if (typeof value !== 'string') return verbatim(String(value));
  return value.length > 40 ? message('input.given_string', { length: value.length }) : verbatim(JSON.stringify(value));
}

function unknownParameter(key: string, known: readonly string[]): Message {
  const near = closestName(key, known);
  const takes = known.length === 0 ? 'none' : near === null ? 'other' : 'near';
  return message('input.unknown', { takes, names: near ?? truncateText(known.join(', '), 300) });
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
