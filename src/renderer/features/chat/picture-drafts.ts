/** Images added to replies and not sent yet, kept in this browser across reloads. */
import { useCallback, useSyncExternalStore } from 'react';
import { createEmitter } from '../../../base/emitter.js';
import { openDatabase } from '../../net/database.js';
import { imageKind, type ReplyImage } from './images.js';

export type PictureDrafts = ReturnType<typeof createPictureDrafts>;

const NONE: readonly ReplyImage[] = [];

/** Storage may be full or forbidden; then they only live as long as the page. */
export function createPictureDrafts() {
  const database = openDatabase('chaperone-drafts', 'pictures');
  const drafts = new Map<string, readonly ReplyImage[]>();
  const changes = createEmitter<void>();
  /** What was kept or forgotten before the stored ones had been read. */
  const touched = new Set<string>();
  let stored: Promise<unknown> = read().catch(() => undefined);

  /** Writes run one after the other, so that the last one wins. */
  const write = (work: (store: IDBObjectStore) => IDBRequest) => {
    stored = stored.then(() => database.use('readwrite', work)).catch(() => undefined);
  };
  const forget = (id: string) => {
    touched.add(id);
    drafts.delete(id);
    write((store) => store.delete(id));
  };

  async function read(): Promise<void> {
    const ids = await database.use('readonly', (store) => store.getAllKeys());
    for (const id of ids) {
      const images = imagesIn(await database.use('readonly', (store): IDBRequest<unknown> => store.get(id)));
      if (typeof id === 'string' && !touched.has(id) && images.length > 0) drafts.set(id, images);
    }
    changes.emit();
  }

  return {
    of: (id: string): readonly ReplyImage[] => drafts.get(id) ?? NONE,
    keep(id: string, images: readonly ReplyImage[]): void {
      touched.add(id);
      if (images.length === 0) forget(id);
      else {
        drafts.set(id, images);
        write((store) => store.put(images, id));
      }
      changes.emit();
    },
    /** Forgets those of what no longer waits. */
    prune(pending: readonly string[]): void {
      void stored.then(() => {
        for (const id of drafts.keys()) if (!pending.includes(id)) forget(id);
      });
    },
    subscribe: changes.on,
  };
}

export function usePictureDraft(
  drafts: PictureDrafts,
  id: string,
): [readonly ReplyImage[], (images: readonly ReplyImage[]) => void] {
  const images = useSyncExternalStore(drafts.subscribe, () => drafts.of(id));
  return [images, useCallback((next) => drafts.keep(id, next), [drafts, id])];
}

function imagesIn(value: unknown): ReplyImage[] {
  return Array.isArray(value) ? value.flatMap(imageIn) : [];
}

function imageIn(value: unknown): ReplyImage[] {
  if (typeof value !== 'object' || value === null) return [];
  const kind = 'mimeType' in value && typeof value.mimeType === 'string' ? imageKind(value.mimeType) : null;
  const base64 = 'base64' in value && typeof value.base64 === 'string' ? value.base64 : null;
  return kind === null || base64 === null ? [] : [{ mimeType: kind, base64 }];
}
