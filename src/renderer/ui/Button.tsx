/** A button that is never `disabled`, so that it keeps the focus; a dead one is `aria-disabled` and does nothing. */
import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from './Icon.js';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  icon?: IconName;
  look?: string;
  dead?: boolean;
}

export function Button({ icon, look = '', dead = false, onClick, children, ...rest }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      className={`btn ${look}`.trim()}
      aria-disabled={dead || undefined}
      onClick={(event) => {
        if (dead) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}
