/** Changes one entry in the text of another program's settings. One {@link Format} for JSON and one for TOML; both are pure. */
import { isDeepStrictEqual } from 'node:util';
import { MessageError, type Message } from '../../messages/index.js';

/** What is written under Chaperone's name. Other keys that a person has added there stay. */
export type ClientEntry = Readonly<Record<string, unknown>>;

/** `path` ends with the entry's name. A table is merged into the existing keys. Each throws {@link EditError} where the result could not be verified. */
export interface Format {
  /** The entry; undefined where there is none. */
  read(text: string, path: readonly string[]): unknown;
  /** The text with the value in the entry; the same text where it is there already. */
  write(text: string, path: readonly string[], value: unknown): string;
  /** The text without the entry; the same text where there is none. */
  remove(text: string, path: readonly string[]): string;
}

export class EditError extends MessageError {
  constructor(
    readonly kind: 'invalid' | 'other_form',
    text: Message,
  ) {
    super(text);
  }
}

export type Table = Record<string, unknown>;

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The value without what is at `path`, and without tables that are empty then. */
export function withoutPath(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || !isTable(value)) return value;
  const { [key]: inner, ...others } = value;
  if (rest.length === 0 || !isTable(inner)) return rest.length === 0 ? others : { ...value };
  const left = withoutPath(inner, rest);
  return isTable(left) && Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isTable(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** Whether `now` has everything in `value`; tables may have more keys. */
export function includesValues(now: unknown, value: unknown): boolean {
  if (isTable(value) && isTable(now))
    return Object.entries(value).every(([key, inner]) => includesValues(now[key], inner));
  return isDeepStrictEqual(now, value);
}

/** The line ending of the text; a line feed where it has none. */
export function lineEnding(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** Why setup failed. The text tells the person what happened and what to do next. */
export class SetupRefused extends MessageError {
  constructor(
    readonly code:
      | 'unknown_client'
      | 'invalid_file'
      | 'unreadable_file'
      | 'other_form'
      | 'changed_meanwhile'
      | 'no_command'
      | 'command_failed'
      | 'not_offered'
      | 'no_scope'
      | 'only_by_hand',
    text: Message,
  ) {
    super(text);
    this.name = 'SetupRefused';
  }
}
