import type { Executions } from '../action/executions.js';
import { Stopped } from '../action/failures.js';
import type { Health } from '../protocol/index.js';
import type { AttentionBoard } from './attention.js';
import type { Hotkey, ScreenLock } from './shell.js';

/** While the screen is locked nothing is done: input would go to the lock screen, and nobody sees what happens. */
export function watchScreenLock(
  screenLock: ScreenLock | undefined,
  { attention, executions, acting }: { attention: AttentionBoard; executions: Executions; acting(): boolean },
): () => void {
  if (screenLock === undefined) return () => undefined;
  const tell = (locked: boolean) => {
    attention.set('locked', locked ? 'the screen is locked; agents wait until the person unlocks it.' : null);
    if (locked && acting()) executions.takeOver(new Stopped('person', 'The screen was locked.'));
  };
  tell(screenLock.locked());
  return screenLock.on(tell);
}

export interface TakenHotkey {
  /** What the person should know where it could not be had. */
  issues(): Health['issues'];
  release(): void;
}

export function takeHotkey(hotkey: Hotkey | undefined, pressed: () => void): TakenHotkey {
  if (hotkey === undefined) return { issues: () => [], release: () => undefined };
  const taken = hotkey.register(pressed);
  const issue = {
    title: `The hotkey ${hotkey.label} does not stop agents: it could not be registered`,
    fix: 'Another program may hold it. Free it there and start Chaperone again; until then use Stop in the menu bar.',
  };
  return {
    issues: () => (taken ? [] : [issue]),
    release: () => {
      if (taken) hotkey.unregister();
    },
  };
}
