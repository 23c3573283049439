/** A disabled button is `aria-disabled` only, so that it keeps the focus; pressing it does nothing. */
import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from './Icon.js';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  icon?: IconName;
  variant?: string;
  disabled?: boolean;
}

export function Button({ icon, variant = '', disabled = false, onClick, children, ...rest }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      className={`btn ${variant}`.trim()}
      aria-disabled={disabled || undefined}
      onClick={(event) => {
        if (disabled) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

// Opens and closes what follows it.

export function FoldButton(props: { open: boolean; label: ReactNode; part?: string; onToggle(): void }): ReactNode {
  return (
    <button
      type="button"
      className="more"
      aria-expanded={props.open}
      data-part={props.part}
      data-fold-button
      onClick={props.onToggle}
    >
      <Icon name="right" />
      <span>{props.label}</span>
    </button>
  );
}
