/** The parameters of each message of a catalogue, read from its ICU syntax. */
import { IntlMessageFormat } from 'intl-messageformat';

const ARGUMENT = 1;
const NUMBER = 2;
const SELECT = 5;
const PLURAL = 6;

/** Types by name, sorted: `text`, `number`, or the possible words. Throws for wrong syntax, or where a name has two types. */
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

/** The TypeScript module with the parameters of a catalogue's messages: one line for all that have the same. */
export function parametersModule(catalogue) {
  const codes = new Map();
  for (const [code, sentence] of Object.entries(catalogue)) {
    const taken = [...parametersOf(sentence)].map(([name, type]) => `${name}: ${typeOf(type)}`).join('; ');
    if (taken !== '') codes.set(taken, [...(codes.get(taken) ?? []), `'${code}'`]);
  }
  return [
    '/** Written by `npm run docs` from en.json: what each sentence takes that takes anything. `Value` is what a name or text can be. */',
    'export type Parameters<Value> =',
    ...[...codes].sort().map(([taken, taking]) => `  & Record<${taking.join(' | ')}, { ${taken} }>`),
    '',
  ]
    .join('\n')
    .replace(/\n$/, ';\n');
}

const typeOf = (type) =>
  type === 'text' ? 'Value' : type === 'number' ? 'number' : type.map((word) => `'${word}'`).join(' | ');
