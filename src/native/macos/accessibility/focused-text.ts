import { createHash } from 'node:crypto';
import type { Core } from '../core.js';
import { nullWithoutAnswer, elementOf, textOf } from './answers.js';
import { isSecure } from './describe.js';
import { ATTRIBUTE } from './names.js';

const LOOK = [ATTRIBUTE.role, ATTRIBUTE.subrole, ATTRIBUTE.characterCount] as const;

/**
 * What tells one text of the focused element of a process from another; null where it has none. Of a password field only how long
 * it is.
 */
export function focusedText({ ax, scoped }: Core, pid: number): string | null {
  return scoped((scope) =>
    nullWithoutAnswer(() => {
      const focused = elementOf(ax.attribute(scope, ax.application(scope, pid), ATTRIBUTE.focusedElement));
      if (focused === null) return null;
      const [role, subrole, characters] = ax.attributes(scope, focused, LOOK);
      const count = characters?.kind === 'number' ? String(characters.number) : null;
      if (isSecure(textOf(role) ?? 'AXUnknown', subrole)) return count;
      const text = textOf(ax.attribute(scope, focused, ATTRIBUTE.value));
      if (text === null) return count;
      return `${count} ${createHash('sha256').update(text).digest('base64')}`;
    }),
  );
}
