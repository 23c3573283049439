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
  const names = Array.isArray(interfaces) ? interfaces.filter((one) => typeof one === 'string') : [];
  return {
    ref,
    role: typeof role === 'number' ? role : 0,
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : '',
    states: stateSet(states),
    interfaces: new Set(names.map((one) => one.slice(one.lastIndexOf('.') + 1))),
    childCount: typeof childCount === 'number' ? childCount : 0,
  };
}
