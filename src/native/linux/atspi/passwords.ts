import { idOf, type Ref } from './bus.js';
import { ROLE } from './roles.js';
import type { Item } from './item.js';

/** The roles that a password field has while its text is shown. */
const SHOWN: ReadonlySet<number> = new Set([ROLE.text, ROLE.entry]);
const MOST = 2000;

/** What was a password field once stays one: “show password” gives it the role of any other field. */
export function rememberPasswords(): { told(item: Item): Item; of(bus: string): Ref[] } {
  const known = new Map<string, Ref>();

  function remember(ref: Ref): void {
    known.set(idOf(ref), ref);
    for (const oldest of known.keys()) {
      if (known.size <= MOST) break;
      known.delete(oldest);
    }
  }

  return {
    told(item) {
      if (item.role === ROLE.passwordText) remember(item.ref);
      else if (SHOWN.has(item.role) && known.has(idOf(item.ref))) return { ...item, role: ROLE.passwordText };
      return item;
    },
    of: (bus) => [...known.values()].filter((ref) => ref.bus === bus),
  };
}
