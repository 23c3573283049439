import { isRecord } from '../../../base/is-record.js';
import { quote } from '../../pipeline/target/quote.js';

/** An event as one line for a model, without empty fields. Pure. */
export function eventLine(event: Record<string, unknown>): string {
  const { sequence, kind, event: what, element, window, application, title, changes } = event;
  const subject = isRecord(element)
    ? `${toText(element['elementId'])} ${toText(element['role'])} ${quote(toText(element['title']))}`
    : `${toText(window ?? application)} ${quote(toText(title))}`;
  const list = Array.isArray(changes) ? changes.filter(isRecord).map(changeText) : [];
  const head = [`#${toText(sequence)}`, toText(kind), toText(what), subject].filter((part) => part !== '').join(' ');
  return list.length === 0 ? head : `${head}: ${list.join(', ')}`;
}

const changeText = ({ attribute, before, after }: Record<string, unknown>): string =>
  `${toText(attribute)} ${JSON.stringify(before)} → ${JSON.stringify(after)}`;

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
