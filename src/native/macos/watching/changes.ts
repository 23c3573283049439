/** Hints that something changed: by what applications notify of, and by looks at windows and processes for all that nobody notifies of. */
import type { ChangeHint } from '../../desktop.js';
import { nullWithoutAnswer } from '../accessibility/answers.js';
import type { Core } from '../core.js';
import type { Apps } from '../screen/apps.js';
import type { WindowRows } from '../screen/window-rows.js';
import { openObservers } from './observers.js';

export type ChangeWatch = ReturnType<typeof openChangeWatch>;

const LOOK_MS = 500;
/** One hint for all that happens in it. */
const BURST_MS = 30;

export function openChangeWatch(core: Core, rows: WindowRows, apps: Apps, tell: (hint: ChangeHint) => void) {
  const waiting = new Map<string, ChangeHint>();
  let burst: NodeJS.Timeout | null = null;
  let timer: NodeJS.Timeout | null = null;
  let seen: { windows: string; applications: string } | null = null;

  const flush = (): void => {
    burst = null;
    const hints = [...waiting.values()];
    waiting.clear();
    hints.forEach(tell);
  };
  const hint = (kind: ChangeHint['kind'], pid: number | null): void => {
    waiting.set(`${kind} ${pid}`, { kind, pid });
    burst ??= setTimeout(flush, BURST_MS).unref();
  };
  const observers = openObservers(core, hint);
  const look = (): void => {
    const shown = rows.onScreen();
    const windows = shown.map(({ number, level, frame: { x, y, width, height } }) => [
      number,
      level,
      x,
      y,
      width,
      height,
    ]);
    core.runLoop.turn();
    const now = {
      windows: windows.join(';'),
      applications: apps
        .running()
        .map(({ pid }) => pid)
        .join(),
    };
    if (seen !== null && seen.windows !== now.windows) hint('windows', null);
    if (seen !== null && seen.applications !== now.applications) hint('applications', null);
    seen = now;
    observers.follow(shown.filter(({ level }) => level === rows.levels.normal).map(({ pid }) => pid));
  };

  return {
    start(): void {
      if (timer !== null) return;
      const again = (): void => void nullWithoutAnswer(look);
      again();
      timer = setInterval(again, LOOK_MS).unref();
    },
    close(): void {
      if (timer !== null) clearInterval(timer);
      if (burst !== null) clearTimeout(burst);
      observers.close();
    },
  };
}
