import { LRUCache } from 'lru-cache';
import type { Activity } from '../protocol/index.js';
import { thumbnailOfPng } from './encode.js';
import type { Log } from './log.js';

const KEPT_THUMBNAILS = 600;

/** The pictures of the list, in memory only, the oldest given up first. */
export type Thumbnails = ReturnType<typeof createThumbnails>;

export function createThumbnails(log: Log) {
  const kept = new LRUCache<string, NonNullable<Activity['thumbnail']>>({ max: KEPT_THUMBNAILS });
  return {
    get: (executionId: string) => kept.get(executionId) ?? null,
    async make(executionId: string, png: Uint8Array): Promise<Activity['thumbnail']> {
      try {
        const picture = await thumbnailOfPng(png);
        kept.set(executionId, picture);
        return picture;
      } catch (error) {
        log.warn({ executionId, reason: String(error) }, 'no thumbnail could be made');
        return null;
      }
    },
  };
}
