import { LRUCache } from 'lru-cache';
import type { Activity } from '../protocol/index.js';
import { thumbnailOfPng } from './imaging.js';
import type { Logger } from './logger.js';

const MAX_THUMBNAILS = 600;
/** Files a thumbnail is made of, in order of preference. */
export const THUMBNAIL_SOURCES = ['after.png', 'observe.png', 'before.png'] as const;

/** Thumbnails of the activity list, in memory only. */
export type Thumbnails = ReturnType<typeof createThumbnails>;

export function createThumbnails(log: Logger) {
  const kept = new LRUCache<string, NonNullable<Activity['thumbnail']>>({ max: MAX_THUMBNAILS });
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
