import { contains } from '../../../base/rect.js';
import {
  DesktopError,
  type App,
  type Point,
  type ShownDocuments,
  type Window,
  type Rect,
  type WindowState,
  type StackedWindow,
} from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { ATTRIBUTE, ROLE, SUBROLE } from '../accessibility/names.js';
import { isBrowser, openDocuments, UNKNOWN_DOCUMENTS, type Documents } from '../accessibility/documents.js';
import { roleOf } from '../accessibility/describe.js';
import { nullWhenStale, nullWithoutAnswer, elementOf, listOf, textOf, truthOf } from '../accessibility/answers.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { isOwnProcess } from '../processes.js';
import type { Apps, AppsNow } from './apps.js';
import { listDisplays, visibleFrames } from './displays.js';
import { openHitTests, type Hit, type HitTests, coversDisplay, isSystemSurface, areasOfProcess } from './hit-tests.js';
import type { WindowRow, WindowRows } from './window-rows.js';

export interface Windows {
  /** Topmost first; those that do not show come last, in no order. */
  list(): Window[];
  frontmost(): { app: App | null; window: Window | null };
  at(point: Point): Window | null;
  /** Of the windows that an application shows through accessibility: of this space, and minimised ones. */
  numbersOf(pid: number): ReadonlySet<number>;
  /** The element of a window of that process, for as long as the scope. Throws `not_found`. */
  elementOf(scope: Scope, pid: number, windowId: string): Ref;
}

/** What accessibility says of a window. */
interface Shown {
  title: string;
  minimized: boolean;
  ordinary: boolean;
  document: string | null;
  documents: ShownDocuments | undefined;
}

const WINDOW_ATTRIBUTES = [ATTRIBUTE.title, ATTRIBUTE.subrole, ATTRIBUTE.minimized, ATTRIBUTE.document] as const;
const ELSEWHERE = [ATTRIBUTE.mainWindow, ATTRIBUTE.focusedWindow, ATTRIBUTE.children] as const;
const ORDINARY: ReadonlySet<string> = new Set([SUBROLE.standardWindow, SUBROLE.dialog]);

export function openWindows(core: Core, rows: WindowRows, apps: Apps): Windows {
  const documents = openDocuments(core);
  const hits = openHitTests(core);
  const look = (): Look => new Look(core, { documents, hits, rows, apps });

  return {
    list() {
      const now = look();
      return rows.all().flatMap((row) => now.listed(row) ?? []);
    },
    at: (point) => look().at(point),
    frontmost() {
      const now = look();
      const row = rows.all().find(({ number, pid }) => number === now.focused && pid === now.front);
      return {
        app: now.front === null ? null : now.app(now.front),
        window: row === undefined ? null : now.listed(row),
      };
    },
    numbersOf: (pid) => core.scoped((scope) => new Set(windowElements(core, scope, pid).keys())),
    elementOf(scope, pid, windowId) {
      const found = windowElements(core, scope, pid).get(Number(windowId));
      if (found !== undefined) return found;
      const row = rows.all().find(({ number }) => String(number) === windowId);
      if (row === undefined) throw new DesktopError('not_found', message('native.no_such_window', { id: windowId }));
      const why = row.pid === pid ? 'native.window_no_elements' : 'native.window_of_other_app';
      throw new DesktopError('not_found', message(why));
    },
  };
}

interface LookParts {
  documents: Documents;
  hits: HitTests;
  rows: WindowRows;
  apps: Apps;
}

/** One look at the screen: each application is asked once for its windows. */
class Look {
  /** The application in front, and the number of its window that has the focus. */
  readonly front: number | null;
  readonly focused: number | null;
  readonly #core: Core;
  readonly #parts: LookParts;
  readonly #apps: AppsNow;
  readonly #shown = new Map<number, ReadonlyMap<number, Shown> | null>();

  constructor(core: Core, parts: LookParts) {
    this.#core = core;
    this.#parts = parts;
    this.front = parts.apps.frontPid();
    this.focused = this.front === null ? null : focusedNumber(core, this.front);
    this.#apps = parts.apps.look(this.front);
  }

  app(pid: number): App | null {
    return this.#apps.of(pid);
  }

  /** As lists have it: windows, and what shows beside them. null for parts of windows, icons in the menu bar and what waits in memory. */
  listed(row: WindowRow): Window | null {
    const known = this.#windowsOf(row.pid);
    if (known?.has(row.number) === true) return this.describe(row);
    const app = this.app(row.pid);
    if (app === null || !isShown(row) || isSystemSurface(app)) return null;
    if (known === null) return this.describe(row);
    const hit = this.#parts.hits.ofProcess(row.pid, centreOf(row));
    if (hit?.place === 'menuBar') return null;
    if (isOwnProcess(row.pid)) return this.describe(row);
    const waits = hit === null && this.#isNormal(row) && !this.#saysNothing(row.pid);
    return waits || isPart(hit, known) ? null : this.describe(row);
  }

  /**
   * By the system's hit test, which knows what lets the pointer through. It also passes over some windows that take clicks: those in
   * `AXWindows`, those of applications that do not answer, and our own count wherever they are.
   */
  at(point: Point): Window | null {
    const { rows, hits } = this.#parts;
    const { normal, popUpMenu } = rows.levels;
    const shown = rows.onScreen().filter(isShown);
    const there = shown.filter(({ level, frame }) => level >= normal && level <= popUpMenu && contains(frame, point));
    const hit = there.length === 0 ? null : hits.ofSystem(point);
    for (const row of there) {
      if (this.app(row.pid) === null) {
        // Of the system, as the menu bar is: only what lies over everything may let the pointer through.
        if (hit === null || hit.place === 'menuBar' || !this.#coversDisplay(row)) return null;
        continue;
      }
      const known = this.#windowsOf(row.pid);
      if (known === null || isOwnProcess(row.pid)) return this.describe(row);
      if (known.has(row.number)) {
        if (this.#isOverlay(row, hit, point)) continue;
        return this.describe(row);
      }
      const whole =
        hit?.pid === row.pid && isPart(hit, known) ? shown.find(({ number }) => number === hit.window) : undefined;
      if (whole !== undefined && !contains(whole.frame, point)) return this.describe(whole);
      if (whole === undefined && this.#takesClicks(row, hit, point)) return this.describe(row);
    }
    return null;
  }

  /**
   * Of one that accessibility names as a window: above the windows, over a whole display, with nothing of its own there, and the system
   * names another application, as with tools that draw borders or marks.
   */
  #isOverlay(row: WindowRow, hit: Hit | null, point: Point): boolean {
    if (hit === null || hit.pid === row.pid || this.#isNormal(row) || !this.#coversDisplay(row)) return false;
    return this.#parts.hits.ofProcess(row.pid, point)?.bare ?? true;
  }

  /** Of one that accessibility does not name as a window. */
  #takesClicks(row: WindowRow, hit: Hit | null, point: Point): boolean {
    if (hit?.pid === row.pid || this.#parts.hits.ofProcess(row.pid, point) !== null) return true;
    return hit === null && !this.#coversDisplay(row);
  }

  #coversDisplay({ frame }: WindowRow): boolean {
    return coversDisplay(listDisplays(this.#core), frame);
  }

  /** What is no window to accessibility has the title of the window that its application has in front. */
  describe(row: WindowRow): Window | null {
    const app = this.app(row.pid);
    if (app === null) return null;
    const known = this.#windowsOf(row.pid);
    const shown = known?.get(row.number) ?? null;
    const minimized = shown?.minimized ?? false;
    return {
      id: String(row.number),
      title: (shown ?? known?.values().next().value)?.title ?? '',
      app,
      frame: row.frame,
      focused: row.number === this.focused && row.pid === this.front,
      minimized,
      visible: row.onScreen && !minimized,
      normal: this.#isNormal(row) && (shown?.ordinary ?? this.#saysNothing(row.pid)),
      documentUrl: shown?.document ?? shown?.documents?.urls[0] ?? null,
      ...documentsOf(app, shown),
    };
  }

  #isNormal({ level }: WindowRow): boolean {
    return level === this.#parts.rows.levels.normal;
  }

  /** It has windows, or may have, and names none: then what lies at the level of ordinary windows are its windows. */
  #saysNothing(pid: number): boolean {
    const known = this.#windowsOf(pid);
    return known === null || (known.size === 0 && this.#apps.isRegular(pid));
  }

  /** null where it does not answer. */
  #windowsOf(pid: number): ReadonlyMap<number, Shown> | null {
    const known = this.#shown.get(pid);
    if (known !== undefined) return known;
    const read = shownWindows(this.#core, this.#parts.documents, pid, this.app(pid));
    this.#shown.set(pid, read);
    return read;
  }
}

const centreOf = ({ frame: { x, y, width, height } }: WindowRow): Point => ({ x: x + width / 2, y: y + height / 2 });

const isShown = ({ onScreen, alpha }: WindowRow): boolean => onScreen && alpha > 0;

/** Sheets, popovers and what is drawn beside a window count as that window; a menu never does. */
const isPart = (hit: Hit | null, known: ReadonlyMap<number, Shown>): hit is Hit & { window: number } =>
  hit !== null && hit.place !== 'menu' && hit.window !== null && known.has(hit.window);

/** A browser that does not answer may show anything. */
function documentsOf(app: App, shown: Shown | null): Pick<Window, 'documents'> {
  const documents = shown === null && isBrowser(app) ? UNKNOWN_DOCUMENTS : shown?.documents;
  return documents === undefined ? {} : { documents };
}

/** null where the application does not answer, or has ended. */
function shownWindows(core: Core, documents: Documents, pid: number, app: App | null): Map<number, Shown> | null {
  return core.scoped((scope) =>
    nullWithoutAnswer(() => {
      const elements = [...windowElements(core, scope, pid)];
      return new Map(
        elements.map(([number, element]) => [number, readWindow(core, documents, app, scope, element)] as const),
      );
    }),
  );
}

function readWindow(core: Core, documents: Documents, app: App | null, scope: Scope, element: Ref): Shown {
  const [title, subrole, minimized, document] = core.ax.attributes(scope, element, WINDOW_ATTRIBUTES);
  return {
    title: textOf(title) ?? '',
    minimized: truthOf(minimized) ?? false,
    ordinary: ORDINARY.has(textOf(subrole) ?? ''),
    document: textOf(document),
    documents: app === null ? undefined : documents.of(scope, app, element),
  };
}

/** Window numbers to elements. An application may list a window twice, and one that went away meanwhile. */
function windowElements(core: Core, scope: Scope, pid: number): Map<number, Ref> {
  const { ax } = core;
  const application = ax.application(scope, pid);
  const listed = listOf(ax.attribute(scope, application, ATTRIBUTE.windows));
  const found = new Map<number, Ref>();
  for (const element of listed.length > 0 ? listed : unlistedWindows(core, scope, application)) {
    const number = nullWhenStale(() => ax.windowNumber(element));
    if (number !== null) found.set(number, element);
  }
  return found;
}

/** Some applications give an empty list, or none, and name their windows elsewhere. */
function unlistedWindows(core: Core, scope: Scope, application: Ref): Ref[] {
  const [main, focused, children] = core.ax.attributes(scope, application, ELSEWHERE);
  const below = listOf(children).filter((child) => roleOf(core, scope, child) === ROLE.window);
  return [elementOf(main), elementOf(focused), ...below].filter((each) => each !== null);
}

/** The number of the window that has the focus in an application, or is its main one. */
function focusedNumber({ scoped, ax }: Core, pid: number): number | null {
  return scoped((scope) =>
    nullWithoutAnswer(() => {
      const application = ax.application(scope, pid);
      const window =
        elementOf(ax.attribute(scope, application, ATTRIBUTE.focusedWindow)) ??
        elementOf(ax.attribute(scope, application, ATTRIBUTE.mainWindow));
      return window === null ? null : ax.windowNumber(window);
    }),
  );
}

const STATES = [
  ATTRIBUTE.minimized,
  ATTRIBUTE.modal,
  ATTRIBUTE.fullScreen,
  ATTRIBUTE.minimizeButton,
  ATTRIBUTE.closeButton,
] as const;
/** Points by which the frame of a maximised window may differ from the room it has. */
const TOLERANCE = 2;

export function readWindowState(core: Core, rows: WindowRows, windows: Windows, id: string): WindowState {
  const row = rows.all().find(({ number }) => String(number) === id);
  if (row === undefined) throw new DesktopError('not_found', message('native.no_such_window', { id }));
  const { ax, scoped } = core;
  return scoped((scope) => {
    const element = elementOrNone(windows, scope, row);
    const [minimized, modal, fullScreen, minimizeButton, closeButton] =
      element === null ? [] : ax.attributes(scope, element, STATES);
    const isMinimized = truthOf(minimized) ?? false;
    return {
      resizable: element !== null && ax.settable(element, ATTRIBUTE.size),
      minimizable: isUsable(core, scope, elementOf(minimizeButton)),
      closable: isUsable(core, scope, elementOf(closeButton)),
      modal: truthOf(modal),
      floating: row.level >= rows.levels.floating,
      hidden: !row.onScreen && !isMinimized,
      minimized: isMinimized,
      maximized: visibleFrames(core).some((frame) => isClose(frame, row.frame)),
      fullscreen: truthOf(fullScreen),
      focused: windows.frontmost().window?.id === id,
    };
  });
}

/** null for what shows beside windows, such as a menu. */
function elementOrNone(windows: Windows, scope: Scope, { pid, number, onScreen }: WindowRow): Ref | null {
  try {
    return windows.elementOf(scope, pid, String(number));
  } catch (thrown) {
    if (onScreen && thrown instanceof DesktopError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}

/** Of a button of the title bar. */
function isUsable({ ax }: Core, scope: Scope, button: Ref | null): boolean {
  return button !== null && truthOf(ax.attribute(scope, button, ATTRIBUTE.enabled)) !== false;
}

function isClose(a: Rect, b: Rect): boolean {
  const differences = [a.x - b.x, a.y - b.y, a.width - b.width, a.height - b.height];
  return differences.every((each) => Math.abs(each) <= TOLERANCE);
}

interface StackParts {
  core: Core;
  rows: WindowRows;
  apps: Apps;
  windows: Windows;
}

/**
 * All that shows, topmost first: also surfaces that are no windows to accessibility. The Dock, the menu bar and the like are above the
 * levels of windows and take clicks, so they are in it too.
 */
export function listStack({ core, rows, apps, windows }: StackParts): StackedWindow[] {
  const known = new Map(windows.list().map((window) => [window.id, window]));
  const displays = listDisplays(core);
  const now = apps.look(null);
  return rows
    .onScreen()
    .filter(({ alpha }) => alpha > 0)
    .map(({ number, pid, frame }) => {
      const window = known.get(String(number));
      const seeThrough = window === undefined && coversDisplay(displays, frame);
      const areas = (seeThrough ? areasOfSystem(core, pid) : null) ?? [frame];
      const managed = window?.normal ?? false;
      const app = window?.app ?? now.of(pid);
      const stacked = { pid, title: window?.title ?? '', areas, frame, managed, focused: window?.focused ?? false };
      return app === null ? stacked : { ...stacked, app: { id: app.id, otherIds: app.otherIds ?? [] } };
    });
}

/** null where it is not the system's, or does not tell what it shows. */
const areasOfSystem = (core: Core, pid: number): Rect[] | null =>
  isSystemSurface({ program: core.processes.executable(pid) }) ? areasOfProcess(core, pid) : null;
