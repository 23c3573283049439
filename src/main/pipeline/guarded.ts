import type {
  DesktopActor,
  DesktopActs,
  DesktopInput,
  DesktopReader,
  GuardedInput,
  InputGuard,
} from '../../native/desktop.js';
import { createActChecks } from './act-checks.js';
import type { ActChecks, Watch } from './act-checks.js';

type PointerMove = Pick<DesktopActs, 'movePointer'>;

/**
 * The desktop a handler acts on: every act is checked before it is done, every injected event before it is sent; and a call can
 * no longer read the desktop once its approval has ended. Every method is named with its rule: one that is missing here does
 * not compile.
 */
export function guardedActor(reader: DesktopReader, acts: DesktopActs & GuardedInput, watch: Watch): DesktopActor {
  const checks = createActChecks(reader, watch);
  return { ...checkedReader(reader, checks), ...checkedInput(acts, checks), ...checkedActs(acts, checks) };
}

function checkedReader(reader: DesktopReader, { allowed }: ActChecks): DesktopReader {
  function looking<A extends unknown[], R>(look: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
    return async (...given) => {
      allowed();
      return look(...given);
    };
  }

  return {
    platform: reader.platform,
    version: reader.version,
    permissions: reader.permissions,
    displays: reader.displays,
    apps: looking(reader.apps),
    windows: looking(reader.windows),
    frontmost: looking(reader.frontmost),
    tree: looking(reader.tree),
    find: looking(reader.find),
    element: looking(reader.element),
    ancestors: looking(reader.ancestors),
    elementAt: looking(reader.elementAt),
    windowAt: looking(reader.windowAt),
    focusedElement: looking(reader.focusedElement),
    scrollerOf: looking(reader.scrollerOf),
    capture: looking(reader.capture),
    windowState: looking(reader.windowState),
    findApplication: looking(reader.findApplication),
    pointer: reader.pointer,
    readClipboard: looking(reader.readClipboard),
    onClipboardChange: reader.onClipboardChange,
    onChange: reader.onChange,
  };
}

function checkedInput(acts: DesktopActs & GuardedInput, checks: ActChecks): DesktopInput & PointerMove {
  const { forKeys, forPointer, forButtonUp, pressing } = checks;
  return {
    key: (key, isDown, stop) =>
      pressing(`key ${key}`, isDown, () => acts.key(key, isDown, isDown ? forKeys : unguarded, stop)),
    typeText: (text, stop) => acts.typeText(text, forKeys, stop),
    paste: (text, pid, stop) => acts.paste(text, pid, forKeys, stop),
    button: (button, isDown, stop) =>
      pressing(`button ${button}`, isDown, () => acts.button(button, isDown, isDown ? forPointer : forButtonUp, stop)),
    dropFiles: (paths, id, stop) => acts.dropFiles(paths, id, forPointer, stop),
    scroll: (delta, stop) => acts.scroll(delta, forPointer, stop),
    movePointer: (to, stop) => checks.movePointer(to, () => acts.movePointer(to, stop)),
  };
}

function checkedActs(acts: DesktopActs, { direct, directly }: ActChecks): Omit<DesktopActs, keyof PointerMove> {
  function onElement<A extends unknown[]>(act: (id: string, ...given: A) => Promise<void>): typeof act {
    return async (id, ...given) => {
      await directly(id);
      return act(id, ...given);
    };
  }

  function checked<A extends unknown[], R>(act: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
    return async (...given) => {
      await direct(null);
      return act(...given);
    };
  }

  return {
    performAction: onElement(acts.performAction),
    setValue: onElement(acts.setValue),
    insertText: onElement(acts.insertText),
    setSelected: onElement(acts.setSelected),
    setExpanded: onElement(acts.setExpanded),
    focusElement: onElement(acts.focusElement),
    scrollIntoView: onElement(acts.scrollIntoView),
    focusWindow: checked(acts.focusWindow),
    setWindowFrame: checked(acts.setWindowFrame),
    setWindowMinimized: checked(acts.setWindowMinimized),
    setWindowMaximized: checked(acts.setWindowMaximized),
    closeWindow: checked(acts.closeWindow),
    killWindow: checked(acts.killWindow),
    async quitApp(pid, stop) {
      await direct(pid);
      return acts.quitApp(pid, stop);
    },
    launch: checked(acts.launch),
    writeClipboard: checked(acts.writeClipboard),
  };
}

/** A key that goes up is never held back: it would stay down. */
const unguarded: InputGuard = async () => {};
