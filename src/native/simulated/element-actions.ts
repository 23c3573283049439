/** Actions on elements through accessibility, independent of the focus. */
import { DesktopError, type ElementActions } from '../desktop.js';
import { activate, expand, insertAtCaret, select, takeFocus, write } from './controls.js';
import { describeTreeObject } from './accessibility-tree.js';
import type { FindTreeObject } from './reader.js';
import { editable, focusable, isScrolledAway, record, showing, type ElementState, type State } from './model.js';
import { raise } from './windows.js';

export function createElementActions(state: State, findTreeObject: FindTreeObject): ElementActions {
  /** null for a window or an application. */
  const elementFor = async (id: string, signal: AbortSignal): Promise<ElementState | null> => {
    const object = await findTreeObject(id, signal);
    return object.kind === 'element' ? object.element : null;
  };
  const writableElement = async (id: string, signal: AbortSignal): Promise<ElementState> => {
    const element = await elementFor(id, signal);
    if (element === null || !editable(element)) throw unsupported(element, 'It has no text that can be changed.');
    return element;
  };
  const elementWith = async (what: 'selected' | 'expanded', id: string, signal: AbortSignal): Promise<ElementState> => {
    const element = await elementFor(id, signal);
    if (element === null || element[what] === null) throw unsupported(element, `It is nothing that can be ${what}.`);
    if (!element.enabled)
      throw new DesktopError('failed', `"${element.title}" is disabled. Look at what it waits for.`);
    return element;
  };

  return {
    async performAction(id, action, signal) {
      const element = await elementFor(id, signal);
      if (element === null || !describeTreeObject(state, { kind: 'element', element }).actions.includes(action)) {
        throw unsupported(element, `It has no action ${action}.`);
      }
      if (!element.enabled)
        throw new DesktopError('failed', `"${element.title}" is disabled. Look at what it waits for.`);
      activate(state, element);
    },
    async setValue(id, value, signal) {
      write(state, await writableElement(id, signal), value);
    },
    async insertText(id, text, signal) {
      insertAtCaret(state, await writableElement(id, signal), text);
    },
    async setSelected(id, selected, signal) {
      select(state, await elementWith('selected', id, signal), selected);
    },
    async setExpanded(id, expanded, signal) {
      expand(state, await elementWith('expanded', id, signal), expanded);
    },
    async focusElement(id, signal) {
      const element = await elementFor(id, signal);
      if (element === null || !focusable(element) || !showing(element)) {
        const text = 'That element does not take the focus. Choose a control that shows and is enabled.';
        throw new DesktopError('failed', text);
      }
      raise(state, element.window);
      takeFocus(state, element);
    },
    async scrollIntoView(id, signal) {
      const element = await elementFor(id, signal);
      if (element === null || !(isScrolledAway(element) || showing(element)))
        throw unsupported(element, 'Scrolling does not show it.');
      if (!element.outOfView) return;
      element.outOfView = false;
      record(state, element.window, element, 'scrolled', 'into view');
    },
  };
}

function unsupported(element: ElementState | null, why: string): DesktopError {
  return new DesktopError('unsupported', `${why} Use another way, or another element.`, {
    role: element?.spec.role ?? null,
  });
}
