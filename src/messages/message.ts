import * as z from 'zod';
import { english, type Code } from './english.js';
import type { Parameters } from './parameters.js';

/** Names and other text that is shown as it is, numbers, messages inside messages, and lists of these (“a, b and c”). */
export type Value = string | number | Message | readonly (string | Message)[];

/** A text as data: its code in the catalogue, and its parameters. */
export interface Message {
  code: Code;
  params: Taken<Code>;
}

export type Taken<C extends Code> = C extends keyof Parameters<Value> ? Parameters<Value>[C] : Record<never, never>;

/** What a sentence takes, as the arguments after its code. */
export type Given<C extends Code> = Record<never, never> extends Taken<C> ? [] : [params: Taken<C>];

export function message<C extends Code>(code: C, ...given: Given<C>): Message;
export function message(code: Code, params: Message['params'] = {}): Message {
  return { code, params };
}

export const isCode = (code: string): code is Code => Object.hasOwn(english, code);

/** Text without a code: from a person, a program or an older record. */
export const verbatim = (text: string): Message => message('verbatim', { text });

export const messageSchema = z.custom<Message>(isMessage, { error: 'not a message of the catalogue' });

export function isMessage(value: unknown): value is Message {
  if (!isObject(value) || !isObject(value['params'])) return false;
  return typeof value['code'] === 'string' && isCode(value['code']) && Object.values(value['params']).every(isValue);
}

/** A message, or text from files and hosts that have none. */
export const messageOrTextSchema = z.union([messageSchema, z.string().transform(verbatim)]);

function isValue(value: unknown): value is Value {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string' || isMessage(one));
  return typeof value === 'string' || typeof value === 'number' || isMessage(value);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** As stored in the record: with its English text, for later versions that do not know the code. */
export const recordedMessageSchema = z.union([
  z.string(),
  z.object({ code: z.string(), params: z.record(z.string(), z.json()), text: z.string() }),
]);
export type RecordedMessage = z.infer<typeof recordedMessageSchema>;
