/** Core Foundation strings that are used again and again (names of attributes and actions), made once. */
import type { Bound } from '../calls/bind.js';
import type { Ref } from '../calls/types.js';

export type ConstantTexts = ReturnType<typeof createConstantTexts>;

export function createConstantTexts({ coreFoundation: cf }: Pick<Bound, 'coreFoundation'>) {
  const made = new Map<string, Ref>();
  return {
    /** Lives until `close`. */
    of(text: string): Ref {
      const known = made.get(text);
      if (known !== undefined) return known;
      const ref = cf.CFStringCreateWithCharacters(null, Buffer.from(text, 'utf16le'), text.length);
      if (ref === null) throw new Error('out of memory');
      made.set(text, ref);
      return ref;
    },
    close(): void {
      for (const ref of made.values()) cf.CFRelease(ref);
      made.clear();
    },
  };
}
