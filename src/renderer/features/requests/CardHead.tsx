/** The first three lines of a card: who wants what, where, and the time left. */
import type { ReactNode } from 'react';
import { cardIcon, effectTone } from '../../ui/effects.js';
import { LONG_NAME } from '../../ui/marks.js';
import { LONG_AGENT } from '../../ui/plain.js';
import type { Card } from '../../state/state.js';
import { host, say, t } from '../../strings.js';
import type { Titled } from '../../words/host.js';
import { remembered } from './GrantChoices.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { Shown } from '../../ui/Shown.js';
import { TimeLeft } from './TimeLeft.js';

export function CardHead({ card, online }: { card: Card; online: boolean }): ReactNode {
  const { place } = card.subject;
  return (
    <div className="ask">
      <span className={`tile ${effectTone(card.effect)}`}>
        <Icon name={cardIcon(card)} />
      </span>
      <p className="who">
        <b>
          <Name text={card.agent.name} most={LONG_AGENT} />
        </b>{' '}
        {t('page.card.wants')}
      </p>
      <TimeLeft createdAt={card.createdAt} expiresAt={card.expiresAt} ticking={online} />
      <h3 id={`t-${card.id}`}>
        <Title subject={card.subject} tool={card.tool} />
      </h3>
      {coversOf(card).map((text) => (
        <p className="covers" key={text}>
          <Shown text={text} />
        </p>
      ))}
      {place === null ? null : (
        <p className="where">
          <Icon name={placeIcon(place)} />
          <span className="trunc">
            <Shown text={place} />
          </span>
        </p>
      )}
    </div>
  );
}

/** What an Allow gives beyond the title. */
function coversOf(card: Card): string[] {
  return [...(card.covers ?? []).map(say), ...remembered(card)];
}

/** As the language puts them: verb, quoted target, app. A long name is cut here and shown whole in the exact request. */
export function Title({ subject, tool, lower = false }: TitleProps): ReactNode {
  return host
    .title(subject, tool, lower)
    .map(({ kind, text }, index) => (kind === 'mark' ? text : <Name key={index} text={text} />));
}

interface TitleProps {
  subject: Titled;
  tool: string;
  lower?: boolean;
}

export function Name({ text, most = LONG_NAME }: { text: string; most?: number }): ReactNode {
  const letters = [...text];
  if (letters.length <= most) return <Shown text={text} />;
  return (
    <>
      <Shown text={letters.slice(0, most).join('')} />
      <span className="hid">{t('page.card.cut', { left: letters.length - most })}</span>
    </>
  );
}

function placeIcon(place: string): IconName {
  if (/^(~|\/|[A-Za-z]:\\)/.test(place)) return 'folder';
  return /^https?:/.test(place) ? 'link' : 'win';
}
