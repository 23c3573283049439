/** One word for what is going on. When something waits it is a link to the oldest. */
import type { MouseEvent, ReactNode } from 'react';
import { scrollToWaiting, WAITING_HREF } from '../features/requests/scroll-to-waiting.js';
import { chipState, waitingCount, type ChipState } from '../state/select.js';
import type { PageState } from '../state/state.js';
import { waitingFor } from '../state/waiting.js';
import { t } from '../strings.js';
import { Icon, type IconName } from './Icon.js';

const STATE_ICONS: Record<ChipState, { icon: IconName; tone: string }> = {
  connecting: { icon: 'refresh', tone: '' },
  watching: { icon: 'eye', tone: '' },
  acting: { icon: 'click', tone: 'c-act' },
  waiting: { icon: 'hand', tone: 'c-wait' },
  paused: { icon: 'pause', tone: '' },
  held: { icon: 'hand', tone: '' },
  chat_only: { icon: 'lock', tone: '' },
  lost: { icon: 'unplug', tone: 'c-danger' },
};

/** Not announced to screen readers: these change with every action, or the announcer says them already. */
const NOT_ANNOUNCED: ReadonlySet<ChipState> = new Set(['watching', 'acting', 'waiting']);

export function Chip({ state }: { state: PageState }): ReactNode {
  const now = chipState(state);
  const { icon, tone } = STATE_ICONS[now];
  const showOldest = (event: MouseEvent) => {
    const [oldest] = waitingFor(state);
    if (oldest !== undefined && scrollToWaiting(oldest, true)) event.preventDefault();
  };
  return (
    <span role="status" aria-live={NOT_ANNOUNCED.has(now) ? 'off' : 'polite'} className="chip-slot">
      {now === 'waiting' ? (
        <a className={`chip ${tone}`} href={WAITING_HREF} onClick={showOldest}>
          <Icon name={icon} />
          <WaitingCount count={waitingCount(state)} />
        </a>
      ) : (
        <span className={`chip ${tone}`}>
          <Icon name={icon} />
          <span>{t(`page.chip.${now}`)}</span>
        </span>
      )}
    </span>
  );
}

function WaitingCount({ count }: { count: number }): ReactNode {
  return (
    <span className="num">
      {t('page.chip.waiting')}
      <span className="lg">{t('page.chip.waiting_more')}</span> {count}
    </span>
  );
}
