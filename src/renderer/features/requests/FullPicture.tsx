/** The full picture of a request, as large as the window. Nothing is decided here; the request's time runs on. */
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react';
import type { Actions } from '../../app/actions.js';
import { useRootAttribute } from '../../ui/window-events.js';
import { hrefOf } from '../../app/route.js';
import type { Slot } from '../../state/state.js';
import { t } from '../../strings.js';
import { AskerName, TitleText, wantsTo, TimeLeft } from './CardHead.js';
import { Button } from '../../ui/Button.js';
import { CardPicture } from './CardPicture.js';
import { Icon } from '../../ui/Icon.js';
import { AnsweredRequest } from './RequestList.js';
import type { Picture, Card } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import { useLoaded } from '../../ui/loaded.js';

// Loads the full picture of a card; the card itself contains only a part of it.

interface LoadedPicture {
  /** null while it is loading, or when the host has none. */
  picture: Picture | null;
  state: 'asking' | 'shown' | 'part';
}

/** The host keeps no picture of a decided card, so the last one loaded stays. */
function useFullPicture(ask: Ask, { id, digest }: Card, wanted: boolean): LoadedPicture {
  const load = async (): Promise<Picture | null> => {
    const answer = await ask('cardPicture', { id });
    return answer.digest === digest ? answer.picture : null;
  };
  const loaded = useLoaded(wanted ? load : null, `${id} ${digest}`);
  if (loaded.state === 'done' && loaded.value !== null) return { picture: loaded.value, state: 'shown' };
  return { picture: null, state: wanted && loaded.state === 'loading' ? 'asking' : 'part' };
}

const HOME = hrefOf({ view: 'home' });

interface Props {
  slot: Slot | undefined;
  online: boolean;
  actions: Actions;
}

export function FullPicture({ slot, online, actions }: Props): ReactNode {
  useEscape();
  useRootAttribute('fullPicture', true);
  return (
    <section className="full-picture" aria-labelledby="h-full-picture">
      <a className="back" id="full-picture-back" href={HOME}>
        <Icon name="left" />
        {t('page.full_picture.back')}
      </a>
      {slot === undefined ? (
        <h2 id="h-full-picture" className="t17">
          {t('page.full_picture.gone')}
        </h2>
      ) : (
        <RequestPicture slot={slot} online={online} actions={actions} />
      )}
    </section>
  );
}

function RequestPicture({ slot, online, actions }: Props & { slot: Slot }): ReactNode {
  const { card, settled, changed } = slot;
  const [large, setLarge] = useState(false);
  const whole = useFullPicture(actions.ask, card, online && settled === null);
  const picture = whole.picture ?? card.picture;
  const frame = useTargetInView(picture, large);
  return (
    <>
      <div className="full-picture-h">
        <RequestTitle card={card} />
        {settled === null ? <TimeLeft createdAt={card.createdAt} expiresAt={card.expiresAt} ticking={online} /> : null}
        {picture === null ? null : <LargerButton large={large} onChange={setLarge} />}
      </div>
      {changed && settled === null ? <p className="note wait">{t('page.card.changed')}</p> : null}
      {settled === null ? null : <AnsweredRequest card={card} settled={settled} titleId={`l-${card.id}`} />}
      {picture === null ? (
        <p className="mut">{t('page.full_picture.none')}</p>
      ) : (
        <div
          className={large ? 'full-picture-frame large' : 'full-picture-frame'}
          ref={frame}
          style={ratioOf(picture)}
          tabIndex={large ? 0 : undefined}
          role="group"
          aria-label={large ? t('page.full_picture.scroll') : undefined}
        >
          <CardPicture picture={picture} card={card} />
        </div>
      )}
      <p className="small mut" role="status">
        {picture === null || whole.state === 'shown' ? '' : t(`page.full_picture.${whole.state}`)}
      </p>
    </>
  );
}

function RequestTitle({ card }: { card: Slot['card'] }): ReactNode {
  return (
    <h2 id="h-full-picture" className="t17">
      <AskerName agent={card.agent} /> {wantsTo(card.agent)}: <TitleText subject={card.subject} lower />
    </h2>
  );
}

function LargerButton({ large, onChange }: { large: boolean; onChange(large: boolean): void }): ReactNode {
  return (
    <Button variant="sm" aria-pressed={large} onClick={() => onChange(!large)}>
      {t('page.full_picture.larger')}
    </Button>
  );
}

function ratioOf({ width, height }: { width: number; height: number }): CSSProperties & { '--ratio': number } {
  return { '--ratio': width / height };
}

/** Scrolls an enlarged picture to the target of the request. */
function useTargetInView(picture: Slot['card']['picture'], large: boolean): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const target = picture?.target ?? null;
    const box = frame.current;
    if (!large || box === null || picture === null || target === null) return;
    box.scrollLeft = ((target.x + target.width / 2) / picture.width) * box.scrollWidth - box.clientWidth / 2;
    box.scrollTop = ((target.y + target.height / 2) / picture.height) * box.scrollHeight - box.clientHeight / 2;
  }, [picture, large]);
  return frame;
}

function useEscape(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) location.hash = HOME;
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
