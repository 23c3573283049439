/** Where in the text of a JSON object a property goes in and comes out: next to its neighbours, in their manner, with nothing else moved. */
import { createScanner, type Node } from 'jsonc-parser';
import { endOfLine } from './edit.js';

interface Token {
  start: number;
  end: number;
  text: string;
}

/** `object` as it is now gets one property more, after the last and after comments that stand there. */
export function inserted(text: string, object: Node, key: string, value: unknown): string {
  const last = object.children?.at(-1);
  const close = object.offset + object.length - 1;
  const from = last === undefined ? object.offset + 1 : endOf(last);
  const tokens = between(text, from, close);
  const comma = tokens.some((token) => token.text === ',');
  const place = tokens.at(-1)?.end ?? from;
  const eol = endOfLine(text);
  const inLines = last === undefined ? object.parent === undefined || text.includes('\n') : hasLines(text, object);
  const outer = indentOf(text, object.offset);
  const unit = unitOf(text);
  const inner = last !== undefined && startsLine(text, last.offset) ? indentOf(text, last.offset) : outer + unit;
  const body = inLines ? JSON.stringify(value, null, unit).replaceAll('\n', eol + inner) : JSON.stringify(value);
  const lead = inLines ? eol + inner : last === undefined ? '' : ' ';
  // An empty object in one line gets lines; its closing brace then stands on one of its own.
  const tail = inLines && !text.slice(place, close).includes('\n') ? eol + outer : '';
  const before = last === undefined || comma ? '' : ',';
  const after = last !== undefined && comma ? ',' : '';
  const property = `${lead}${JSON.stringify(key)}: ${body}${after}${tail}`;
  return text.slice(0, from) + before + text.slice(from, place) + property + text.slice(place);
}

/** The property goes, with the space before it and one comma; comments stay. */
export function taken(text: string, object: Node, property: Node | undefined): string {
  if (property === undefined) return text;
  const siblings = object.children ?? [];
  const index = siblings.indexOf(property);
  const previous = siblings[index - 1];
  const next = siblings[index + 1];
  const close = object.offset + object.length - 1;
  const leading = between(text, previous === undefined ? object.offset + 1 : endOf(previous), property.offset);
  const trailing = between(text, endOf(property), next?.offset ?? close);
  const start =
    startOf(text, leading.at(-1), property) ?? (previous === undefined ? object.offset + 1 : endOf(previous));
  const following = trailing.find((token) => token.text === ',');
  const preceding = following === undefined ? leading.find((token) => token.text === ',') : undefined;
  const cut = (from: number, to: number, rest: string) => rest.slice(0, from) + rest.slice(to);
  let left = following === undefined ? text : cut(following.start, following.end, text);
  left = cut(start, endOf(property), left);
  if (preceding !== undefined) left = cut(preceding.start, preceding.end, left);
  const emptied = siblings.length === 1 && leading.length === 0 && trailing.every((token) => token === following);
  if (!emptied) return left;
  const brace = left.indexOf('}', start);
  return cut(start, brace, left);
}

/** After the last comma or comment before it; a comment that runs to the end of its line keeps that end where it needs it. */
function startOf(text: string, token: Token | undefined, property: Node): number | undefined {
  const open = token?.text.startsWith('//') === true && !/^[ \t]*,?[ \t]*\r?\n/.test(text.slice(endOf(property)));
  return open ? lineStart(text, property.offset) : token?.end;
}

const endOf = (node: Node): number => node.offset + node.length;
const hasLines = (text: string, node: Node): boolean => text.slice(node.offset, endOf(node)).includes('\n');

/** Commas and comments; nothing else stands between properties. */
function between(text: string, from: number, to: number): Token[] {
  const scanner = createScanner(text.slice(from, to));
  const tokens: Token[] = [];
  while (scanner.getPosition() < to - from) {
    scanner.scan();
    const start = from + scanner.getTokenOffset();
    const token = text.slice(start, start + scanner.getTokenLength());
    if (token.trim() !== '') tokens.push({ start, end: start + token.length, text: token });
  }
  return tokens;
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
const startsLine = (text: string, offset: number): boolean => text.slice(lineStart(text, offset), offset).trim() === '';

/** Of the line that holds this place. */
function indentOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** One step, as the file's first indented line has it. */
function unitOf(text: string): string {
  return /\n([ \t]+)["{[]/.exec(text)?.[1] ?? '  ';
}
