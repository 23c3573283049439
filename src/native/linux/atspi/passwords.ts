import { idOf, type Ref } from './bus.js';
import { ROLE } from './roles.js';
import type { Item } from './item.js';

/** The roles that a password field has while its text is shown. */
const SHOWN: ReadonlySet<number> = new Set([ROLE.text, ROLE.entry]);
/** Fields of one connection. A field is forgotten when it is gone, never because there are many. */
const MOST = 2000;

export interface Passwords {
  /** The item as it is to be taken: also a shown one as the password field that it is. */
  told(item: Item): Item;
  of(bus: string): Ref[];
  /** More fields than are kept: any field of that connection may be one. */
  overflowed(bus: string): boolean;
  /** Connections of which anything is kept. */
  connections(): string[];
  /** That object is no longer there. */
  forget(ref: Ref): void;
  /** That connection has ended; the bus never gives its name to another. */
  ended(bus: string): void;
}

/** What was a password field once stays one: “show password” gives it the role of any other field. */
export function rememberPasswords(most = MOST): Passwords {
  const known = new Map<string, Map<string, Ref> | 'overflowed'>();

  function remember(ref: Ref): void {
    const fields = known.get(ref.bus) ?? new Map<string, Ref>();
    if (fields === 'overflowed') return;
    fields.set(idOf(ref), ref);
    known.set(ref.bus, fields.size > most ? 'overflowed' : fields);
  }

  function isKnown(ref: Ref): boolean {
    const fields = known.get(ref.bus);
    return fields === 'overflowed' || fields?.has(idOf(ref)) === true;
  }

  return {
    told(item) {
      if (item.role === ROLE.passwordText) remember(item.ref);
      else if (SHOWN.has(item.role) && isKnown(item.ref)) return { ...item, role: ROLE.passwordText };
      return item;
    },
    of(bus) {
      const fields = known.get(bus);
      return fields === undefined || fields === 'overflowed' ? [] : [...fields.values()];
    },
    overflowed: (bus) => known.get(bus) === 'overflowed',
    connections: () => [...known.keys()],
    forget(ref) {
      const fields = known.get(ref.bus);
      if (fields !== 'overflowed') fields?.delete(idOf(ref));
    },
    ended: (bus) => void known.delete(bus),
  };
}
