/** One object, asked for directly: all of it, or as much as a reading needs. Rejects with `stale` where it is gone. Called by object-reader.ts. */
import { DesktopError } from '../../desktop.js';
import type { AccessibilityBus, Ref } from './bus.js';
import { type AccessibleObject, makeObject } from './accessible-object.js';
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
