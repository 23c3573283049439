import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { infoOf, type Images, type KeptImage } from '../tools/images.js';

/** Path of the pictures that an agent was given. */
const IMAGES = 'images/';
const MAX_IMAGES = 64;
const MAX_TOTAL_BYTES = 24 * 1024 * 1024;

export interface ImageStore extends Images {
  /** Pictures given to this agent only. */
  list(owner: string): KeptImage[];
}

/** The latest pictures given to agents, to resolve points in them and for GABP clients to read. */
export function createImages(): ImageStore {
  const kept = new LRUCache<string, { image: KeptImage; owner: string }>({
    max: MAX_IMAGES,
    maxSize: MAX_TOTAL_BYTES,
    sizeCalculation: ({ image }) => Math.max(1, image.bytes.length),
  });

  return {
    put(given, owner) {
      const id = randomUUID().slice(0, 8);
      const image = { ...given, id };
      kept.set(id, { image, owner });
      return infoOf(image);
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

/** As {@link Resources} lists them. */
export const resourcesOf = (images: ImageStore, owner: string) =>
  images.list(owner).map(({ id, mimeType, width, height, bytes }) => ({
    path: `${IMAGES}${id}`,
    name: `${width}×${height} ${mimeType}`,
    mimeType,
    size: bytes.length,
  }));

export function readImage(images: ImageStore, owner: string, path: string) {
  const image = path.startsWith(IMAGES) ? images.get(path.slice(IMAGES.length), owner) : null;
  if (image === null) return null;
  return { mimeType: image.mimeType, base64: Buffer.from(image.bytes).toString('base64') };
}
