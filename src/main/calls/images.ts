import { randomUUID } from 'node:crypto';
import type { Images, KeptImage } from '../tools/common.js';

const MOST = 64;
const MOST_BYTES = 96 * 1024 * 1024;

export interface ImageStore extends Images {
  /** Pictures given to this agent; no other is told of them. */
  list(owner: string): KeptImage[];
}

/** The last pictures given to agents, so that points in them can be understood and GABP clients can read them. */
export function createImages(): ImageStore {
  const kept = new Map<string, { image: KeptImage; owner: string }>();
  let total = 0;

  function forgetOldest(): void {
    for (const [id, { image }] of kept) {
      if (kept.size <= MOST && total <= MOST_BYTES) return;
      kept.delete(id);
      total -= image.bytes.length;
    }
  }

  return {
    put(given, owner) {
      const id = randomUUID().slice(0, 8);
      const image = { ...given, id };
      kept.set(id, { image, owner });
      total += image.bytes.length;
      forgetOldest();
      const { bytes: _bytes, native: _native, marks: _marks, ...info } = image;
      return info;
    },
    get(id, owner) {
      const found = kept.get(id);
      return found?.owner === owner ? found.image : null;
    },
    list: (owner) => [...kept.values()].filter((one) => one.owner === owner).map(({ image }) => image),
  };
}
