import type { Placing } from './gtk4.js';
import type { Item } from './item.js';
import type { Scaling } from './scaling.js';
import type { Toolkit } from './text.js';

/** What is the same for all elements of one application. */
export interface AppContext {
  pid: number;
  toolkit: Toolkit;
  /** Only GTK 4 needs one. It never says that a widget shows: one that has a place does. */
  placing: Placing | null;
  scaling: Scaling;
  /** The item, not showing when its window is minimised: toolkits do not say so themselves. */
  seen: (item: Item, path: readonly number[]) => Item;
  /** False once the application has shown that it has no accessible ids. */
  identifiers: boolean;
}
