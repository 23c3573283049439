/** Changing one entry of a text that is not ours. Each format has one of these; both are pure. */
import { isDeepStrictEqual } from 'node:util';

/** What we write under our name, key by key; other keys a person has put beside them stay. */
export type Entry = Readonly<Record<string, unknown>>;

/** `path` ends with the entry's own name. A value that is a table joins the keys that are there already. Each throws {@link EditError} rather than write what it could not check. */
export interface Format {
  /** The entry as it is; undefined where there is none. */
  read(text: string, path: readonly string[]): unknown;
  /** The text with this in the entry; the very same text when it is there already. */
  write(text: string, path: readonly string[], value: unknown): string;
  /** The text without the entry; the very same text when there is none. */
  remove(text: string, path: readonly string[]): string;
}

export class EditError extends Error {
  constructor(
    readonly kind: 'invalid' | 'other_form',
    message: string,
  ) {
    super(message);
  }
}

export type Table = Record<string, unknown>;

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The same value without what lies at `path`, nor tables that only led there. */
export function without(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || !isTable(value)) return value;
  const { [key]: inner, ...others } = value;
  if (rest.length === 0 || !isTable(inner)) return rest.length === 0 ? others : { ...value };
  const left = without(inner, rest);
  return isTable(left) && Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

export function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isTable(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** All of `value` is there; a table may hold more. */
export function covers(now: unknown, value: unknown): boolean {
  if (isTable(value) && isTable(now)) return Object.entries(value).every(([key, inner]) => covers(now[key], inner));
  return isDeepStrictEqual(now, value);
}

/** As the file has it; new files get a line feed. */
export function endOfLine(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}
