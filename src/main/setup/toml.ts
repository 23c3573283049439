/** TOML: writes or removes one table as text between statements, then verifies the values with a parser. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { message, verbatim } from '../../messages/index.js';
import {
  valueAt,
  includesValues,
  EditError,
  lineEnding,
  isTable,
  withoutPath,
  type ClientEntry,
  type Format,
  type Table,
} from './edit.js';

export const TOML: Format = {
  read(text, path) {
    return valueAt(parsed(text), path);
  },

  write(text, path, value) {
    const now = TOML.read(text, path);
    if (!isTable(value) || (now !== undefined && !isTable(now))) throw otherForm(path);
    if (now === undefined) return checked(text, appended(text, path, value), path);
    const missing = Object.entries(value).filter(([key, inner]) => !includesValues(now[key], inner));
    const next = missing.reduce((rest, [key, inner]) => setKey(rest, path, key, merged(now[key], inner)), text);
    return next === text ? text : checked(text, next, path);
  },

  remove(text, path) {
    if (TOML.read(text, path) === undefined) return text;
    const rest = sectionsOf(text)
      .filter(({ names }) => path.every((name, index) => names[index] === name))
      .toReversed()
      .reduce(removeSection, text);
    if (TOML.read(rest, path) !== undefined) throw otherForm(path);
    return checked(text, rest, path);
  },
};

interface Section {
  names: string[];
  header: Statement;
  pairs: Statement[];
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  for (const statement of statementsOf(text)) {
    if (statement.kind === 'pair') sections.at(-1)?.pairs.push(statement);
    else sections.push({ names: namesIn(text.slice(statement.start, statement.end)), header: statement, pairs: [] });
  }
  return sections;
}

/** `[a."b c".d]` → a, b c, d. */
function namesIn(header: string): string[] {
  const names: string[] = [];
  let value: unknown = parsed(header);
  while (isTable(value)) {
    const [name] = Object.keys(value);
    if (name === undefined) break;
    names.push(name);
    value = value[name];
  }
  return names;
}

function appended(text: string, path: readonly string[], entry: ClientEntry): string {
  const eol = lineEnding(text);
  const lines = [
    `[${path.map(keyText).join('.')}]`,
    ...Object.entries(entry).map(([key, value]) => `${keyText(key)} = ${valueText(value)}`),
  ];
  const ended = text === '' || text.endsWith('\n') ? text : text + eol;
  const apart = ended === '' || /(?:^|\n)[ \t]*\r?\n$/.test(ended) ? ended : ended + eol;
  return apart + lines.join(eol) + eol;
}

function setKey(text: string, path: readonly string[], key: string, value: unknown): string {
  const section = sectionsOf(text).find(
    ({ names, header }) => header.kind === 'table' && isDeepStrictEqual(names, [...path]),
  );
  if (section === undefined) throw otherForm(path);
  const line = `${keyText(key)} = ${valueText(value)}`;
  const pair = section.pairs.find(({ start, end }) => Object.keys(parsed(text.slice(start, end)))[0] === key);
  if (pair !== undefined) return text.slice(0, pair.start) + line + text.slice(pair.end);
  const { end } = section.pairs.at(-1) ?? section.header;
  const rest = text.slice(end);
  const comment = /^[^\n\r]*/.exec(rest)?.[0] ?? '';
  return text.slice(0, end) + comment + lineEnding(text) + line + rest.slice(comment.length);
}

/** Removes the lines from the header to the last pair, and one empty line before. Comments after it belong to what follows. */
function removeSection(text: string, { header, pairs }: Section): string {
  const start = text.lastIndexOf('\n', header.start - 1) + 1;
  const last = (pairs.at(-1) ?? header).end;
  const newline = text.indexOf('\n', last);
  const before = text.slice(0, start).replace(/(^|\n)[ \t]*\r?\n$/, '$1');
  return before + (newline === -1 ? '' : text.slice(newline + 1));
}

function parsed(text: string): Table {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new EditError('invalid', verbatim(reason.replace(/^Invalid TOML document: /, '')));
  }
}

/** Verifies that all values outside the entry are unchanged. */
function checked(before: string, after: string, path: readonly string[]): string {
  let values: Table;
  try {
    values = parsed(after);
  } catch {
    throw otherForm(path);
  }
  if (!isDeepStrictEqual(withoutPath(values, path), withoutPath(parsed(before), path))) throw otherForm(path);
  return after;
}

const otherForm = (path: readonly string[]) =>
  new EditError('other_form', message('setup.why.cannot_edit', { path: path.join('.') }));

/** Merges tables; any other value is replaced. */
function merged(now: unknown, wanted: unknown): unknown {
  if (!isTable(wanted) || !isTable(now)) return wanted;
  return { ...now, ...wanted };
}

const keyText = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : stringText(key));
/** JSON strings are valid TOML, except for one character. */
const stringText = (text: string): string => JSON.stringify(text).replaceAll('\x7f', '\\u007F');

function valueText(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (!isTable(value)) throw new EditError('other_form', message('setup.why.other_value'));
  const pairs = Object.entries(value).map(([key, inner]) => `${keyText(key)} = ${valueText(inner)}`);
  return `{ ${pairs.join(', ')} }`;
}

/** Finds where the statements of a TOML text begin and end. Does not check that the text is valid TOML. */
interface Statement {
  kind: 'table' | 'array' | 'pair';
  start: number;
  /** Excludes space and comment after it. */
  end: number;
}

function statementsOf(text: string): Statement[] {
  const found: Statement[] = [];
  const between = /(?:[ \t\r\n]+|#[^\n]*)*/y;
  let position = 0;
  for (;;) {
    between.lastIndex = position;
    position += between.exec(text)?.[0].length ?? 0;
    if (position >= text.length) return found;
    const end = statementEnd(text, position);
    const kind = text.startsWith('[[', position) ? 'array' : text[position] === '[' ? 'table' : 'pair';
    found.push({ kind, start: position, end: position + text.slice(position, end).trimEnd().length });
    position = end;
  }
}

/** The end of the first line on which all brackets and strings are closed, or the start of its comment. */
function statementEnd(text: string, from: number): number {
  let depth = 0;
  let position = from;
  while (position < text.length) {
    const char = text[position];
    if (char === '"' || char === "'") {
      position = stringEnd(text, position);
      continue;
    }
    if (char === '\n' && depth === 0) return position;
    if (char === '#') {
      if (depth === 0) return position;
      const line = text.indexOf('\n', position);
      if (line === -1) return text.length;
      position = line;
      continue;
    }
    if (char === '[' || char === '{') depth += 1;
    if (char === ']' || char === '}') depth -= 1;
    position += 1;
  }
  return text.length;
}

function stringEnd(text: string, from: number): number {
  const quote = text[from] ?? '';
  const long = text.startsWith(quote.repeat(3), from);
  const escapes = quote === '"';
  const closing = long ? quote.repeat(3) : quote;
  let position = from + closing.length;
  while (position < text.length) {
    if (escapes && text[position] === '\\') {
      position += 2;
      continue;
    }
    if (!long && text[position] === '\n') return position;
    if (text.startsWith(closing, position)) {
      position += closing.length;
      // A long string may end with one or two more quotes.
      for (let more = 0; long && more < 2 && text[position] === quote; more += 1) position += 1;
      return position;
    }
    position += 1;
  }
  return text.length;
}
