import type { Ref } from './bus.js';
import type { StateSet } from './states.js';

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
