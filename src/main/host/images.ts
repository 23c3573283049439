import { randomUUID } from 'node:crypto';
import type { ImageInfo, Images } from '../tools/common.js';

const MOST = 64;
const MOST_BYTES = 96 * 1024 * 1024;

export interface ImageStore extends Images {
  /** Pictures given to this agent; no other is told of them. */
  list(owner: string): (ImageInfo & { bytes: Uint8Array })[];
}

/** The last pictures given to agents, so that points in them can be understood and GABP clients can read them. */
export function createImages(): ImageStore {
  const kept = new Map<string, ImageInfo & { bytes: Uint8Array; owner: string; marks: readonly string[] }>();
  let total = 0;

  function forgetOldest(): void {
    for (const [id, image] of kept) {
      if (kept.size <= MOST && total <= MOST_BYTES) return;
      kept.delete(id);
      total -= image.bytes.length;
    }
  }

  return {
    put(bytes, info, owner, marks = []) {
      const id = randomUUID().slice(0, 8);
      kept.set(id, { ...info, id, bytes, owner, marks });
      total += bytes.length;
      forgetOldest();
      return { ...info, id };
    },
    get: (id) => kept.get(id) ?? null,
    list: (owner) => [...kept.values()].filter((image) => image.owner === owner),
  };
}
