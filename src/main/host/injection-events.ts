import type { DesktopBackend, DesktopInput, HeldInput, InputGuard } from '../../native/desktop.js';

/**
 * Wraps the desktop and reports all injected input right before and after it, including the release of keys and buttons when a
 * call, a hold or an agent ends.
 */
export function withInjectionEvents(desktop: DesktopBackend, injected: () => void): DesktopBackend {
  const down = new Set<string>();

  async function around<R>(act: () => Promise<R>): Promise<R> {
    injected();
    try {
      return await act();
    } finally {
      injected();
    }
  }
  const each =
    (guard: InputGuard): InputGuard =>
    async () => {
      await guard();
      injected();
    };

  const told: Pick<DesktopBackend, keyof DesktopInput | 'movePointer' | 'releaseAll'> = {
    movePointer: (to, signal) => around(() => desktop.movePointer(to, signal)),
    async button(button, isDown, guard, signal) {
      if (isDown) down.add(`button ${button}`);
      await around(() => desktop.button(button, isDown, each(guard), signal));
      if (!isDown) down.delete(`button ${button}`);
    },
    async key(key, isDown, guard, signal) {
      if (isDown) down.add(`key ${key}`);
      await around(() => desktop.key(key, isDown, each(guard), signal));
      if (!isDown) down.delete(`key ${key}`);
    },
    scroll: (delta, guard, signal) => around(() => desktop.scroll(delta, each(guard), signal)),
    typeText: (text, guard, signal) => around(() => desktop.typeText(text, each(guard), signal)),
    paste: (text, pid, guard, signal) => around(() => desktop.paste(text, pid, each(guard), signal)),
    dropFiles: (paths, id, guard, signal) => around(() => desktop.dropFiles(paths, id, each(guard), signal)),
    async releaseAll(keep) {
      const lifted = [...down].filter((name) => !namesOf(keep).has(name));
      if (lifted.length === 0) return desktop.releaseAll(keep);
      await around(() => desktop.releaseAll(keep));
      for (const name of lifted) down.delete(name);
    },
  };
  return new Proxy(desktop, {
    get: (target, name, self) => Reflect.get(name in told ? told : target, name, name in told ? told : self),
  });
}

const namesOf = (keep: HeldInput = { keys: [], buttons: [] }): Set<string> =>
  new Set([...keep.keys.map((key) => `key ${key}`), ...keep.buttons.map((button) => `button ${button}`)]);
