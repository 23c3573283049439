import { idOf, type Ref } from './bus.js';
import { ROLE } from './roles.js';
import type { AccessibleObject } from './accessible-object.js';

/** The roles that a password field may have while its text is shown. */
const PLAIN_TEXT_ROLES: ReadonlySet<number> = new Set([ROLE.text, ROLE.entry]);
/** Per connection. A field is forgotten when it is gone, never because there are too many. */
const MAX_FIELDS = 2000;

export interface PasswordFields {
  /** Remembers password fields, and gives one that shows its text its role back. */
  classify(item: AccessibleObject): AccessibleObject;
  remember(ref: Ref): void;
  of(bus: string): Ref[];
  /** True where there were too many fields to keep: then every field of that connection counts as one. */
  overflowed(bus: string): boolean;
  /** Connections with remembered fields. */
  connections(): string[];
  /** The object no longer exists. */
  forget(ref: Ref): void;
  /** The connection has ended; this bus never uses its name again. */
  forgetConnection(bus: string): void;
}

/** Remembers password fields, because “show password” changes their role to that of any other field. */
export function createPasswordFields(maxFields = MAX_FIELDS): PasswordFields {
  const known = new Map<string, Map<string, Ref> | 'overflowed'>();

  function remember(ref: Ref): void {
    const fields = known.get(ref.bus) ?? new Map<string, Ref>();
    if (fields === 'overflowed') return;
    fields.set(idOf(ref), ref);
    known.set(ref.bus, fields.size > maxFields ? 'overflowed' : fields);
  }

  function isKnown(ref: Ref): boolean {
    const fields = known.get(ref.bus);
    return fields === 'overflowed' || fields?.has(idOf(ref)) === true;
  }

  return {
    remember,
    classify(item) {
      if (item.role === ROLE.passwordText) remember(item.ref);
      else if (PLAIN_TEXT_ROLES.has(item.role) && isKnown(item.ref)) return { ...item, role: ROLE.passwordText };
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
    forgetConnection: (bus) => void known.delete(bus),
  };
}
