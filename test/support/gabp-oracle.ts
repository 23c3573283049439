/** Whether messages are what the published schemas of GABP say: one for each connection, which knows what was asked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import formatsPlugin from 'ajv-formats';

export type Message = Record<string, unknown>;

const FOLDER = join(import.meta.dirname, 'gabp-protocol');
const read = (name: string): Record<string, Message> =>
  JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Record<string, Message>;

/** The protocol's conformance vectors and examples, by the names of their files. */
export const fixtures = (): Map<string, Message> => new Map(Object.entries(read('fixtures.json')));

const NIL = '00000000-0000-0000-0000-000000000000';
/** The protocol calls the answer to a hello by another name. */
const ANSWERS = new Map([['session/hello', 'session/welcome']]);

export interface Oracle {
  /** Remembers what is asked; faults of the message itself are given back. */
  request(message: unknown): string[];
  /** Of a response or event. */
  answer(message: Message): string[];
}

export function createOracle(): Oracle {
  const { find, faultsOf } = compiled();
  const asked = new Map<unknown, unknown>();
  return {
    request(given) {
      const message = isRecord(given) ? given : {};
      asked.set(message['id'], message['method']);
      return [...faultsOf('envelope.schema', message), ...faultsOf(`${fileOf(message['method'])}.request`, message)];
    },
    answer(given) {
      const method = asked.get(given['id']);
      // Whoever asked with an id that the schema forbids gets that id back.
      const isEcho = given['type'] === 'response' && typeof given['id'] === 'string';
      const message: Message = isEcho ? { ...given, id: NIL } : given;
      const name = `${fileOf(ANSWERS.get(String(method)) ?? method)}.response`;
      const isSuccess = message['type'] === 'response' && message['error'] === undefined;
      const attention = message['type'] === 'event' && String(message['channel']).startsWith('attention/');
      return [
        ...faultsOf('envelope.schema', message),
        ...(message['type'] === 'event' ? faultsOf('event.message', message) : []),
        ...(attention ? faultsOf('attention.payload.schema', message['payload']) : []),
        ...(isSuccess && find(name) !== undefined ? faultsOf(name, message) : []),
      ];
    },
  };
}

const isRecord = (given: unknown): given is Message => typeof given === 'object' && given !== null;

const fileOf = (method: unknown): string => String(method).replaceAll('/', '.');

let made: ReturnType<typeof compile> | null = null;
const compiled = () => (made ??= compile());

function compile() {
  // Its `$schema` names no known dialect, and it uses keywords of later ones.
  const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true });
  formatsPlugin.default(ajv);
  const schemas = new Map(Object.entries(read('schemas.json')));
  for (const schema of schemas.values()) ajv.addSchema({ ...schema, $schema: undefined });
  function find(name: string): ValidateFunction | undefined {
    const file = [...schemas].find(([path]) => path.endsWith(`/${name}.json`));
    return file === undefined ? undefined : ajv.getSchema(String(file[1]['$id']));
  }
  function faultsOf(name: string, value: unknown): string[] {
    const validate = find(name);
    if (validate === undefined || validate(value) === true) return [];
    return [`${name}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 500)}`];
  }
  return { find, faultsOf };
}
