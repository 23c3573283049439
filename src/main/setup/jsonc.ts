/** JSON, also with comments and trailing commas: writes or removes one entry and keeps every other character. */
import { isDeepStrictEqual } from 'node:util';
import * as jsonc from 'jsonc-parser';
import { message, type Message } from '../../messages/index.js';
import { insertProperty, removeProperty, replaceValue } from './jsonc-edits.js';
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
