/** A row of the health view: title, status, and below it what to do. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';

export type HealthLevel = 'good' | 'bad' | 'warn' | 'none';

const LEVEL_ICONS: Record<HealthLevel, { icon: IconName; tone: string }> = {
  good: { icon: 'success', tone: 'ok' },
  bad: { icon: 'failure', tone: 'bad' },
  warn: { icon: 'alert', tone: 'wait' },
  none: { icon: 'minus', tone: '' },
};

interface Props {
  title: string;
  text?: string | null;
  level: HealthLevel;
  status: string;
  children?: ReactNode;
}

export function HealthRow({ title, text = null, level, status, children = null }: Props): ReactNode {
  const { icon, tone } = LEVEL_ICONS[level];
  return (
    <li className="item" data-anchor>
      <Icon name={icon} tone={`tone-${tone}`} />
      <span className="name">
        <RevealedText text={title} />
      </span>
      <span className={`out ${tone}`}>{status}</span>
      {text === null ? null : (
        <p className="detail">
          <RevealedText text={text} />
        </p>
      )}
      {children}
    </li>
  );
}
