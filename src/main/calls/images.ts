import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Images, KeptImage } from '../tools/common.js';

const MOST = 64;
const MOST_BYTES = 96 * 1024 * 1024;

export interface ImageStore extends Images {
  /** Pictures given to this agent; no other is told of them. */
  list(owner: string): KeptImage[];
}

/** The last pictures given to agents, so that points in them can be understood and GABP clients can read them. */
export function createImages(): ImageStore {
  const kept = new LRUCache<string, { image: KeptImage; owner: string }>({
    max: MOST,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ image }) => Math.max(1, image.bytes.length),
  });

  return {
    put(given, owner) {
      const id = randomUUID().slice(0, 8);
      const image = { ...given, id };
      kept.set(id, { image, owner });
      const { bytes: _bytes, native: _native, marks: _marks, ...info } = image;
      return info;
    },
    get(id, owner) {
      const found = kept.peek(id);
      return found?.owner === owner ? found.image : null;
    },
    list: (owner) =>
      [...kept.values()]
        .reverse()
        .filter((one) => one.owner === owner)
        .map(({ image }) => image),
  };
}
