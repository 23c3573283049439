/** Rows of lists: what each is about, one button, and more below. */
import type { ReactNode } from 'react';
import { Button } from './Button.js';
import { Icon, type IconName } from './Icon.js';
import { RevealedText } from './RevealedText.js';
import type { Card } from '../../main/protocol/index.js';

interface ActionRowProps {
  id: string;
  icon: IconName;
  name: string;
  action: string;
  disabled: boolean;
  onPress(): void;
  children?: ReactNode;
}

export function ActionRow({ id, icon, name, action, disabled, onPress, children }: ActionRowProps): ReactNode {
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

// Arguments as sent; anything but a string as one line of JSON.

export function argumentRows(given: Card['arguments']): [name: string, value: string][] {
  const plain = typeof given === 'object' && given !== null && !Array.isArray(given);
  const args = plain ? Object.entries(given) : ([['arguments', given]] as const);
  return args.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}

export function ArgumentRows({ given }: { given: Card['arguments'] }): ReactNode {
  return argumentRows(given).map(([name, value], index) => <ArgumentRow key={index} name={name} value={value} />);
}

/** Unlike a `FactRow`, also for an empty value, and with a name that an agent controls. */
export function ArgumentRow({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <>
      <dt>
        <RevealedText text={name} />
      </dt>
      <dd>
        <RevealedText text={value} />
      </dd>
    </>
  );
}

// A row of a `dl`; without a value there is none.

interface FactRowProps {
  name: string;
  /** A value with something of an agent's in it. */
  text?: string | null | undefined;
  /** Any other value. */
  children?: ReactNode;
  variant?: 'mono' | 'num';
}

export function FactRow({ name, text = null, children = null, variant }: FactRowProps): ReactNode {
  const value = text === null || text === '' ? children : <RevealedText text={text} />;
  if (value === null || value === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className={variant}>{value}</dd>
    </>
  );
}
