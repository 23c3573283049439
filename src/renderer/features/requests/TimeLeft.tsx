/** Ring and m:ss. Turns amber for the last half minute and never blinks. */
import type { ReactNode } from 'react';
import { countdown, useNow } from '../../ui/time.js';
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
