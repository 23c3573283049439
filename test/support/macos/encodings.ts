/** Reads type encodings of the Objective-C compiler, reduced as C declarations are. */
import type { Signature } from './c-prototypes.js';

const KINDS: Readonly<Record<string, string>> = {
  v: 'void', c: 'byte', C: 'byte', B: 'byte', s: 'int16', i: 'int32', I: 'uint32', q: 'int64', Q: 'uint64', f: 'float', d: 'double',
  '@': 'pointer', ':': 'pointer', '#': 'pointer',
}; // prettier-ignore

/** A pointer to anything, a structure by its name, or a letter; then where it lies. */
const TYPE = /(\^)?r?(\{(\w+)(?:[^{}]|\{[^{}]*\})*\}|[^\d{}])\d+/g;

/** Without receiver and selector. */
export function encodedSignature(encoding: string): Signature {
  const [result = '', , , ...given] = [...encoding.matchAll(TYPE)].map(([, pointer, type = '', structure]) =>
    pointer === undefined ? (structure ?? KINDS[type] ?? `unknown: ${type}`) : 'pointer',
  );
  return { result, given };
}
