/** Actions on elements through accessibility, independent of the focus. */
import { DesktopError, type ElementActions } from '../desktop.js';
import { activate, expand, insertAtCaret, select, takeFocus, write } from './controls.js';
import { describeTreeObject } from './accessibility-tree.js';
import type { FindTreeObject } from './reader.js';
import { editable, focusable, isScrolledAway, record, showing, type ElementState, type State } from './model.js';
import { raise } from './windows.js';
import { message, type Message } from '../../messages/index.js';

export function createElementActions(state: State, findTreeObject: FindTreeObject): ElementActions {
  /** null for a window or an application. */
  const elementFor = async (id: string, signal: AbortSignal): Promise<ElementState | null> => {
    const object = await findTreeObject(id, signal);
    return object.kind === 'element' ? object.element : null;
  };
  const writableElement = async (id: string, signal: AbortSignal): Promise<ElementState> => {
    const element = await elementFor(id, signal);
    if (element === null || !editable(element)) throw unsupported(element, message('native.element_not_editable'));
    return element;
  };
  const elementWith = async (what: 'selected' | 'expanded', id: string, signal: AbortSignal): Promise<ElementState> => {
    const element = await elementFor(id, signal);
    if (element === null || element[what] === null) throw unsupported(element, message(NO_SUCH_STATE[what]));
    if (!element.enabled) throw new DesktopError('failed', message('native.element_disabled'));
    return element;
  };

  return {
    async performAction(id, action, signal) {
      const element = await elementFor(id, signal);
      const actions = element === null ? [] : describeTreeObject(state, { kind: 'element', element }).actions;
      if (element === null || !actions.includes(action)) {
        const has = actions.length === 0 ? 'none' : 'other';
        throw unsupported(element, message('native.no_action', { action, has, actions: actions.join(', ') }));
      }
      if (!element.enabled) throw new DesktopError('failed', message('native.element_disabled'));
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
        throw new DesktopError('failed', message('native.cannot_focus'));
      }
      raise(state, element.window);
      takeFocus(state, element);
    },
    async scrollIntoView(id, signal) {
      const element = await elementFor(id, signal);
      if (element === null || !(isScrolledAway(element) || showing(element)))
        throw unsupported(element, message('native.toolkit_no_scroll'));
      if (!element.outOfView) return;
      element.outOfView = false;
      record(state, element.window, element, 'scrolled', 'into view');
    },
  };
}

const NO_SUCH_STATE = { selected: 'native.not_selectable', expanded: 'native.not_expandable' } as const;

const unsupported = (element: ElementState | null, text: Message): DesktopError =>
  new DesktopError('unsupported', text, { role: element?.spec.role ?? null });
