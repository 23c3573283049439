/** Pinned on every view while something that waits for the person is out of sight: who wants what, and the way there. */
import { useEffect, type MouseEvent, type ReactNode } from 'react';
import { scrollToWaiting, WAITING_HREF, useOutOfView } from './out-of-view.js';
import { MAX_AGENT_NAME_LENGTH } from '../../../main/protocol/index.js';
import { useRootAttribute } from '../../ui/window-events.js';
import type { Waiting } from '../../state/select.js';
import { useAgentName } from '../../ui/agents.js';
import { t } from '../../strings.js';
import { cardTone, effectIcon } from '../../ui/effects.js';
import { AskedFor, AskerName, CutText, wantsTo } from './CardHead.js';
import { Icon } from '../../ui/Icon.js';

export function WaitingStrip({ items }: { items: readonly Waiting[] }): ReactNode {
  const hidden = useOutOfView(items);
  const isInView = (item: Waiting) => !hidden.some((one) => one.item.id === item.id && !one.partly);
  // The buttons of a request in view are at the lower edge. The heading above it counts what follows.
  const hasRoomBelow = !items.some((item) => item.kind === 'request' && isInView(item));
  const first = hidden.find(({ item, above }) => items.some(({ id }) => id === item.id) && (above || hasRoomBelow));
  useRootAttribute('lowStrip', first?.above === false);
  if (first === undefined) return null;
  const { item: oldest, above } = first;
  const go = (event: MouseEvent) => {
    if (scrollToWaiting(oldest, true)) event.preventDefault();
  };
  return (
    <nav aria-label={t('page.needs.heading')}>
      <a className={above ? 'strip' : 'strip low'} href={WAITING_HREF} onClick={go}>
        {oldest.kind === 'request' ? (
          <Icon name={effectIcon(oldest.slot.card)} tone={cardTone(oldest.slot.card)} />
        ) : (
          <Icon name="question" />
        )}
        <span className="trunc">
          <WaitingText item={oldest} />
        </span>
        {hidden.length > 1 ? (
          <span className="num dim">{t('page.needs.more', { count: hidden.length - 1 })}</span>
        ) : null}
        <span className="go">{t('page.needs.show')}</span>
      </a>
    </nav>
  );
}

function WaitingText({ item }: { item: Waiting }): ReactNode {
  const nameOf = useAgentName();
  if (item.kind === 'question')
    return (
      <CutText text={t('page.chat.asked', { agent: nameOf(item.message.agent) })} most={MAX_AGENT_NAME_LENGTH * 2} />
    );
  const { card } = item.slot;
  return (
    <>
      <b>
        <AskerName agent={card.agent} />
      </b>{' '}
      {wantsTo(card.agent)} <AskedFor card={card} count={item.count} />
    </>
  );
}

/** Follows the link of the strip or the chip from another view, once the home page shows what it leads to. */
export function useWaitingLink(items: readonly Waiting[]): void {
  useEffect(() => {
    const arrive = () => {
      if (location.hash !== WAITING_HREF) return;
      const [oldest] = items;
      if (oldest !== undefined) requestAnimationFrame(() => scrollToWaiting(oldest, true));
    };
    window.addEventListener('hashchange', arrive);
    return () => window.removeEventListener('hashchange', arrive);
  }, [items]);
}
