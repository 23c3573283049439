/**
 * Whether the system saw the press that a page reports. A page that is driven by accessibility or by its browser's own interface
 * is pressed without any input. Called by approvals.ts.
 */
import { LRUCache } from 'lru-cache';
import { contains } from '../../../base/rect.js';
import type { DesktopBackend, Point, StackedWindow } from '../../../native/desktop.js';
import type { ProcessTable } from '../../../native/peer/types.js';

export interface SeenPresses {
  /** `pid`: the page's process; null where it is not known. `byPointer`: the page reports where it was pressed. */
  pressBegan(connection: string, pid: number | null, byPointer: boolean): void;
  /**
   * False where no key or button of the person went down on that page as its press began. To be asked when all input until then has
   * been told. Each press counts for one Allow. True where the system does not tell of presses.
   */
  wasSeen(connection: string): Promise<boolean>;
  close(): void;
}

interface SeenPressesOptions {
  desktop: Pick<DesktopBackend, 'onPersonPress' | 'stack'>;
  processes: Pick<ProcessTable, 'lookup' | 'lineage'>;
  /** Milliseconds, never running backwards. */
  now(): number;
}

interface Seen {
  at: number;
  /** null for a key. */
  point: Point | null;
}

interface Reported {
  at: number;
  byPointer: boolean;
  isOwn: IsPageWindow;
}

/** An assistive program presses a moment after its own key press, and the reports of page and system arrive separately. */
const BEFORE_MS = 1_000;
const AFTER_MS = 1_000;
const STACK_TIMEOUT_MS = 5_000;
const MAX_SEEN = 200;
const MAX_PAGES_PRESSING = 64;

export const NO_PRESSES_ASKED: SeenPresses = {
  pressBegan: () => undefined,
  wasSeen: () => Promise.resolve(true),
  close: () => undefined,
};

export function watchPresses({ desktop, processes, now }: SeenPressesOptions): SeenPresses {
  const reported = new LRUCache<string, Reported>({ max: MAX_PAGES_PRESSING });
  let seen: Seen[] = [];
  const stop = desktop.onPersonPress?.((point) => {
    seen = [...seen, { at: now(), point }].slice(-MAX_SEEN);
  });

  return {
    pressBegan(connection, pid, byPointer) {
      reported.set(connection, { at: now(), byPointer, isOwn: pageWindows(processes, pid) });
    },
    async wasSeen(connection) {
      if (stop === undefined) return true;
      const press = reported.get(connection);
      reported.delete(connection);
      if (press === undefined) return false;
      const stack = await desktop.stack(AbortSignal.timeout(STACK_TIMEOUT_MS));
      const fits = ({ at, point }: Seen): boolean =>
        at >= press.at - BEFORE_MS &&
        at <= press.at + AFTER_MS &&
        (point !== null || !press.byPointer) &&
        isOnPage(stack, press.isOwn, point);
      const found = seen.findLast(fits);
      seen = seen.filter((one) => one !== found);
      return found !== undefined;
    },
    close: () => stop?.(),
  };
}

/** The window under the pointer, or the one with the keyboard, is the page's. */
function isOnPage(stack: readonly StackedWindow[], isOwn: IsPageWindow, point: Point | null): boolean {
  const pressed = stack.find(({ areas, focused }) =>
    point === null ? focused : areas.some((area) => contains(area, point)),
  );
  return pressed !== undefined && isOwn(pressed);
}

export type IsPageWindow = (window: Pick<StackedWindow, 'pid' | 'managed' | 'title'>) => boolean;

const TITLE = 'Chaperone';

/** All windows of the program that holds the page's connection; where the kernel does not name it, those with the page's title. */
export function pageWindows(processes: Pick<ProcessTable, 'lookup' | 'lineage'>, pid: number | null): IsPageWindow {
  if (pid === null) return ({ managed, title }) => managed && title.includes(TITLE);
  const executable = processes.lookup(pid)?.executable;
  const program = (of: number) => processes.lineage(of).filter((one) => one.executable === executable);
  const line = new Set([pid, ...program(pid).map((one) => one.pid)]);
  return (window) => line.has(window.pid) || (window.pid !== 0 && program(window.pid).some((one) => line.has(one.pid)));
}
