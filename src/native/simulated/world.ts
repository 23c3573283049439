/** What tests and the demo can do with a simulated desktop: change it as its applications and its person would. */
import type { ClipboardReading, Permission, PermissionState, Point, Rect } from '../desktop.js';
import { addApp, addElement, addWindow, removeApp, removeElement, removeWindow } from './state-changes.js';
import { copyOf, setClipboard, keyDown, keyUp, typeCharacter } from './keyboard.js';
import { activate, takeFocus, write } from './controls.js';
import {
  type Gate,
  everyElement,
  journalName,
  type AppSpec,
  type ElementSpec,
  type ElementState,
  type Hang,
  type JournalEntry,
  type State,
  type WindowSpec,
} from './model.js';
import { appOf, treeObjectOf, windowById } from './accessibility-tree.js';
import { buttonDown, buttonUp, moveTo } from './pointer.js';
import { raise, setFrame } from './windows.js';

export interface ElementChanges {
  title?: string;
  value?: string;
  enabled?: boolean;
  visible?: boolean;
  secure?: boolean;
  checked?: boolean;
  /** Relative to the window's content. */
  frame?: Rect;
}

/** Methods that name something gone throw DesktopError, as the desktop does. */
export interface World {
  /** Everything applications received and did, oldest first. */
  journal(): JournalEntry[];
  clearJournal(): void;

  /** The process id. With `start: false` it can only be launched later, and 0 is returned. */
  addApp(spec: AppSpec, options?: { start?: boolean }): number;
  /** The process ends at once, with its windows. It can be launched again. */
  kill(pid: number): void;
  /** `refuse` (default): calls reject with not_responding; `silent`: they end only by their signal. Events wait. */
  hang(pid: number, how?: Exclude<Hang, null>): void;
  /** The application answers again and takes the events that waited. */
  recover(pid: number): void;

  addWindow(pid: number, spec: WindowSpec): string;
  removeWindow(windowId: string): void;
  moveWindow(windowId: string, frame: Partial<Rect>): void;
  raiseWindow(windowId: string): void;
  retitleWindow(windowId: string, title: string, documentUrl?: string | null): void;
  /** Another window, with other elements, in exactly the same place. */
  swapDialog(windowId: string, spec: Omit<WindowSpec, 'frame'>): string;

  /** `parentId` is the id of a window or of an element. */
  addElement(parentId: string, spec: ElementSpec): string;
  removeElement(elementId: string): void;
  change(elementId: string, changes: ElementChanges): void;
  setSecure(elementId: string, secure: boolean): void;
  /** The id of the element with this identifier, else this title; null when there is none. */
  find(identifier: string, pid?: number): string | null;
  /** Its real text, secure or not; its title where it has no text. */
  text(elementId: string): string;

  /** Real input: listeners of onPersonInput are called. */
  person: {
    move(to: Point): void;
    click(at: Point): void;
    key(key: string): void;
    type(text: string): void;
    press(elementId: string): void;
    focus(elementId: string): void;
  };

  /** Another program injects input: listeners of onSyntheticInput are called. */
  syntheticInput(): void;

  clipboard(): ClipboardReading;
  /** As another program would; with `concealed`, as a password manager would. */
  setClipboard(content: ClipboardReading): void;
  setPermission(permission: Permission, value: PermissionState): void;
  /** The backend is gone for good. */
  lose(reason: string): void;
}

export function createWorld(
  state: State,
  gate: Gate,
  onPersonInput: (at: Point | null) => void,
  syntheticInput: () => void,
): World {
  const elementOf = (id: string): ElementState => {
    const object = treeObjectOf(state, id);
    if (object.kind !== 'element') throw new Error(`${id} is a ${object.kind}, not an element in a window`);
    return object.element;
  };

  return {
    journal: () => structuredClone(state.journal),
    clearJournal: () => void state.journal.splice(0),
    addApp(spec, { start = true } = {}) {
      state.installed.push(() => spec);
      return start ? addApp(state, spec).pid : 0;
    },
    kill: (pid) => removeApp(state, appOf(state, pid)),
    hang: (pid, how = 'refuse') => void (appOf(state, pid).hang = how),
    recover(pid) {
      const app = appOf(state, pid);
      app.hang = null;
      for (const event of app.waiting.splice(0)) event();
    },
    addWindow: (pid, spec) => addWindow(state, appOf(state, pid), spec).id,
    removeWindow: (id) => removeWindow(state, windowById(state, id)),
    moveWindow: (id, frame) => void setFrame(state, windowById(state, id), frame),
    raiseWindow: (id) => raise(state, windowById(state, id)),
    retitleWindow(id, title, documentUrl) {
      const window = windowById(state, id);
      window.title = title;
      if (documentUrl !== undefined) window.documentUrl = documentUrl;
    },
    swapDialog(id, spec) {
      const old = windowById(state, id);
      removeWindow(state, old);
      return addWindow(state, old.app, { ...spec, frame: old.frame }).id;
    },
    addElement(parentId, spec) {
      const window = state.stack.find((each) => each.id === parentId);
      const parent = window === undefined ? elementOf(parentId) : null;
      return addElement(state, window ?? elementOf(parentId).window, parent, spec).id;
    },
    removeElement: (id) => removeElement(state, elementOf(id)),
    change: (id, changes) => change(state, elementOf(id), changes),
    setSecure: (id, secure) => void (elementOf(id).secure = secure),
    find(identifier, pid) {
      const elements = state.stack.filter((each) => pid === undefined || each.app.pid === pid).flatMap(everyElement);
      return elements.find((each) => journalName(each) === identifier)?.id ?? null;
    },
    text: (id) => elementOf(id).text?.value ?? elementOf(id).title,
    person: person(state, onPersonInput, elementOf),
    syntheticInput,
    clipboard: () => copyOf(state.clipboard),
    setClipboard: (content) => void setClipboard(state, content),
    setPermission: (permission, value) => void (state.permissions[permission] = value),
    lose: (reason) => gate.lose(reason),
  };
}

function change(state: State, element: ElementState, changes: ElementChanges): void {
  const { value, title, enabled, visible, secure, checked, frame } = changes;
  if (value !== undefined) write(state, element, value);
  element.title = title ?? element.title;
  element.enabled = enabled ?? element.enabled;
  element.visible = visible ?? element.visible;
  element.secure = secure ?? element.secure;
  element.checked = checked ?? element.checked;
  element.frame = frame === undefined ? element.frame : { ...frame };
}

function person(
  state: State,
  onInput: (at: Point | null) => void,
  elementOf: (id: string) => ElementState,
): World['person'] {
  const move = (to: Point): void => {
    moveTo(state, to);
    onInput({ ...state.pointer });
  };
  return {
    move,
    click(at) {
      move(at);
      buttonDown(state, 'left');
      buttonUp(state, 'left');
      onInput({ ...state.pointer });
    },
    key(key) {
      keyDown(state, key);
      keyUp(state, key);
      onInput(null);
    },
    type(text) {
      for (const character of text) typeCharacter(state, character);
      onInput(null);
    },
    press(id) {
      activate(state, elementOf(id));
      onInput(null);
    },
    focus(id) {
      raise(state, elementOf(id).window);
      takeFocus(state, elementOf(id));
      onInput(null);
    },
  };
}
