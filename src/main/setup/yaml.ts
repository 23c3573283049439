/** YAML: writes or removes one entry where the parser says that it lies, as text, so that all else stays as it was written; then verifies the values. */
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, parse, parseDocument, type ParsedNode } from 'yaml';
import { message, verbatim } from '../../messages/index.js';
import {
  EditError,
  includesValues,
  isTable,
  lineEnding,
  valueAt,
  withoutPath,
  type Format,
  type Table,
} from './edit.js';

/** The path has two parts: the key of the mapping that holds all entries, and the entry's name. */
export const YAML: Format = {
  read(text, path) {
    return valueAt(parsed(text), path);
  },

  write(text, path, value) {
    const now = YAML.read(text, path);
    if (!isTable(value) || (now !== undefined && !isTable(now))) throw otherForm(path);
    if (now !== undefined && includesValues(now, value)) return text;
    const whole = text === '' || text.endsWith('\n') ? text : text + lineEnding(text);
    return checked(text, now === undefined ? added(whole, path, value) : updated(whole, path, now, value), path);
  },

  remove(text, path) {
    if (YAML.read(text, path) === undefined) return text;
    const { container, entry } = placesOf(text, path);
    if (entry === null) throw otherForm(path);
    const left = splice(text, entry.from, entry.to, '');
    if (container?.names.length !== 1) return checked(text, left, path);
    // A key without a value would be null, which is no mapping.
    const colon = left.indexOf(':', container.keyEnd) + 1;
    return checked(text, splice(left, colon, colon, ' {}'), path);
  },
};

/** A key and its value: whole lines from `from` to `to`. */
interface Place {
  from: number;
  to: number;
  keyEnd: number;
  value: ParsedNode | null;
  /** The keys of a mapping in lines. */
  names: readonly string[];
  indent: number;
}

const INDENT = 2;

function placesOf(text: string, [above, name]: readonly string[]): { container: Place | null; entry: Place | null } {
  const container = placeIn(text, parseDocument(text).contents, above);
  return { container, entry: placeIn(text, container?.value ?? null, name) };
}

function placeIn(text: string, map: ParsedNode | null, name: string | undefined): Place | null {
  if (!isMap(map) || map.flow === true) return null;
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === name);
  if (pair === undefined) return null;
  const { key, value } = pair;
  const from = text.lastIndexOf('\n', key.range[0] - 1) + 1;
  const inner = isMap(value) && value.flow !== true ? value.items.map((one) => one.key) : [];
  const first = inner[0]?.range[0] ?? 0;
  return {
    from,
    to: lineAfter(text, (value ?? key).range[2]),
    keyEnd: key.range[1],
    value,
    names: inner.map((one) => (isScalar(one) ? String(one.value) : '')),
    indent: inner.length === 0 ? key.range[0] - from + INDENT : first - text.lastIndexOf('\n', first - 1) - 1,
  };
}

/** The beginning of the next line, unless a line begins there. */
function lineAfter(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset;
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

const splice = (text: string, from: number, to: number, put: string): string =>
  text.slice(0, from) + put + text.slice(to);

function added(text: string, path: readonly string[], value: Table): string {
  const [above = '', name = ''] = path;
  const eol = lineEnding(text);
  const { container } = placesOf(text, path);
  if (container === null) return `${text}${above}:${eol}${entryLines(name, value, INDENT, eol)}`;
  const { to, indent, value: old } = container;
  const extended = splice(text, to, to, entryLines(name, value, indent, eol));
  const isEmpty = isMap(old) && old.items.length === 0;
  return isEmpty ? splice(extended, old.range[0], old.range[1], '').replace(/[ \t]+(?=\r?\n)/, '') : extended;
}

function updated(text: string, path: readonly string[], now: Table, value: Table): string {
  return Object.entries(value)
    .filter(([key, inner]) => !includesValues(now[key], inner))
    .reduce((rest, [key, inner]) => setKey(rest, path, key, merged(now[key], inner)), text);
}

function setKey(text: string, path: readonly string[], key: string, value: unknown): string {
  const { entry } = placesOf(text, path);
  if (entry === null || entry.names.length === 0) throw otherForm(path);
  const place = placeIn(text, entry.value, key) ?? { from: entry.to, to: entry.to };
  return splice(
    text,
    place.from,
    place.to,
    `${' '.repeat(entry.indent)}${key}: ${valueText(value)}${lineEnding(text)}`,
  );
}

function entryLines(name: string, value: Table, indent: number, eol: string): string {
  const inner = ' '.repeat(indent + INDENT);
  const pairs = Object.entries(value).map(([key, one]) => `${inner}${key}: ${valueText(one)}${eol}`);
  return `${' '.repeat(indent)}${name}:${eol}${pairs.join('')}`;
}

/** JSON in one line, with the spaces that every parser of YAML accepts. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (!isTable(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${valueText(inner)}`);
  return `{${pairs.join(', ')}}`;
}

function parsed(text: string): Table {
  const value = loaded(text);
  if (value === null) return {};
  if (!isTable(value)) throw new EditError('invalid', message('setup.why.no_mapping'));
  return value;
}

function loaded(text: string): unknown {
  try {
    return parse(text, { merge: true, logLevel: 'error' });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new EditError('invalid', verbatim(reason));
  }
}

/** Verifies that all values outside the entry are unchanged. */
function checked(before: string, after: string, path: readonly string[]): string {
  const [above = ''] = path;
  const earlier = parsed(before);
  const expected = earlier[above] === null ? withoutPath(earlier, [above]) : withoutPath(earlier, path);
  if (!isDeepStrictEqual(withoutPath(parsedAgain(after, path), path), expected)) throw otherForm(path);
  return after;
}

function parsedAgain(text: string, path: readonly string[]): Table {
  try {
    return parsed(text);
  } catch {
    throw otherForm(path);
  }
}

const otherForm = (path: readonly string[]) =>
  new EditError('other_form', message('setup.why.cannot_edit', { path: path.join('.') }));

const merged = (now: unknown, wanted: unknown): unknown =>
  isTable(wanted) && isTable(now) ? { ...now, ...wanted } : wanted;
