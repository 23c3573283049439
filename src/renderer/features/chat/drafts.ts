/** Drafts of replies and of messages with a denial, kept in this browser across reloads. */
import { useCallback, useState, useSyncExternalStore } from 'react';
import { readStored, storedNames, writeStored } from '../../ui/browser-storage.js';
import { createEmitter } from '../../../base/emitter.js';
import { openDatabase } from '../../net/database.js';
import { t } from '../../strings.js';
import type { FromPage } from '../../../main/protocol/index.js';

/** Each has names of its own, so that one is never taken for the other. */
const PREFIXES = { reply: 'draft.', denial: 'denial.' } as const;
type DraftOf = keyof typeof PREFIXES;

/** `id`: of the question or request that it belongs to. */
export function useDraft(of: DraftOf, id: string): [string, (text: string) => void] {
  const name = PREFIXES[of] + id;
  const [text, setText] = useState(() => readStored(name) ?? '');
  const keep = useCallback(
    (next: string) => {
      setText(next);
      writeStored(name, next === '' ? null : next);
    },
    [name],
  );
  return [text, keep];
}

/** Deletes the drafts of what no longer waits. */
export function pruneDrafts(of: DraftOf, pending: string[]): void {
  const prefix = PREFIXES[of];
  for (const name of storedNames(prefix)) if (!pending.includes(name.slice(prefix.length))) writeStored(name, null);
}

/** Images added to replies and not sent yet, kept in this browser across reloads. */
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

/** Images a person adds to a reply: checked, and read as base64. */
export type ReplyImage = NonNullable<Extract<FromPage, { type: 'ack' }>['images']>[number];

const MAX_IMAGE_BYTES = 3_000_000;
const MAX_IMAGES = 4;
const KINDS = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

type AddImagesResult = { images: ReplyImage[] } | { problem: string };

export async function addImages(present: readonly ReplyImage[], files: File[]): Promise<AddImagesResult> {
  if (present.length + files.length > MAX_IMAGES) return { problem: t('page.chat.image_many') };
  const added: ReplyImage[] = [];
  for (const file of files) {
    const mimeType = imageKind(file.type);
    if (mimeType === null) return { problem: t('page.chat.image_kind') };
    if (file.size > MAX_IMAGE_BYTES) return { problem: t('page.chat.image_too_big') };
    added.push({ mimeType, base64: await toBase64(file) });
  }
  return { images: [...present, ...added] };
}

export function imageKind(type: string): ReplyImage['mimeType'] | null {
  return KINDS.find((kind) => kind === type) ?? null;
}

function toBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The image could not be read.'));
    reader.readAsDataURL(file);
  });
}
