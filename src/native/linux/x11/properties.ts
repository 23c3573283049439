import type { XProperty } from 'x11';
import type { XConnection } from './connection.js';
import { decodeText } from '../encoded-text.js';

const ANY_TYPE = 0;
const WHOLE_PROPERTY = 0x1fffffff;
/** In units of four bytes. A program may give its window a title of megabytes. */
const MAX_TEXT_WORDS = 1024;

/** Property reads of other clients' windows: a missing window or property is null, never an error. */
export type Properties = ReturnType<typeof readProperties>;

export function readProperties(x: XConnection) {
  const read = async (window: number, name: string, maxWords: number): Promise<XProperty | null> => {
    const atom = await x.atom(name);
    const property = await x
      .query<XProperty>((reply) => x.client.GetProperty(0, window, atom, ANY_TYPE, 0, maxWords, reply))
      .catch(whenMissing);
    return property === null || property.type === 0 ? null : property;
  };
  const raw = (window: number, name: string): Promise<XProperty | null> => read(window, name, WHOLE_PROPERTY);
  return {
    raw,
    /** 32-bit values: cardinals, windows or atoms. */
    numbers: async (window: number, name: string): Promise<number[]> => words(await raw(window, name)),
    /** The first 4 KB of it. */
    text: async (window: number, name: string): Promise<string | null> => {
      const property = await read(window, name, MAX_TEXT_WORDS);
      if (property === null) return null;
      return decodeText(await x.atomName(property.type), property.data);
    },
  };
}

export function words(property: XProperty | null): number[] {
  if (property === null || property.format !== 32) return [];
  const values: number[] = [];
  for (let at = 0; at + 4 <= property.data.length; at += 4) values.push(property.data.readUInt32LE(at));
  return values;
}

/** For `catch`: null for the X errors of a window or drawable that is gone; other errors are thrown again. */
export function whenMissing(error: unknown): null {
  if (error instanceof Error && 'error' in error && typeof error.error === 'number') return null;
  throw error;
}
