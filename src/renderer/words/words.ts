/** What a language must say: everything English does, in the same shape. */
import type { en } from './en.js';

/** The same keys and functions, any sentence. */
type Sentences<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [K in keyof T]: Sentences<T[K]> };

export type Words = Sentences<typeof en>;
