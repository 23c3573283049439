/** Images about to be sent with a reply, and the button that adds one. */
import { useRef, type ReactNode } from 'react';
import type { ReplyImage } from './images.js';
import { t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { pictureUrl } from '../requests/CardPicture.js';

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
