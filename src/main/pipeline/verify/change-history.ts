import { DESKTOP_METHODS } from '../../../native/desktop.js';
import type { DesktopBackend, Element } from '../../../native/desktop.js';
import { factsAbout } from './facts.js';
import type { OwnChanges } from './own-changes.js';

/** What changes after one of these may come from it. The clipboard changes no application; letting go of keys and buttons may. */
const CHANGES: ReadonlySet<string | symbol> = new Set(
  Object.entries(DESKTOP_METHODS).flatMap(([name, part]) =>
    name === 'releaseAll' || (name !== 'writeClipboard' && (part === 'act' || part === 'input')) ? [name] : [],
  ),
);

/** The desktop, remembering what every look at elements saw and when something was done. */
export function rememberingDesktop(
  desktop: DesktopBackend,
  history: OwnChanges,
): { desktop: DesktopBackend; close(): void } {
  const saw = (elements: readonly Element[]) => {
    const [first] = elements;
    if (first !== undefined) history.sawFacts(first.pid, factsAbout(elements), false);
  };
  const looks: Pick<DesktopBackend, 'tree' | 'find'> = {
    async tree(scope, limits, signal) {
      const tree = await desktop.tree(scope, limits, signal);
      saw(tree.nodes.map(({ element }) => element));
      return tree;
    },
    async find(scope, selector, limit, limits, signal) {
      const found = await desktop.find(scope, selector, limit, limits, signal);
      saw(found.elements);
      return found;
    },
  };
  const told = new Proxy(desktop, {
    get(target, name) {
      if (name === 'tree' || name === 'find') return looks[name];
      const found: unknown = Reflect.get(target, name, target);
      if (!CHANGES.has(name) || typeof found !== 'function') return found;
      return (...given: unknown[]): unknown => {
        history.acted();
        const result: unknown = Reflect.apply(found, target, given);
        return result instanceof Promise ? result.finally(history.acted) : result;
      };
    },
  });
  const ends = [desktop.onPersonInput(history.acted), desktop.onSyntheticInput(history.acted)];
  return { desktop: told, close: () => ends.forEach((end) => end()) };
}
