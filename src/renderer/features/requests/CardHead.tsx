/** The first three lines of a card: who wants what, where, and the time left. */
import type { ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { LONG_NAME, useFullAgentName } from '../../ui/agents.js';
import {
  askerKind,
  titleParts,
  type Subject,
  type TitleOptions,
  type Card,
  REQUEST_TIME,
} from '../../../main/protocol/index.js';
import { formatter, say, t } from '../../strings.js';
import { cardTone, effectIcon } from '../../ui/effects.js';
import { rememberedTexts } from './GrantChoices.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { countdown, useNow } from '../../ui/formats.js';

interface HeadProps {
  /** Of several that are shown as one: the one that ends first. */
  card: Card;
  online: boolean;
  onMoreTime(): void;
  children: ReactNode;
}

export function CardHead({ card, online, actions }: { card: Card; online: boolean; actions: Actions }): ReactNode {
  const { place } = card.subject;
  return (
    <AskHead card={card} online={online} onMoreTime={() => actions.send({ type: 'moreTime', id: card.id })}>
      <h3 id={`t-${card.id}`}>
        <TitleText subject={card.subject} />
      </h3>
      <Covers card={card} />
      {place === null ? null : <Place place={place} />}
    </AskHead>
  );
}

/** Who asks, and how long it waits; then what for. */
export function AskHead({ card, online, onMoreTime, children }: HeadProps): ReactNode {
  return (
    <div className="ask">
      <span className={`effect-icon ${cardTone(card)}`}>
        <Icon name={effectIcon(card)} />
      </span>
      <p className="who">
        <b>
          <AskerName agent={card.agent} />
        </b>{' '}
        {wantsTo(card.agent)}
      </p>
      <span className="time">
        <TimeLeft createdAt={card.createdAt} expiresAt={card.expiresAt} ticking={online} />
        <MoreTime card={card} online={online} onPress={onMoreTime} />
      </span>
      {children}
    </div>
  );
}

/** What an Allow grants beyond the title. */
export function Covers({ card }: { card: Card }): ReactNode {
  return [...(card.covers ?? []).map(say), ...rememberedTexts(card)].map((text) => (
    <p className="covers" key={text}>
      <RevealedText text={text} />
    </p>
  ));
}

export const Place = ({ place }: { place: string }): ReactNode => (
  <p className="where">
    <Icon name={placeIcon(place)} />
    <span className="trunc">
      <RevealedText text={place} />
    </span>
  </p>
);

/** What the card asks for, in the middle of a sentence: its title, or how many things there are to see. */
export const AskedFor = ({ card, count }: { card: Card; count: number }): ReactNode =>
  count === 1 ? <TitleText subject={card.subject} lower /> : t('page.card.together', { count });

export const AskerName = ({ agent }: Pick<Card, 'agent'>): ReactNode => <CutText text={useFullAgentName()(agent)} />;

export const wantsTo = (agent: Card['agent']): string => t('page.card.wants', { who: askerKind(agent) });

/** The title in the word order of the language. A long name is cut here and shown whole in the exact request. */
export function TitleText({ subject, ...use }: TitleProps): ReactNode {
  return titleParts(formatter, subject, use).map(({ kind, text }, index) =>
    kind === 'words' ? text : <CutText key={index} text={text} />,
  );
}

interface TitleProps extends TitleOptions {
  subject: Subject;
}

export function CutText({ text, most = LONG_NAME }: { text: string; most?: number }): ReactNode {
  const letters = [...text];
  if (letters.length <= most) return <RevealedText text={text} />;
  return (
    <>
      <RevealedText text={letters.slice(0, most).join('')} />
      <span className="hid">{t('page.card.cut', { left: letters.length - most })}</span>
    </>
  );
}

function placeIcon(place: string): IconName {
  if (/^(~|\/|[A-Za-z]:\\)/.test(place)) return 'folder';
  return /^https?:/.test(place) ? 'link' : 'window';
}

const LATE_MS = 30_000;

/** Ring and m:ss, which turns amber for the last half minute and never blinks; and a button that adds to it. */
export function TimeLeft(props: { createdAt: string; expiresAt: string; ticking: boolean }): ReactNode {
  const now = useNow(props.ticking);
  const end = Date.parse(props.expiresAt);
  const left = Math.max(0, end - now);
  const whole = Math.max(1, end - Date.parse(props.createdAt));
  const share = Math.min(100, Math.round((left / whole) * 100));
  return (
    <span className={left <= LATE_MS ? 'timer num late' : 'timer num'} title={t('page.card.left_title')}>
      <svg viewBox="0 0 14 14" aria-hidden="true">
        <circle className="bg" cx="7" cy="7" r="5.5" />
        {share > 0 ? (
          <circle className="fg" cx="7" cy="7" r="5.5" pathLength="100" strokeDasharray={`${share} 100`} />
        ) : null}
      </svg>
      <span className="l">{t('page.card.left', { time: countdown(left) })}</span>
      <span className="s">{countdown(left)}</span>
    </span>
  );
}

const MORE_MINUTES = REQUEST_TIME.moreMs / 60_000;

/** Keeps its place once the request has all the time that there is. */
function MoreTime({ card, online, onPress }: { card: Card; online: boolean; onPress(): void }): ReactNode {
  const now = useNow(online);
  const end = Date.parse(card.expiresAt);
  const full = end >= Date.parse(card.createdAt) + REQUEST_TIME.longestMs;
  const useless = full || !online || now >= end;
  return (
    <button
      type="button"
      className="more-time"
      data-part="more-time"
      title={t('page.card.more_time_title', { minutes: MORE_MINUTES })}
      aria-describedby={`t-${card.id}`}
      aria-disabled={useless || undefined}
      onClick={() => useless || onPress()}
    >
      {t('page.card.more_time')}
    </button>
  );
}
