import { IntlMessageFormat, type Formatters } from 'intl-messageformat';
import * as z from 'zod';
import { english, type Code } from './english.js';
import { isMessage, message, verbatim, type Given, type Message, type RecordedMessage, type Value } from './message.js';

/** A language's messages by code. */
export type Catalogue = Readonly<Record<Code, string>>;

/** `words` are the catalogue's; a `value` is what was given, e.g. the name of a button. */
export interface TextPart {
  kind: 'words' | 'value';
  text: string;
}

export interface Formatter {
  format(message: Message): string;
  /** Formats a message from its code and parameters. */
  text<C extends Code>(code: C, ...given: Given<C>): string;
  /** The text in parts, so that values can be marked. */
  parts(message: Message): TextPart[];
}

/** Characters with a meaning in ICU syntax. */
const SYNTAX = /[{']/;

/** Sentences with no more than names in braces. */
const PLAIN = /^[^{}']*(?:\{\w+\}[^{}']*)*$/;
const NAME = /\{(\w+)\}/;

/** Compiles each message that is more than words and names at its first use. `locale`: for numbers and lists. */
export function createFormatter(catalogue: Catalogue, locale: string): Formatter {
  const compiled = new Map<Code, IntlMessageFormat>();
  const options = { ignoreTag: true, formatters: sharedFormatters() };
  let lists: Intl.ListFormat | undefined;

  function compile(code: Code): IntlMessageFormat {
    const found = compiled.get(code) ?? new IntlMessageFormat(catalogue[code], locale, undefined, options);
    compiled.set(code, found);
    return found;
  }

  function parts({ code, params }: Message): TextPart[] {
    const sentence = catalogue[code];
    if (!SYNTAX.test(sentence)) return [{ kind: 'words', text: sentence }];
    const given = Object.fromEntries(
      Object.entries<Value>({ ...params }).map(([name, value]) => [name, prepared(value)]),
    );
    const plain = PLAIN.test(sentence) ? insert(sentence, given) : null;
    if (plain !== null) return plain;
    return compile(code)
      .formatToParts<Prepared>(given)
      .flatMap(({ value }) => (value instanceof Prepared ? value.parts : [{ kind: 'words', text: String(value) }]));
  }

  function prepared(value: Value): Prepared | number | string {
    if (typeof value === 'number') return value;
    if (typeof value === 'string') return new Prepared([{ kind: 'value', text: value }]);
    if ('code' in value) return new Prepared(parts(value));
    lists ??= new Intl.ListFormat(locale, { type: 'conjunction' });
    const pieces = lists.formatToParts(value.map((one) => (typeof one === 'string' ? one : format(one))));
    return new Prepared(
      pieces.map(({ type, value: text }) => ({ kind: type === 'element' ? 'value' : 'words', text })),
    );
  }

  const format = (message: Message): string =>
    parts(message)
      .map(({ text }) => text)
      .join('');

  return { format, parts, text: (code, ...given) => format(message(code, ...given)) };
}

/** Shared by all messages of a language, because creating them is slow. */
function sharedFormatters(): Formatters {
  return {
    getNumberFormat: cached((locales, options) => new Intl.NumberFormat(locales, options)),
    getDateTimeFormat: cached((locales, options) => new Intl.DateTimeFormat(locales, options)),
    getPluralRules: cached((locales, options) => new Intl.PluralRules(locales, options)),
  };
}

type Locales = string | string[] | undefined;

function cached<Options, Format>(make: (locales: Locales, options?: Options) => Format) {
  const made = new Map<string, Format>();
  return (locales?: Locales, options?: Options): Format => {
    const key = JSON.stringify([locales, options]);
    const found = made.get(key) ?? make(locales, options);
    made.set(key, found);
    return found;
  };
}

/** A value with its text. An object, because the formatter keeps objects as separate parts. */
class Prepared {
  constructor(readonly parts: TextPart[]) {}

  toString(): string {
    return this.parts.map(({ text }) => text).join('');
  }
}

/** What the compiled message gives too; compiling the first of a process costs 15 ms. Null where a value is missing. */
function insert(sentence: string, given: Readonly<Record<string, Prepared | number | string>>): TextPart[] | null {
  const parts: TextPart[] = [];
  let words = '';
  const endWords = (): void => {
    if (words !== '') parts.push({ kind: 'words', text: words });
    words = '';
  };
  for (const [index, piece] of sentence.split(NAME).entries()) {
    const value = index % 2 === 0 ? piece : given[piece];
    if (value === undefined) return null;
    if (value instanceof Prepared) {
      endWords();
      parts.push(...value.parts);
    } else words += String(value);
  }
  endWords();
  return parts;
}

/** For the wire, the record, and JSON on the command line. */
export const inEnglish = createFormatter(english, 'en-US');

export const formatEnglish: Formatter['format'] = inEnglish.format;

/** For the record. */
export const toRecord = ({ code, params }: Message): Exclude<RecordedMessage, string> => ({
  code,
  params: z.record(z.string(), z.json()).parse(params),
  text: formatEnglish({ code, params }),
});

/** The recorded text is used where this version does not know the message, or its parameters differ. */
export function fromRecord(recorded: RecordedMessage): Message {
  if (typeof recorded === 'string') return verbatim(recorded);
  const { code, params, text } = recorded;
  const found = { code, params };
  return isMessage(found) && isComplete(found) ? found : verbatim(text);
}

/** Whether it has all parameters of its code. */
export function isComplete(message: Message): boolean {
  try {
    formatEnglish(message);
    return true;
  } catch {
    return false;
  }
}

/** An error whose text is a message of the catalogue; its `message` is the English. */
export class MessageError extends Error {
  constructor(readonly text: Message) {
    super(formatEnglish(text));
  }
}

/** Why something failed: the message of the error where it has one. */
export function textOf(thrown: unknown): Message {
  if (thrown instanceof MessageError) return thrown.text;
  return verbatim(thrown instanceof Error ? thrown.message : String(thrown));
}
