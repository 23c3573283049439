import type { Ref } from './bus.js';
import { type StateSet, stateSet } from './states.js';

/** The properties of one accessible object, without its position and value. */
export interface AccessibleObject {
  ref: Ref;
  role: number;
  name: string;
  description: string;
  states: StateSet;
  interfaces: ReadonlySet<string>;
  /** -1 where the cache does not say. */
  childCount: number;
  /** Left out where the cache does not say. */
  parent?: Ref;
  /** Both left out where they are still to be asked for. */
  identifier?: string;
  attributes?: ReadonlyMap<string, unknown>;
}

/** From what an application replies; what is of another type is left out. */
export function makeObject(
  ref: Ref,
  role: unknown,
  states: unknown,
  interfaces: unknown,
  name: unknown,
  description: unknown,
  childCount: unknown,
): AccessibleObject {
  return {
    ref,
    role: typeof role === 'number' ? role : 0,
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : '',
    states: stateSet(states),
    interfaces: interfaceSet(interfaces),
    childCount: typeof childCount === 'number' ? childCount : 0,
  };
}

/** By the last part of their names. */
export function interfaceSet(value: unknown): ReadonlySet<string> {
  const names = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  return new Set(names.map((one) => one.slice(one.lastIndexOf('.') + 1)));
}

export const attributeMap = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
