/** Edits of one property in the text of a JSON object. No other value, comment or space is touched, only commas beside the property. */
import * as jsonc from 'jsonc-parser';
import { lineEnding } from './edit.js';

/** After the last property, in its style: a trailing comma is kept, and an object in one line stays in one line. */
export function insertProperty(text: string, object: jsonc.Node, key: string, value: unknown): string {
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

export function replaceValue(text: string, node: jsonc.Node, value: unknown): string {
  const next = valueText(text, indentAt(text, node.offset), value, text.slice(node.offset, endOf(node)).includes('\n'));
  return text.slice(0, node.offset) + next + text.slice(endOf(node));
}

/** With its lines where nothing else stands on them. */
export function removeProperty(text: string, property: jsonc.Node): string {
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
