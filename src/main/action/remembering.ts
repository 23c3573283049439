import type { Desktop, Element } from '../../native/desktop.js';
import { factsAbout } from './context/facts.js';
import type { OwnChanges } from './own-changes.js';

/** For each method, whether what changes after it may come from it: a new one does not compile until that is said. */
const CHANGES: Readonly<Record<keyof Desktop, boolean>> = {
  platform: false, version: false, permissions: false, displays: false, apps: false, windows: false, stack: false, frontmost: false, tree: false, find: false, element: false,
  ancestors: false, elementAt: false, windowAt: false, focusedElement: false, scrollerOf: false, capture: false, secureAreas: false,
  windowState: false, findApplication: false, pointer: false, readClipboard: false, writeClipboard: false,
  onClipboardChange: false, onPersonInput: false, onSyntheticInput: false, inputHeard: false, onChange: false, onLost: false,
  close: false,
  performAction: true, setValue: true, insertText: true, setSelected: true, setExpanded: true, focusElement: true,
  scrollIntoView: true, focusWindow: true, setWindowFrame: true, setWindowMinimized: true, setWindowMaximized: true,
  closeWindow: true, killWindow: true, quitApp: true, launch: true, movePointer: true, button: true, scroll: true, key: true,
  typeText: true, paste: true, dropFiles: true, releaseAll: true,
}; // prettier-ignore
const ACTS: ReadonlySet<string | symbol> = new Set(
  Object.entries(CHANGES).flatMap(([name, does]) => (does ? [name] : [])),
);

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
      if (name === 'tree' || name === 'find') return looks[name];
      const found: unknown = Reflect.get(target, name, target);
      if (!ACTS.has(name) || typeof found !== 'function') return found;
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
