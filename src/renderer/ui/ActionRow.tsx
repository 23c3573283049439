/** A row of a list: what it is about, one button, and more below. */
import type { ReactNode } from 'react';
import { Button } from './Button.js';
import { Icon, type IconName } from './Icon.js';
import { RevealedText } from './RevealedText.js';

interface Props {
  id: string;
  icon: IconName;
  name: string;
  action: string;
  disabled: boolean;
  onPress(): void;
  children?: ReactNode;
}

export function ActionRow({ id, icon, name, action, disabled, onPress, children }: Props): ReactNode {
  return (
    <li className="item" data-anchor>
      <Icon name={icon} />
      <span className="name" id={id}>
        <RevealedText text={name} />
      </span>
      <Button variant="sm" disabled={disabled} aria-describedby={id} onClick={onPress}>
        {action}
      </Button>
      {children}
    </li>
  );
}
