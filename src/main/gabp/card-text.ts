/** The arguments of a call in the words of its schema, for the card: a line each. Pure. */
import { isRecord } from '../../base/is-record.js';

/** Longest name that an application gives a parameter. */
const MAX_LABEL = 60;

/** `schema` is a published one. Names of parameters stay, because an application may call any of them what it likes. */
export function argumentLines(given: Record<string, unknown>, schema: Record<string, unknown>): string {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  return Object.entries(given)
    .map(
      ([name, value]) =>
        `${labelOf(name, properties[name])}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join('\n');
}

function labelOf(name: string, schema: unknown): string {
  const title = isRecord(schema) && typeof schema['title'] === 'string' ? schema['title'].slice(0, MAX_LABEL) : '';
  return title === '' || title === name ? name : `${name} (${title})`;
}
