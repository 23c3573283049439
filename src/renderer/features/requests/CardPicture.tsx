/** The host's picture of the target, with a ring around it and the rest dimmed. */
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { toPlainText, type Card } from '../../../main/protocol/index.js';
import { t } from '../../strings.js';
import { Icon } from '../../ui/Icon.js';
import { useHash } from '../../app/route.js';

type Picture = NonNullable<Card['picture']>;

/** Space between target and ring, and corner radius, as shares of the picture's width. */
const GAP = 0.006;
const CORNER = 0.012;

/** The card's picture, as a link to the full one. */
export function FullPictureLink({ picture, card }: { picture: Picture; card: Card }): ReactNode {
  return (
    <a
      className="full-picture-link"
      id={fullPictureLinkId(card.id)}
      href={fullPictureHref(card.id)}
      title={t('page.full_picture.open')}
    >
      <CardPicture picture={picture} card={card} />
      <span className={isInCorner(picture) ? 'full-picture-icon start' : 'full-picture-icon'}>
        <Icon name="grow" />
        <span className="vh">{t('page.full_picture.open')}</span>
      </span>
    </a>
  );
}

/** True when the target is in the lower right corner; the icon then moves to the left, so that it does not cover it. */
function isInCorner({ target, width, height }: Picture): boolean {
  return target !== null && target.x + target.width > width * 0.85 && target.y + target.height > height * 0.6;
}

export function CardPicture({ picture, card }: { picture: Picture; card: Card }): ReactNode {
  const where = toPlainText(card.subject.app ?? card.window ?? t('page.card.screen'));
  const alt = picture.target === null ? t('page.card.picture_without', { where }) : t('page.card.picture', { where });
  return (
    <figure className="crop">
      <img src={pictureUrl(picture)} width={picture.width} height={picture.height} alt={alt} draggable={false} />
      {picture.target === null ? null : <Ring picture={picture} target={picture.target} />}
    </figure>
  );
}

export function pictureUrl(picture: { mimeType: `image/${string}`; base64: string }): string {
  return `data:${picture.mimeType};base64,${picture.base64}`;
}

export function Ring({ picture, target }: { picture: Picture; target: NonNullable<Picture['target']> }): ReactNode {
  const { width, height } = picture;
  const gap = width * GAP;
  const box = {
    x: target.x - gap,
    y: target.y - gap,
    width: target.width + 2 * gap,
    height: target.height + 2 * gap,
    rx: width * CORNER,
  };
  const hole = `M${box.x} ${box.y}h${box.width}v${box.height}h${-box.width}z`;
  return (
    <svg className="ring" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className="dim" fillRule="evenodd" d={`M0 0H${width}V${height}H0z${hole}`} />
      <rect className="halo" {...box} />
      <rect className="line" {...box} />
    </svg>
  );
}

const ROUTE = /^#\/full-picture\/([0-9a-f-]{36})$/;

/** The card whose full picture is shown. Part of the address, so that Back and a reload work; it belongs to the home view. */
function fullPictureHref(cardId: string): string {
  return `#/full-picture/${cardId}`;
}

/** Id of the link that opens it and gets the focus back afterwards. */
function fullPictureLinkId(cardId: string): string {
  return `full-picture-${cardId}`;
}

export function useFullPictureRoute(): string | null {
  return ROUTE.exec(useHash())?.[1] ?? null;
}

/** Opens at the top with the focus on the link back; closing restores scroll position and focus. */
export function useFullPictureScroll(cardId: string | null): void {
  const top = useRef(0);
  const last = useRef<string | null>(null);
  useEffect(() => {
    const keepTop = () => {
      if (last.current === null) top.current = window.scrollY;
    };
    window.addEventListener('scroll', keepTop, { passive: true });
    // The event of the last scrolling may come only once the picture is open.
    window.addEventListener('click', keepTop, { capture: true });
    return () => {
      window.removeEventListener('scroll', keepTop);
      window.removeEventListener('click', keepTop, { capture: true });
    };
  }, []);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = cardId;
    if (cardId !== null && before === null) {
      window.scrollTo({ top: 0, behavior: 'instant' });
      document.getElementById('full-picture-back')?.focus({ preventScroll: true });
    }
    if (cardId !== null || before === null) return;
    window.scrollTo({ top: top.current, behavior: 'instant' });
    const card = document.getElementById(fullPictureLinkId(before)) ?? document.getElementById('needs');
    card?.focus({ preventScroll: true });
  }, [cardId]);
}
