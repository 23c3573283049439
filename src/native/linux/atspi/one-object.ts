/** One object, asked for directly: all of it, or as much as a reading needs. Rejects with `stale` where it is gone. Called by object-reader.ts. */
import { DesktopError } from '../../desktop.js';
import { type AccessibilityBus, type Ref, idOf, refOf } from './bus.js';
import { type AccessibleObject, makeObject, ROLE } from './accessible-object.js';
import { EVERYTHING, mayFit, type Search, type Wanted } from './list-search.js';
import { message } from '../../../messages/index.js';

/** What a reading is for. */
export interface ReadingNeeds {
  /** Leaves out the descendants of hidden objects. */
  prune?: boolean;
  /** Objects that do not fit may be left out where the application searches. */
  search?: Search | null;
  /** What is in hidden objects may be as it was some seconds ago. */
  keepsHidden?: boolean;
  /** Leaves names, descriptions and interfaces empty where they would have to be asked for. */
  rolesOnly?: boolean;
  /** Of objects that do not fit, leaves empty what would have to be asked for and does not show that. */
  wanted?: Wanted;
}

export function readAsNeeded(
  bus: AccessibilityBus,
  ref: Ref,
  { wanted = EVERYTHING, rolesOnly = false, prune = false, search = null, keepsHidden = false }: ReadingNeeds,
  signal: AbortSignal,
): Promise<AccessibleObject> {
  if (rolesOnly) return readRoleOf(bus, ref, signal);
  if (wanted.named === null && wanted.roles === null) return readObject(bus, ref, signal);
  return readWanted(bus, ref, wanted, prune || keepsHidden || wanted.state !== null || search !== null, signal);
}

export async function readObject(bus: AccessibilityBus, ref: Ref, signal: AbortSignal): Promise<AccessibleObject> {
  const ask = askOf(bus, ref, signal);
  const [role, states, childCount, name, supported, description] = await Promise.all([
    ask.role(),
    ask.states(),
    ask.childCount(),
    ask.name(),
    ask.interfaces(),
    ask.description(),
  ]);
  return makeObject(ref, role, states, supported, name, description, childCount);
}

/** Its role, states and number of children. */
async function readRoleOf(bus: AccessibilityBus, ref: Ref, signal: AbortSignal): Promise<AccessibleObject> {
  const ask = askOf(bus, ref, signal);
  const [role, states, childCount] = await Promise.all([ask.role(), ask.states(), ask.childCount()]);
  return makeObject(ref, role, states, [], '', '', childCount);
}

/** As much of it as shows whether it fits, and the rest where it may. */
async function readWanted(
  bus: AccessibilityBus,
  ref: Ref,
  wanted: Wanted,
  withStates: boolean,
  signal: AbortSignal,
): Promise<AccessibleObject> {
  const ask = askOf(bus, ref, signal);
  const [role, states, childCount, name] = await Promise.all([
    ask.role(),
    withStates ? ask.states() : null,
    ask.childCount(),
    ask.name(),
  ]);
  const known = makeObject(ref, role, states, [], name, '', childCount);
  if (!mayFit(known, wanted)) return known;
  const [own, supported, description] = await Promise.all([
    withStates ? states : ask.states(),
    ask.interfaces(),
    ask.description(),
  ]);
  return makeObject(ref, role, own, supported, name, description, childCount);
}

function askOf(bus: AccessibilityBus, ref: Ref, signal: AbortSignal) {
  const call = async (member: string): Promise<unknown> =>
    (await bus.call(ref, `Accessible.${member}`, { signal }).catch(asStale))[0];
  const property = (name: string) => bus.property(ref, `Accessible.${name}`, { signal });
  return {
    role: () => call('GetRole'),
    states: () => call('GetState'),
    interfaces: () => call('GetInterfaces'),
    childCount: () => property('ChildCount').catch(asStale),
    name: () => property('Name').catch(asStale),
    description: () => property('Description').catch(asEmpty),
  };
}

export function staleError(details?: Record<string, unknown>): DesktopError {
  return new DesktopError('stale', message('native.element_gone'), details);
}

/** Every object implements these calls, so one that refuses them no longer exists. */
export function asStale(error: unknown): never {
  if (error instanceof DesktopError && (error.code === 'unsupported' || error.code === 'failed'))
    throw staleError(error.details);
  throw error;
}

function asEmpty(error: unknown): string {
  if (error instanceof DesktopError && (error.code === 'unsupported' || error.code === 'failed')) return '';
  throw error;
}

export interface CachedObject {
  item: AccessibleObject;
  parent: string;
  index: number;
}

/** The reply of Cache.GetItems, by id; without objects of other applications, of which it says what it likes. */
export function readCache(
  bus: string,
  value: unknown,
  classify: (item: AccessibleObject) => AccessibleObject,
): Map<string, CachedObject> {
  const found = new Map<string, CachedObject>();
  if (!Array.isArray(value)) return found;
  for (const entry of value) {
    if (!Array.isArray(entry) || typeof entry[3] !== 'number') continue;
    const [own, , parent, index, count, interfaces, name, role, description, states]: unknown[] = entry;
    const ref = refOf(own);
    if (ref === null || ref.bus !== bus) continue;
    const above = refOf(parent);
    const object = makeObject(ref, role, states, interfaces, name, description, count);
    found.set(idOf(ref), {
      item: classify({ ...object, ...(above === null ? {} : { parent: above }) }),
      parent: above === null ? '' : idOf(above),
      index: typeof index === 'number' ? index : -1,
    });
  }
  return found;
}

/** Children as the cache has them, in order; null where an index is missing, unless the order does not matter. */
export function cachedChildren(known: ReadonlyMap<string, CachedObject>, inOrder: boolean): (ref: Ref) => Ref[] | null {
  const byParent = new Map<string, CachedObject[]>();
  for (const entry of known.values()) {
    const siblings = byParent.get(entry.parent);
    if (siblings === undefined) byParent.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  return (ref) => {
    const children = byParent.get(idOf(ref))?.sort((a, b) => a.index - b.index) ?? [];
    return !inOrder || children.every((child, place) => child.index === place)
      ? children.map(({ item }) => item.ref)
      : null;
  };
}

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
