import type { Effect } from '../../protocol/index.js';

/** Where the host's own verbs are not translated: the kind of act, in the person's language. The card says the rest. */
export type Kinds = Readonly<Record<Effect, string>>;

/** What these act on is called by an agent or an application; the targets of the others are the host's English. */
export function named(effect: Effect): boolean {
  return effect === 'pointer' || effect === 'input';
}
