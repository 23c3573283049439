/** Images a person adds to a reply: checked, and read as base64. */
import { t } from '../../strings.js';
import type { FromPage } from '../../../main/protocol/index.js';

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
