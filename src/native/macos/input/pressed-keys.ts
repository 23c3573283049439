import type { KeyEvent } from './events.js';
import { MODIFIER_FLAGS } from './key-codes.js';

/** How often each key is held: a character that needs Shift must not let go of a Shift that is held anyway. */
export interface PressedKeys {
  /** No event where it is down already, unless that is in doubt. */
  press(code: number, again?: boolean): KeyEvent[];
  release(code: number): KeyEvent[];
  has(code: number): boolean;
  /** Of all modifiers that are held. */
  flags(): number;
}

export function createPressedKeys(): PressedKeys {
  const counts = new Map<number, number>();
  const flags = (): number => [...counts.keys()].reduce((sum, code) => sum + (MODIFIER_FLAGS.get(code) ?? 0), 0);
  return {
    flags,
    has: (code) => counts.has(code),
    press(code, again = false) {
      const times = counts.get(code) ?? 0;
      if (!again || times === 0) counts.set(code, times + 1);
      return times > 0 && !again ? [] : [{ kind: 'key', code, down: true, flags: flags() }];
    },
    release(code) {
      const times = counts.get(code) ?? 0;
      if (times > 1) {
        counts.set(code, times - 1);
        return [];
      }
      counts.delete(code);
      return [{ kind: 'key', code, down: false, flags: flags() }];
    },
  };
}
