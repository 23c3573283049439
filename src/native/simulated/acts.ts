/** Acts through accessibility: on one element, whatever has the focus. */
import { DesktopError } from '../desktop.js';
import type { DesktopBackend } from '../desktop.js';
import { activate, expand, insertAtCaret, select, takeFocus, write } from './controls.js';
import type { Gate } from './gate.js';
import { describe, ownerOf, thingOf } from './look.js';
import type { ElementState, State } from './model.js';
import { editable, focusable, isScrolledAway, record, showing } from './model.js';
import { raise } from './windows.js';

type Acts = Pick<
  DesktopBackend,
  'performAction' | 'setValue' | 'insertText' | 'focusElement' | 'setSelected' | 'setExpanded' | 'scrollIntoView'
>;

export function createActs(state: State, gate: Gate, accessible: () => void): Acts {
  /** The element, in an application that answers. */
  const reach = async (id: string, signal: AbortSignal): Promise<ElementState | null> => {
    await gate.enter(signal);
    accessible();
    const thing = thingOf(state, id);
    await gate.answering(ownerOf(thing), signal);
    return thing.kind === 'element' ? thing.element : null;
  };
  const writable = async (id: string, signal: AbortSignal): Promise<ElementState> => {
    const element = await reach(id, signal);
    if (element === null || !editable(element)) throw cannot(element, 'It has no text that can be changed.');
    return element;
  };
  const having = async (what: 'selected' | 'expanded', id: string, signal: AbortSignal): Promise<ElementState> => {
    const element = await reach(id, signal);
    if (element === null || element[what] === null) throw cannot(element, `It is nothing that can be ${what}.`);
    if (!element.enabled)
      throw new DesktopError('failed', `"${element.title}" is disabled. Look at what it waits for.`);
    return element;
  };

  return {
    async performAction(id, action, signal) {
      const element = await reach(id, signal);
      if (element === null || !describe(state, { kind: 'element', element }).actions.includes(action)) {
        throw cannot(element, `It has no action ${action}.`);
      }
      if (!element.enabled)
        throw new DesktopError('failed', `"${element.title}" is disabled. Look at what it waits for.`);
      activate(state, element);
    },
    async setValue(id, value, signal) {
      write(state, await writable(id, signal), value);
    },
    async insertText(id, text, signal) {
      insertAtCaret(state, await writable(id, signal), text);
    },
    async setSelected(id, selected, signal) {
      select(state, await having('selected', id, signal), selected);
    },
    async setExpanded(id, expanded, signal) {
      expand(state, await having('expanded', id, signal), expanded);
    },
    async focusElement(id, signal) {
      const element = await reach(id, signal);
      if (element === null || !focusable(element) || !showing(element)) {
        throw new DesktopError(
          'failed',
          'That element does not take the focus. Choose a control that shows and is enabled.',
        );
      }
      raise(state, element.window);
      takeFocus(state, element);
    },
    async scrollIntoView(id, signal) {
      const element = await reach(id, signal);
      if (element === null || !(isScrolledAway(element) || showing(element)))
        throw cannot(element, 'Scrolling does not show it.');
      if (!element.outOfView) return;
      element.outOfView = false;
      record(state, element.window, element, 'scrolled', 'into view');
    },
  };
}

function cannot(element: ElementState | null, why: string): DesktopError {
  return new DesktopError('unsupported', `${why} Use another way, or another element.`, {
    role: element?.spec.role ?? null,
  });
}
