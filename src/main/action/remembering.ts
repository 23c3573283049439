import type { Desktop, Element } from '../../native/desktop.js';
import { factsAbout } from './context/facts.js';
import type { OwnChanges } from './own-changes.js';

const ACTS = [
  'performAction', 'setValue', 'insertText', 'setSelected', 'setExpanded', 'focusElement', 'focusWindow', 'setWindowFrame',
  'setWindowMinimized', 'setWindowMaximized', 'closeWindow', 'killWindow', 'quitApp', 'launch', 'movePointer', 'button', 'scroll',
  'key', 'typeText', 'paste', 'dropFiles',
] as const satisfies readonly (keyof Desktop)[]; // prettier-ignore
const isAct = (name: string | symbol): boolean => ACTS.some((act) => act === name);

/** The desktop, remembering what every look at elements saw and when something was done. */
export function rememberingDesktop(desktop: Desktop, history: OwnChanges): { desktop: Desktop; close(): void } {
  const saw = (elements: readonly Element[]) => {
    const [first] = elements;
    if (first !== undefined) history.sawFacts(first.pid, factsAbout(elements), false);
  };
  const looks: Pick<Desktop, 'tree' | 'find'> = {
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
      if (name in looks) return Reflect.get(looks, name);
      const found: unknown = Reflect.get(target, name, target);
      if (!isAct(name) || typeof found !== 'function') return found;
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
