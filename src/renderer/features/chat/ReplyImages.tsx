/** Images about to be sent with a reply, and the button that adds one. */
import { useRef, type ReactNode } from 'react';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { pictureUrl } from '../requests/CardPicture.js';
import type { FromPage } from '../../../main/protocol/index.js';

interface Props {
  images: readonly ReplyImage[];
  onAdd(files: File[]): Promise<void>;
  onRemove(at: number): void;
}

export function ReplyImages({ images, onAdd, onRemove }: Props): ReactNode {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      {images.map((image, index) => (
        <button
          key={index}
          type="button"
          className="thumb-x"
          aria-label={t('page.chat.remove')}
          onClick={() => onRemove(index)}
        >
          <img src={pictureUrl(image)} alt={t('page.chat.image_alt', { index: index + 1 })} />
        </button>
      ))}
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          void onAdd(files);
        }}
      />
      <Button
        icon="image"
        variant="quiet sm icon"
        aria-label={t('page.chat.attach')}
        onClick={() => picker.current?.click()}
      />
    </>
  );
}

// Images a person adds to a reply: checked, and read as base64.

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
