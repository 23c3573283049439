import { IntlMessageFormat } from 'intl-messageformat';
import * as z from 'zod';
import { english } from './english.js';
import type { Code, Message, RecordedMessage, Value } from './message.js';

/** A language's sentences by their codes. */
export type Catalogue = Readonly<Record<Code, string>>;

/** `words` are the catalogue's; a `value` is what was given, e.g. the name of a button. */
export interface TextPart {
  kind: 'words' | 'value';
  text: string;
}

export interface Formatter {
  format(message: Message): string;
  /** The same in pieces, so that names can be marked. */
  parts(message: Message): TextPart[];
}

/** Each sentence is compiled when it is first needed. `locale`: how numbers and lists are written. */
export function createFormatter(catalogue: Catalogue, locale: string): Formatter {
  const compiled = new Map<Code, IntlMessageFormat>();
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' });

  function compile(code: Code): IntlMessageFormat {
    const found = compiled.get(code) ?? new IntlMessageFormat(catalogue[code], locale, undefined, { ignoreTag: true });
    compiled.set(code, found);
    return found;
  }

  function parts({ code, params }: Message): TextPart[] {
    const given = Object.entries<Value>({ ...params }).map(([name, value]) => [name, prepared(value)]);
    return compile(code)
      .formatToParts<Prepared>(Object.fromEntries(given))
      .flatMap(({ value }) => (value instanceof Prepared ? value.parts : [{ kind: 'words', text: String(value) }]));
  }

  function prepared(value: Value): Prepared | number | string {
    if (typeof value === 'number') return value;
    if (typeof value === 'string') return new Prepared([{ kind: 'value', text: value }]);
    if ('code' in value) return new Prepared(parts(value));
    const pieces = lists.formatToParts(value.map((one) => (typeof one === 'string' ? one : format(one))));
    return new Prepared(
      pieces.map(({ type, value: text }) => ({ kind: type === 'element' ? 'value' : 'words', text })),
    );
  }

  const format = (message: Message): string =>
    parts(message)
      .map(({ text }) => text)
      .join('');

  return { format, parts };
}

/** A value whose text is made already; as an object it stays a piece of its own. */
class Prepared {
  constructor(readonly parts: TextPart[]) {}

  toString(): string {
    return this.parts.map(({ text }) => text).join('');
  }
}

const inEnglish = createFormatter(english, 'en-US');

/** The wire, the record and the command line speak English. */
export const formatEnglish = (message: Message): string => inEnglish.format(message);

/** For the record. */
export const toRecord = ({ code, params }: Message): RecordedMessage => ({
  code,
  params: z.record(z.string(), z.json()).parse(params),
  text: formatEnglish({ code, params }),
});
