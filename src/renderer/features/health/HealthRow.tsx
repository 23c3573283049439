/** One line of health: what it is, how it stands, and below it what to do. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/Icon.js';
import { Shown } from '../../ui/Shown.js';

export type Standing = 'good' | 'bad' | 'warn' | 'none';

const LOOKS: Record<Standing, { icon: IconName; tone: string }> = {
  good: { icon: 'ok', tone: 'ok' },
  bad: { icon: 'miss', tone: 'bad' },
  warn: { icon: 'alert', tone: 'wait' },
  none: { icon: 'minus', tone: '' },
};

interface Props {
  title: string;
  text?: string | null;
  standing: Standing;
  says: string;
  children?: ReactNode;
}

export function HealthRow({ title, text = null, standing, says, children = null }: Props): ReactNode {
  const { icon, tone } = LOOKS[standing];
  return (
    <li className="perm" data-anchor>
      <Icon name={icon} tone={`tone-${tone}`} />
      <span className="nm">
        <Shown text={title} />
      </span>
      <span className={`out ${tone}`}>{says}</span>
      {text === null ? null : (
        <p className="ds">
          <Shown text={text} />
        </p>
      )}
      {children}
    </li>
  );
}
