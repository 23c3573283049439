/** In the popover: a waiting request behind the first one, folded to one line. */
import type { ReactNode } from 'react';
import { MAX_AGENT_NAME_LENGTH, type Card } from '../../../main/protocol/index.js';
import { countdown, useNow } from '../../ui/time.js';
import { t } from '../../strings.js';
import { effectIcon, effectTone } from '../../ui/effects.js';
import { CutText, TitleText } from './CardHead.js';
import { Icon } from '../../ui/Icon.js';

export function FoldedRequest({ card, online, onOpen }: { card: Card; online: boolean; onOpen(): void }): ReactNode {
  const left = Date.parse(card.expiresAt) - useNow(online);
  return (
    <button type="button" className="fold" aria-expanded={false} data-part="exact" onClick={onOpen}>
      <Icon name={effectIcon(card)} tone={effectTone(card.effect)} />
      <span className="trunc" id={`t-${card.id}`}>
        <b>
          <CutText text={card.agent.name} most={MAX_AGENT_NAME_LENGTH} />
        </b>{' '}
        {t('page.card.wants')} <TitleText subject={card.subject} lower />
      </span>
      <span className="end num dim">{countdown(left)}</span>
    </button>
  );
}
