import type { DesktopReader, Element } from '../../native/desktop.js';

/** The desktop for one plan: the ancestors of an element are read once, so that its titles, its window and its consequence are judged by the same ones. */
export function withAncestorsOnce<R extends DesktopReader>(desktop: R): R {
  const reading = new Map<string, Promise<Element[]>>();
  return {
    ...desktop,
    ancestors(id, signal) {
      const known = reading.get(id) ?? desktop.ancestors(id, signal);
      reading.set(id, known);
      return known;
    },
  };
}
