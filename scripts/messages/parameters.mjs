/** What each sentence of a catalogue takes, read from its ICU syntax. */
import { IntlMessageFormat } from 'intl-messageformat';

const ARGUMENT = 1;
const NUMBER = 2;
const SELECT = 5;
const PLURAL = 6;

/** Name to type, sorted: `text`, `number`, or the words it can be. Throws where the syntax is wrong or one name has two types. */
export function parametersOf(sentence) {
  const found = new Map();
  for (const [name, type] of argumentsIn(
    new IntlMessageFormat(sentence, 'en', undefined, { ignoreTag: true }).getAst(),
  )) {
    const known = found.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(type))
      throw new Error(`{${name}} has two types`);
    found.set(name, type);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function argumentsIn(elements) {
  return elements.flatMap((element) => {
    if (element.type === ARGUMENT) return [[element.value, 'text']];
    if (element.type === NUMBER) return [[element.value, 'number']];
    if (element.type !== SELECT && element.type !== PLURAL) return [];
    const options = Object.entries(element.options);
    const type = element.type === PLURAL ? 'number' : options.map(([word]) => word);
    return [[element.value, type], ...options.flatMap(([, { value }]) => argumentsIn(value))];
  });
}

/** The TypeScript module for the English catalogue: its sentences, and a type of what each takes. */
export function moduleOf(catalogue) {
  const rows = Object.entries(catalogue).map(([code, sentence]) => {
    const fields = [...parametersOf(sentence)].map(([name, type]) => `${name}: ${typeOf(type)}`);
    return `  '${code}': ${fields.length === 0 ? 'Record<never, never>' : `{ ${fields.join('; ')} }`};`;
  });
  return [
    '/** Written by `npm run docs` from en.json: the English sentences, and what each takes. `Value` is what a name or text can be. */',
    'export interface Parameters<Value> {',
    ...rows,
    '}',
    '',
    'export const english: Readonly<Record<keyof Parameters<unknown>, string>> = {',
    ...Object.entries(catalogue).map(([code, sentence]) => `  '${code}': ${literal(sentence)},`),
    '};',
    '',
  ].join('\n');
}

const literal = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

const typeOf = (type) =>
  type === 'text' ? 'Value' : type === 'number' ? 'number' : type.map((word) => `'${word}'`).join(' | ');
