/** Opens and closes what follows it. */
import type { ReactNode } from 'react';
import { Icon } from './Icon.js';

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
