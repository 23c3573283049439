import type { DesktopBackend, DesktopInput, HeldInput, InputGuard } from '../../native/desktop.js';

/**
 * Wraps the desktop and reports all injected input right before and after it, including the release of keys and buttons when a
 * call, a hold or an agent ends.
 */
export function withInjectionEvents(desktop: DesktopBackend, injected: () => void): DesktopBackend {
  const held = new Set<string>();

  async function around<R>(act: () => Promise<R>): Promise<R> {
    injected();
    try {
      return await act();
    } finally {
      injected();
    }
  }
  const reporting =
    (guard: InputGuard): InputGuard =>
    async () => {
      await guard();
      injected();
    };

  const wrapped: Pick<DesktopBackend, keyof DesktopInput | 'movePointer' | 'releaseAll'> = {
    movePointer: (to, signal) => around(() => desktop.movePointer(to, signal)),
    async button(button, isDown, guard, signal) {
      if (isDown) held.add(`button ${button}`);
      await around(() => desktop.button(button, isDown, reporting(guard), signal));
      if (!isDown) held.delete(`button ${button}`);
    },
    async key(key, isDown, guard, signal) {
      if (isDown) held.add(`key ${key}`);
      await around(() => desktop.key(key, isDown, reporting(guard), signal));
      if (!isDown) held.delete(`key ${key}`);
    },
    scroll: (delta, guard, signal) => around(() => desktop.scroll(delta, reporting(guard), signal)),
    typeText: (text, guard, signal) => around(() => desktop.typeText(text, reporting(guard), signal)),
    paste: (text, pid, guard, signal) => around(() => desktop.paste(text, pid, reporting(guard), signal)),
    dropFiles: (paths, id, guard, signal) => around(() => desktop.dropFiles(paths, id, reporting(guard), signal)),
    async releaseAll(keep) {
      const released = [...held].filter((name) => !namesOf(keep).has(name));
      if (released.length === 0) return desktop.releaseAll(keep);
      await around(() => desktop.releaseAll(keep));
      for (const name of released) held.delete(name);
    },
  };
  return { ...desktop, ...wrapped };
}

const namesOf = (keep: HeldInput = { keys: [], buttons: [] }): Set<string> =>
  new Set([...keep.keys.map((key) => `key ${key}`), ...keep.buttons.map((button) => `button ${button}`)]);
