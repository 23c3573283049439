import { DESKTOP_METHODS, type DesktopBackend, type Element } from '../../../native/desktop.js';
import { factsOfElements } from './changes.js';
import type { OwnChanges } from './own-changes.js';

/** Methods that may change an application. Writing the clipboard does not; releasing keys and buttons may. */
const CHANGING_METHODS: ReadonlySet<string | symbol> = new Set(
  Object.entries(DESKTOP_METHODS).flatMap(([name, part]) =>
    name === 'releaseAll' || (name !== 'writeClipboard' && (part === 'act' || part === 'input')) ? [name] : [],
  ),
);

/** Wraps the desktop and records in `history` what every reading found and when something was done. */
export function withChangeHistory(
  desktop: DesktopBackend,
  history: OwnChanges,
): { desktop: DesktopBackend; close(): void } {
  const recordElements = (elements: readonly Element[]) => {
    const [first] = elements;
    if (first !== undefined) history.sawFacts(first.pid, factsOfElements(elements), false);
  };
  const reads: Pick<DesktopBackend, 'tree' | 'find'> = {
    async tree(scope, limits, signal) {
      const tree = await desktop.tree(scope, limits, signal);
      recordElements(tree.nodes.map(({ element }) => element));
      return tree;
    },
    async find(scope, selector, limit, limits, signal) {
      const found = await desktop.find(scope, selector, limit, limits, signal);
      recordElements(found.elements);
      return found;
    },
  };
  const observed = new Proxy(desktop, {
    get(target, name) {
      if (name === 'tree' || name === 'find') return reads[name];
      const found: unknown = Reflect.get(target, name, target);
      if (!CHANGING_METHODS.has(name) || typeof found !== 'function') return found;
      return (...given: unknown[]): unknown => {
        history.acted();
        const result: unknown = Reflect.apply(found, target, given);
        return result instanceof Promise ? result.finally(history.acted) : result;
      };
    },
  });
  const ends = [desktop.onPersonInput(history.acted), desktop.onSyntheticInput(history.acted)];
  return { desktop: observed, close: () => ends.forEach((end) => end()) };
}
