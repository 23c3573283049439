import type { DesktopBackend, Element } from '../../../native/desktop.js';
import { methodOf, withRule } from '../../../native/methods.js';
import { factsOfElements } from './changes.js';
import type { OwnChanges } from './own-changes.js';

/** Writing the clipboard changes no application; releasing keys and buttons may, and what is not known as well. */
function mayChange(name: string): boolean {
  const kind = methodOf(name)?.kind;
  return name === 'releaseAll' || (name !== 'writeClipboard' && kind !== 'reader' && kind !== 'host');
}

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
  const observed = withRule({ ...desktop, ...reads }, (name, method) => {
    if (!mayChange(name)) return null;
    return (...given) => {
      history.acted();
      const result = method(...given);
      return result instanceof Promise ? result.finally(history.acted) : result;
    };
  });
  const ends = [desktop.onPersonInput(history.acted), desktop.onSyntheticInput(history.acted)];
  return { desktop: observed, close: () => ends.forEach((end) => end()) };
}
