/** JSON, also with comments and trailing commas: one entry is written or taken away, and every other character stays. */
import { isDeepStrictEqual } from 'node:util';
import { parse, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { at, EditError, endOfLine, isTable, without, type Format } from './edit.js';
import { inserted, taken } from './jsonc-text.js';

const OPTIONS = { allowTrailingComma: true };

export const JSONC: Format = {
  read(text, path) {
    return find(rootOf(text), path) === null ? undefined : at(parsed(text), path);
  },

  write(text, path, value) {
    return checked(text, set(text, path, value), path);
  },

  remove(text, path) {
    const root = rootOf(text);
    const entry = find(root, path);
    const container = find(root, path.slice(0, -1));
    if (entry === null || container === null) return text;
    return checked(text, taken(text, container.value, entry.property), path);
  },
};

interface Found {
  value: Node;
  /** What holds it; the root has none. */
  property: Node | undefined;
}

function set(text: string, path: readonly string[], value: unknown): string {
  const found = find(rootOf(text), path);
  if (found === null) return put(text, path, value);
  const now = at(parsed(text), path);
  if (isTable(value)) {
    if (!isTable(now)) throw otherForm(path);
    return Object.entries(value).reduce((rest, [key, inner]) => set(rest, [...path, key], inner), text);
  }
  if (isDeepStrictEqual(now, value)) return text;
  const { offset, length } = found.value;
  return text.slice(0, offset) + JSON.stringify(value) + text.slice(offset + length);
}

/** Adds what is not there, together with the objects that lead to it. */
function put(text: string, path: readonly string[], value: unknown): string {
  const whole = text.trim() === '' ? `{}${endOfLine(text)}` : text;
  const root = rootOf(whole);
  let depth = path.length - 1;
  let container = find(root, path.slice(0, depth));
  while (container === null) container = find(root, path.slice(0, (depth -= 1)));
  if (container.value.type !== 'object') throw otherForm(path.slice(0, depth));
  const nested = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return inserted(whole, container.value, path[depth] ?? '', nested);
}

function rootOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text.trim() === '' ? '{}' : text, errors, OPTIONS);
  const [first] = errors;
  if (first !== undefined) throw new EditError('invalid', `${printParseErrorCode(first.error)} ${placeIn(text, first.offset)}`); // prettier-ignore
  if (root?.type !== 'object') throw new EditError('invalid', 'no JSON object at the top');
  return root;
}

/** Throws where a key on the way is there twice: readers differ on which one counts. */
function find(root: Node, path: readonly string[]): Found | null {
  let found: Found = { value: root, property: undefined };
  for (const [index, key] of path.entries()) {
    if (found.value.type !== 'object') throw otherForm(path.slice(0, index));
    const own = (found.value.children ?? []).filter((property) => property.children?.[0]?.value === key);
    if (own.length > 1) throw new EditError('invalid', `"${key}" is there twice`);
    const value = own[0]?.children?.[1];
    if (value === undefined) return null;
    found = { value, property: own[0] };
  }
  return found;
}

const parsed = (text: string): unknown => (text.trim() === '' ? {} : parse(text, [], OPTIONS));

/** The last word before anything is written: apart from the entry, the same values as before. */
function checked(before: string, after: string, path: readonly string[]): string {
  if (before === after) return before;
  rootOf(after);
  if (!isDeepStrictEqual(without(parsed(after), path), without(parsed(before), path)))
    throw new EditError('other_form', 'it could not be changed without touching other values');
  return after;
}

function otherForm(path: readonly string[]): EditError {
  return new EditError('other_form', `"${path.join('.')}" is there, and is no object`);
}

function placeIn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
