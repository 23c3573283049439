/** JSON, also with comments and trailing commas: writes or removes one entry and keeps every other character. */
import { isDeepStrictEqual } from 'node:util';
import * as jsonc from 'jsonc-parser';
import { message, type Message } from '../../messages/index.js';
import { valueAt, EditError, lineEnding, isTable, withoutPath, type Format } from './edit.js';

const OPTIONS = { allowTrailingComma: true };

export const JSONC: Format = {
  read(text, path) {
    return find(rootOf(text), path) === null ? undefined : valueAt(parsed(text), path);
  },

  write(text, path, value) {
    return checked(text, set(text, path, value), path);
  },

  remove(text, path) {
    const entry = find(rootOf(text), path);
    if (entry === null) return text;
    return checked(text, removeProperty(text, entry.parent ?? entry), path);
  },
};

function set(text: string, path: readonly string[], value: unknown): string {
  const found = find(rootOf(text), path);
  if (found === null) return put(text, path, value);
  const now = valueAt(parsed(text), path);
  if (isTable(value)) {
    if (!isTable(now)) throw otherForm(path);
    return Object.entries(value).reduce((rest, [key, inner]) => set(rest, [...path, key], inner), text);
  }
  return isDeepStrictEqual(now, value) ? text : put(text, path, value);
}

/** Sets the value and creates the objects on its path. */
function put(text: string, path: readonly string[], value: unknown): string {
  const whole = text.trim() === '' ? `{}${lineEnding(text)}` : text;
  const root = rootOf(whole);
  const existing = find(root, path);
  if (existing !== null) return replaceValue(whole, existing, value);
  const depth = path.findIndex((_, index) => find(root, path.slice(0, index + 1)) === null);
  const inner = path.slice(depth + 1).reduceRight<unknown>((nested, key) => ({ [key]: nested }), value);
  return insertProperty(whole, find(root, path.slice(0, depth)) ?? root, path[depth] ?? '', inner);
}

function rootOf(text: string): jsonc.Node {
  const errors: jsonc.ParseError[] = [];
  const root = jsonc.parseTree(text.trim() === '' ? '{}' : text, errors, OPTIONS);
  const [first] = errors;
  if (first !== undefined) throw new EditError('invalid', syntaxError(text, first));
  if (root?.type !== 'object') throw new EditError('invalid', message('setup.why.no_object'));
  return root;
}

/** Throws where a key on the path occurs twice: parsers differ on which one counts. */
function find(root: jsonc.Node, path: readonly string[]): jsonc.Node | null {
  let found = root;
  for (const [index, key] of path.entries()) {
    if (found.type !== 'object') throw otherForm(path.slice(0, index));
    const own = (found.children ?? []).filter((property) => property.children?.[0]?.value === key);
    if (own.length > 1) throw new EditError('invalid', message('setup.why.key_twice', { key }));
    const value = own[0]?.children?.[1];
    if (value === undefined) return null;
    found = value;
  }
  return found;
}

const parsed = (text: string): unknown => (text.trim() === '' ? {} : jsonc.parse(text, [], OPTIONS));

/** Verifies that all values outside the entry are unchanged. */
function checked(before: string, after: string, path: readonly string[]): string {
  if (before === after) return before;
  rootOf(after);
  if (!isDeepStrictEqual(withoutPath(parsed(after), path), withoutPath(parsed(before), path)))
    throw new EditError('other_form', message('setup.why.touches_others'));
  return after;
}

function otherForm(path: readonly string[]): EditError {
  return new EditError('other_form', message('setup.why.not_an_object', { path: path.join('.') }));
}

function syntaxError(text: string, { error, offset }: jsonc.ParseError): Message {
  const before = text.slice(0, offset).split('\n');
  const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
  return message('setup.why.json_error', { error: inWords(jsonc.printParseErrorCode(error)), line, column });
}

/** `CloseBraceExpected` as `close brace expected`. */
const inWords = (errorCode: string): string => errorCode.replaceAll(/\B[A-Z]/g, ' $&').toLowerCase();

// Edits of one property in the text of a JSON object. No other value, comment or space is touched, only commas beside the property.

/** After the last property, in its style: a trailing comma is kept, and an object in one line stays in one line. */
function insertProperty(text: string, object: jsonc.Node, key: string, value: unknown): string {
  const last = object.children?.at(-1);
  if (last === undefined) return insertFirst(text, object, key, value);
  const comma = commaAfter(text, last);
  const after = comma === null ? endOf(last) : comma + 1;
  const [before, behind] = comma === null ? [',', ''] : ['', ','];
  if (!text.slice(object.offset, endOf(object)).includes('\n')) {
    const property = `${before} ${JSON.stringify(key)}: ${JSON.stringify(value)}${behind}`;
    return text.slice(0, after) + property + text.slice(after);
  }
  const own = /(?:^|\n)([ \t]*)$/.exec(text.slice(0, last.offset))?.[1];
  const indent = own ?? indentAt(text, object.offset) + unitOf(text);
  const rest = text.slice(after);
  const comments = /^(?:[ \t]*\/\*[^\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(rest)?.[0] ?? '';
  const property = lineEnding(text) + indent + propertyText(text, indent, key, value) + behind;
  return text.slice(0, after) + before + comments + property + rest.slice(comments.length);
}

function insertFirst(text: string, object: jsonc.Node, key: string, value: unknown): string {
  const eol = lineEnding(text);
  const outer = indentAt(text, object.offset);
  const indent = outer + unitOf(text);
  const [start, end] = [object.offset + 1, endOf(object) - 1];
  const comments = text.slice(start, end).trimEnd();
  const property = eol + indent + propertyText(text, indent, key, value) + eol + outer;
  return text.slice(0, start) + comments + property + text.slice(end);
}

function replaceValue(text: string, node: jsonc.Node, value: unknown): string {
  const next = valueText(text, indentAt(text, node.offset), value, text.slice(node.offset, endOf(node)).includes('\n'));
  return text.slice(0, node.offset) + next + text.slice(endOf(node));
}

/** With its lines where nothing else stands on them. */
function removeProperty(text: string, property: jsonc.Node): string {
  const siblings = property.parent?.children ?? [];
  const earlier = siblings[siblings.indexOf(property) - 1];
  const comma = commaAfter(text, property);
  const end = endOf(property);
  const commas = comma !== null ? [comma] : earlier === undefined ? [] : [commaAfter(text, earlier)];
  const atComma = comma !== null && text.slice(end, comma).trim() === '' ? comma + 1 : end;
  const start = property.offset - (/[ \t]*$/.exec(text.slice(0, property.offset))?.[0].length ?? 0);
  const line = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(atComma))?.[0];
  const hasLines = line !== undefined && (start === 0 || text[start - 1] === '\n');
  const [from, to] = hasLines ? [start, atComma + line.length] : [property.offset, atComma];
  const outside = commas.filter((at): at is number => at !== null && (at < from || at >= to));
  return [{ from, to }, ...outside.map((at) => ({ from: at, to: at + 1 }))]
    .sort((a, b) => b.from - a.from)
    .reduce((rest, cut) => rest.slice(0, cut.from) + rest.slice(cut.to), text);
}

const endOf = ({ offset, length }: jsonc.Node): number => offset + length;

function commaAfter(text: string, node: jsonc.Node): number | null {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(endOf(node));
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : null;
}

/** The white space at the beginning of the line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

const unitOf = (text: string): string => /\n([ \t]+)["{[]/.exec(text)?.[1] ?? '  ';

const propertyText = (text: string, indent: string, key: string, value: unknown): string =>
  `${JSON.stringify(key)}: ${valueText(text, indent, value, true)}`;

function valueText(text: string, indent: string, value: unknown, inLines: boolean): string {
  if (!inLines) return JSON.stringify(value);
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', lineEnding(text) + indent);
}
