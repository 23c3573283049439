/** The first three lines of a card: who wants what, where, and the time left. */
import type { ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { LONG_NAME } from '../../ui/agents.js';
import {
  askerKind,
  askerName,
  titleParts,
  type Subject,
  type TitleOptions,
  type Card,
} from '../../../main/protocol/index.js';
import { formatter, say, t } from '../../strings.js';
import { cardTone, effectIcon } from '../../ui/effects.js';
import { rememberedTexts } from './GrantChoices.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { MoreTime, TimeLeft } from './TimeLeft.js';

export function CardHead({ card, online, actions }: { card: Card; online: boolean; actions: Actions }): ReactNode {
  const { place } = card.subject;
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
        <MoreTime card={card} online={online} onPress={() => actions.send({ type: 'moreTime', id: card.id })} />
      </span>
      <h3 id={`t-${card.id}`}>
        <TitleText subject={card.subject} />
      </h3>
      {coversOf(card).map((text) => (
        <p className="covers" key={text}>
          <RevealedText text={text} />
        </p>
      ))}
      {place === null ? null : (
        <p className="where">
          <Icon name={placeIcon(place)} />
          <span className="trunc">
            <RevealedText text={place} />
          </span>
        </p>
      )}
    </div>
  );
}

/** What an Allow grants beyond the title. */
function coversOf(card: Card): string[] {
  return [...(card.covers ?? []).map(say), ...rememberedTexts(card)];
}

export const AskerName = ({ agent }: Pick<Card, 'agent'>): ReactNode => <CutText text={askerName(formatter, agent)} />;

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
