/** In the popover: a waiting request behind the first one, folded to one line. */
import type { ReactNode } from 'react';
import type { Card } from '../../../main/protocol/index.js';
import { countdown, useNow } from '../../ui/time.js';
import { effectIcon, effectTone } from '../../ui/effects.js';
import { AskerName, TitleText, wantsTo } from './CardHead.js';
import { Icon } from '../../ui/Icon.js';

export function FoldedRequest({ card, online, onOpen }: { card: Card; online: boolean; onOpen(): void }): ReactNode {
  const left = Date.parse(card.expiresAt) - useNow(online);
  return (
    <button type="button" className="fold" aria-expanded={false} data-part="exact" onClick={onOpen}>
      <Icon name={effectIcon(card)} tone={effectTone(card.effect)} />
      <span className="trunc" id={`t-${card.id}`}>
        <b>
          <AskerName agent={card.agent} />
        </b>{' '}
        {wantsTo(card.agent)} <TitleText subject={card.subject} lower />
      </span>
      <span className="end num dim">{countdown(left)}</span>
    </button>
  );
}
