/** YAML: writes or removes one entry as lines of block mappings, then verifies the values with a parser. */
import { isDeepStrictEqual } from 'node:util';
import { load } from 'js-yaml';
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
    const lines = linesOf(text);
    return checked(
      text,
      (now === undefined ? added(lines, path, value) : updated(lines, path, now, value)).join(''),
      path,
    );
  },

  remove(text, path) {
    if (YAML.read(text, path) === undefined) return text;
    const lines = linesOf(text);
    const container = pairOf(lines, { from: 0, to: lines.length }, path[0], path);
    const entry = pairOf(lines, container, path[1], path);
    const isLast = keysIn(lines, container).length === 1;
    const kept = isLast ? [emptied(lines[container.key] ?? '', path)] : [lines[container.key] ?? ''];
    const next = [
      ...lines.slice(0, container.key),
      ...kept,
      ...lines.slice(container.from, entry.key),
      ...lines.slice(entry.to),
    ];
    return checked(text, next.join(''), path);
  },
};

/** A part of the lines, `to` excluded. */
interface Range {
  from: number;
  to: number;
}

/** `key` is the line of the key; the range has the lines below it, without empty lines and comments at its end that are not indented deeper. */
interface Pair extends Range {
  key: number;
  name: string;
}

const INDENT = 2;

const linesOf = (text: string): string[] => (text === '' ? [] : text.split(/(?<=\n)/));

function added(lines: readonly string[], path: readonly string[], value: Table): string[] {
  const [above = '', name = ''] = path;
  const eol = lineEnding(lines.join(''));
  const ended =
    lines.at(-1)?.endsWith('\n') === false ? [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${eol}`] : [...lines];
  const container = keysIn(ended, { from: 0, to: ended.length }).find((pair) => pair.name === above);
  if (container === undefined) return [...ended, `${above}:${eol}`, ...entryLines(name, value, INDENT, eol)];
  const key = (ended[container.key] ?? '').replace(/^([^#]*:)[ \t]*\{[ \t]*\}/, '$1');
  const [first] = keysIn(ended, container);
  const indent = first === undefined ? INDENT : indentOf(ended[first.key] ?? '');
  return [
    ...ended.slice(0, container.key),
    key,
    ...ended.slice(container.from, container.to),
    ...entryLines(name, value, indent, eol),
    ...ended.slice(container.to),
  ];
}

function updated(lines: readonly string[], path: readonly string[], now: Table, value: Table): string[] {
  const eol = lineEnding(lines.join(''));
  return Object.entries(value)
    .filter(([key, inner]) => !includesValues(now[key], inner))
    .reduce<string[]>((rest, [key, inner]) => setKey(rest, path, key, merged(now[key], inner), eol), [...lines]);
}

function setKey(lines: string[], path: readonly string[], key: string, value: unknown, eol: string): string[] {
  const container = pairOf(lines, { from: 0, to: lines.length }, path[0], path);
  const entry = pairOf(lines, container, path[1], path);
  const pairs = keysIn(lines, entry);
  const [first] = pairs;
  if (first === undefined) throw otherForm(path);
  const line = `${' '.repeat(indentOf(lines[first.key] ?? ''))}${key}: ${valueText(value)}${eol}`;
  const pair = pairs.find(({ name }) => name === key);
  if (pair === undefined) {
    const before = lines
      .slice(0, entry.to)
      .map((one, index) => (index === entry.to - 1 && !one.endsWith('\n') ? one + eol : one));
    return [...before, line, ...lines.slice(entry.to)];
  }
  return [...lines.slice(0, pair.key), line, ...lines.slice(pair.to)];
}

function entryLines(name: string, value: Table, indent: number, eol: string): string[] {
  const inner = ' '.repeat(indent + INDENT);
  const pairs = Object.entries(value).map(([key, one]) => `${inner}${key}: ${valueText(one)}${eol}`);
  return [`${' '.repeat(indent)}${name}:${eol}`, ...pairs];
}

/** JSON in one line, with the spaces that every parser of YAML accepts. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (!isTable(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${valueText(inner)}`);
  return `{${pairs.join(', ')}}`;
}

/** The keys of the outermost block mapping in the range. Text in a block or in quotes that lies deeper is none. */
function keysIn(lines: readonly string[], { from, to }: Range): Pair[] {
  const own = lines
    .map((line, at) => ({ line, at }))
    .slice(from, to)
    .filter(({ line }) => !isBare(line));
  const outer = Math.min(...own.map(({ line }) => indentOf(line)));
  const keys = own.flatMap(({ line, at }) => {
    const name = indentOf(line) === outer ? nameIn(line) : null;
    return name === null ? [] : [{ name, at }];
  });
  return keys.map(({ name, at }, index) => {
    const below = lines.slice(at + 1, keys[index + 1]?.at ?? to);
    const last = below.findLastIndex((line) => !isBare(line) || (line.trim() !== '' && indentOf(line) > outer));
    return { name, key: at, from: at + 1, to: at + 2 + last };
  });
}

function pairOf(lines: readonly string[], range: Range, name: string | undefined, path: readonly string[]): Pair {
  const found = keysIn(lines, range).find((pair) => pair.name === name);
  if (found === undefined) throw otherForm(path);
  return found;
}

/** Empty, a comment, or a mark between documents. */
const isBare = (line: string): boolean => /^\s*(?:#.*)?$|^(?:---|\.\.\.)(?:\s|$)/.test(line.trimEnd());
const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;

function nameIn(line: string): string | null {
  const key = /^ *("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'[\]{},&*!|>%@`-][^#]*?) *:(?:\s|$)/.exec(line)?.[1];
  if (key === undefined) return null;
  try {
    const value = load(key);
    return typeof value === 'string' ? value : key;
  } catch {
    return null;
  }
}

/** A key without a value would be null, which is no mapping. */
function emptied(line: string, path: readonly string[]): string {
  const match = /^([^#]*?:)([ \t]*(?:#.*)?\r?\n?)$/.exec(line);
  if (match === null) throw otherForm(path);
  return `${match[1] ?? ''} {}${match[2] ?? ''}`;
}

function parsed(text: string): Table {
  const value = loaded(text);
  if (value === undefined || value === null) return {};
  if (!isTable(value)) throw new EditError('invalid', message('setup.why.no_mapping'));
  return value;
}

function loaded(text: string): unknown {
  try {
    return load(text);
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
