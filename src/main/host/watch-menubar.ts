import type { Executions } from '../pipeline/executions.js';
import { Stopped } from '../pipeline/failures.js';
import type { Health } from '../protocol/index.js';
import type { AttentionBoard } from '../agents/attention.js';
import type { Hotkey, ScreenLock, MenubarApp } from '../serve/menubar-app.js';
import { message } from '../../messages/index.js';

interface MenubarWatchOptions {
  menubarApp: MenubarApp | undefined;
  attention: AttentionBoard;
  executions: Executions;
  acting(): boolean;
  stopAgents(): void;
}

/** Watches the hotkey and the screen lock through the menubar app, if there is one. */
export function watchMenubarApp({ menubarApp, stopAgents, ...lock }: MenubarWatchOptions) {
  const hotkey = registerHotkey(menubarApp?.hotkey, stopAgents);
  const stopWatching = watchScreenLock(menubarApp?.screenLock, lock);
  return {
    issues: hotkey.issues,
    close() {
      stopWatching();
      hotkey.release();
    },
  };
}

/** Nothing is done while the screen is locked: input would go to the lock screen, and nobody would see it. */
function watchScreenLock(
  screenLock: ScreenLock | undefined,
  { attention, executions, acting }: Pick<MenubarWatchOptions, 'attention' | 'executions' | 'acting'>,
): () => void {
  if (screenLock === undefined) return () => undefined;
  const update = (locked: boolean) => {
    attention.set('locked', locked ? message('attention.locked') : null);
    if (locked && acting()) executions.takeOver(new Stopped('person', message('stopped.screen_locked')));
  };
  update(screenLock.locked());
  return screenLock.on(update);
}

interface RegisteredHotkey {
  /** A warning for the person where the hotkey is not available. */
  issues(): Health['issues'];
  release(): void;
}

function registerHotkey(hotkey: Hotkey | undefined, pressed: () => void): RegisteredHotkey {
  if (hotkey === undefined) return { issues: () => [], release: () => undefined };
  const registered = hotkey.register(pressed);
  const issue = {
    title: message('health.hotkey_taken', { keys: hotkey.label }),
    fix: message('health.free_hotkey'),
  };
  return {
    issues: () => (registered ? [] : [issue]),
    release: () => {
      if (registered) hotkey.unregister();
    },
  };
}
