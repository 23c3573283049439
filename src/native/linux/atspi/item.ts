import type { Ref } from './bus.js';
import type { StateSet } from './states.js';

/** What one object says about itself, without place and value. */
export interface Item {
  ref: Ref;
  role: number;
  name: string;
  description: string;
  states: StateSet;
  interfaces: ReadonlySet<string>;
  /** -1 where the cache leaves it open. */
  childCount: number;
}
