/** What counts as pressing a decision button: a press that began and ended on it while it was alive and decided the same thing. */
import { useRef, type KeyboardEvent, type MouseEvent } from 'react';
import type { Arming } from './armed.js';

export interface PressProps {
  onPointerDown(): void;
  onKeyDown(event: KeyboardEvent): void;
  onClick(event: MouseEvent): void;
}

/** Space presses on release; Enter does nothing; scripted clicks do nothing unless `scripted` (the D key denies through one). */
export function usePress(
  about: string,
  arming: Arming,
  onPress: () => void,
  { scripted = false, onBegin }: { scripted?: boolean; onBegin?(): void } = {},
): PressProps {
  const begun = useRef<string | null>(null);
  const begin = () => {
    const alive = arming.stillArmed();
    begun.current = alive ? about : '';
    if (alive) onBegin?.();
  };
  return {
    onPointerDown: begin,
    onKeyDown: (event) => {
      if (event.key === 'Enter') event.preventDefault();
      if (event.key === ' ' && !event.repeat) begin();
    },
    onClick: (event) => {
      const from = begun.current;
      begun.current = null;
      if (!event.isTrusted && !scripted) return;
      if ((from !== null && from !== about) || !arming.stillArmed()) return;
      // An assistive program's press has no beginning of its own.
      if (from === null) onBegin?.();
      onPress();
    },
  };
}
