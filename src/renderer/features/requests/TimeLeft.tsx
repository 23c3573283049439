/** Ring and m:ss, which turns amber for the last half minute and never blinks; and a button that adds to it. */
import type { ReactNode } from 'react';
import { countdown, useNow } from '../../ui/time.js';
import { REQUEST_TIME, type Card } from '../../../main/protocol/index.js';
import { t } from '../../strings.js';

const LATE_MS = 30_000;

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
export function MoreTime({ card, online, onPress }: { card: Card; online: boolean; onPress(): void }): ReactNode {
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
