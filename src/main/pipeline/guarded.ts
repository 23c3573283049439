import type { DesktopActor, DesktopActs, DesktopInput, GuardedInput, InputGuard } from '../../native/desktop.js';
import type { MaskedReader } from './masked.js';
import { createActChecks, createApprovalCheck, type ActChecks, type ActCheckDependencies } from './act-checks.js';

type PointerMove = Pick<DesktopActs, 'movePointer'>;

/**
 * The desktop that a handler acts on. Every act and every injected event is checked right before it happens, and a call can no
 * longer read the desktop once its approval has ended. Every method of the interface is listed with its rule, so a new method
 * does not compile until it has one.
 */
export function guardedActor(
  reader: MaskedReader,
  acts: DesktopActs & GuardedInput,
  deps: ActCheckDependencies,
): DesktopActor & MaskedReader {
  const checks = createActChecks(reader, deps);
  // Made for every call: three spreads of this size take fifty times as long.
  return Object.assign(
    checkedReader(reader, checks.assertApprovalValid),
    checkedInput(acts, checks),
    checkedActs(acts, checks),
  );
}

/** For a call that only reads. */
export function guardedReader(
  reader: MaskedReader,
  deps: Pick<ActCheckDependencies, 'revoked' | 'signal'>,
): MaskedReader {
  return checkedReader(reader, createApprovalCheck(deps));
}

function checkedReader(reader: MaskedReader, assertApprovalValid: () => void): MaskedReader {
  function whileAllowed<A extends unknown[], R>(read: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
    return async (...given) => {
      assertApprovalValid();
      return read(...given);
    };
  }

  return {
    platform: reader.platform,
    version: reader.version,
    permissions: reader.permissions,
    displays: reader.displays,
    apps: whileAllowed(reader.apps),
    windows: whileAllowed(reader.windows),
    frontmost: whileAllowed(reader.frontmost),
    tree: whileAllowed(reader.tree),
    find: whileAllowed(reader.find),
    element: whileAllowed(reader.element),
    ancestors: whileAllowed(reader.ancestors),
    elementAt: whileAllowed(reader.elementAt),
    windowAt: whileAllowed(reader.windowAt),
    focusedElement: whileAllowed(reader.focusedElement),
    maySpendTimeOn: reader.maySpendTimeOn,
    scrollerOf: whileAllowed(reader.scrollerOf),
    capture: whileAllowed(reader.capture),
    windowPaint: whileAllowed(reader.windowPaint),
    untilApplication: whileAllowed(reader.untilApplication),
    windowState: whileAllowed(reader.windowState),
    isAllHidden: whileAllowed(reader.isAllHidden),
    findApplication: whileAllowed(reader.findApplication),
    pointer: reader.pointer,
    readClipboard: whileAllowed(reader.readClipboard),
    onClipboardChange: reader.onClipboardChange,
    onChange: reader.onChange,
  };
}

function checkedInput(acts: DesktopActs & GuardedInput, checks: ActChecks): DesktopInput & PointerMove {
  const { forKeys, forPointer, forButtonUp, trackPressed } = checks;
  return {
    key: (key, isDown, stop) =>
      trackPressed(`key ${key}`, isDown, () => acts.key(key, isDown, isDown ? forKeys : unguarded, stop)),
    typeText: (text, stop) => acts.typeText(text, forKeys, stop),
    paste: (text, pid, stop) => acts.paste(text, pid, forKeys, stop),
    button: (button, isDown, stop) =>
      trackPressed(`button ${button}`, isDown, () =>
        acts.button(button, isDown, isDown ? forPointer : forButtonUp, stop),
      ),
    dropFiles: (paths, id, stop) => acts.dropFiles(paths, id, forPointer, stop),
    scroll: (delta, stop) => acts.scroll(delta, forPointer, stop),
    movePointer: (to, stop) => checks.movePointer(to, () => acts.movePointer(to, stop)),
  };
}

function checkedActs(
  acts: DesktopActs,
  { checkAct, checkElementAct }: ActChecks,
): Omit<DesktopActs, keyof PointerMove> {
  function onElement<A extends unknown[]>(act: (id: string, ...given: A) => Promise<void>): typeof act {
    return async (id, ...given) => {
      await checkElementAct(id);
      return act(id, ...given);
    };
  }

  function checked<A extends unknown[], R>(act: (...given: A) => Promise<R>): (...given: A) => Promise<R> {
    return async (...given) => {
      await checkAct(null);
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
      await checkAct(pid);
      return acts.quitApp(pid, stop);
    },
    launch: checked(acts.launch),
    writeClipboard: checked(acts.writeClipboard),
  };
}

/** Releasing a key is never refused: the key would stay down. */
const unguarded: InputGuard = async () => {};
