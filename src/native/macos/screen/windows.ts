import { contains } from '../../../base/rect.js';
import { DesktopError, type App, type Point, type ShownDocuments, type Window } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { ATTRIBUTE, SUBROLE } from '../accessibility/names.js';
import { isBrowser, openDocuments, UNKNOWN_DOCUMENTS, type Documents } from '../accessibility/documents.js';
import { nullWhenStale, nullWithoutAnswer } from '../accessibility/answers.js';
import { elementOf, listOf, textOf, truthOf } from '../accessibility/plain.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import type { Apps } from './apps.js';
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
const ORDINARY: ReadonlySet<string> = new Set([SUBROLE.standardWindow, SUBROLE.dialog]);

export function openWindows(core: Core, rows: WindowRows, apps: Apps): Windows {
  const documents = openDocuments(core);
  const describeAll = (wanted: readonly WindowRow[]): Window[] => {
    const front = apps.frontPid();
    const focused = front === null ? null : focusedNumber(core, front);
    const owners = new Map([...new Set(wanted.map(({ pid }) => pid))].map((pid) => [pid, apps.of(pid, front)]));
    const shown = new Map([...owners].map(([pid, app]) => [pid, shownWindows(core, documents, pid, app)]));
    return wanted.flatMap((row) => {
      const app = owners.get(row.pid) ?? null;
      const known = shown.get(row.pid) ?? null;
      const window = known?.get(row.number) ?? null;
      if (app === null || !isWindow(rows, row, known, window)) return [];
      return [describe(rows, row, app, window, row.number === focused && row.pid === front)];
    });
  };

  return {
    list: () => describeAll(rows.all()),
    at(point) {
      const { normal, popUpMenu } = rows.levels;
      const hit = rows
        .onScreen()
        .find(
          ({ level, alpha, frame }) => level >= normal && level <= popUpMenu && alpha > 0 && contains(frame, point),
        );
      return hit === undefined ? null : (describeAll([hit])[0] ?? null);
    },
    frontmost() {
      const pid = apps.frontPid();
      if (pid === null) return { app: null, window: null };
      const number = focusedNumber(core, pid);
      const row = rows.all().find((each) => each.number === number && each.pid === pid);
      return { app: apps.of(pid, pid), window: row === undefined ? null : (describeAll([row])[0] ?? null) };
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

/**
 * What an application shows through accessibility is a window. Of one that says nothing, what lies on the screen at the level of
 * ordinary windows. Its other surfaces are parts of windows, or wait in memory.
 */
function isWindow(rows: WindowRows, row: WindowRow, known: Map<number, Shown> | null, shown: Shown | null): boolean {
  if (shown !== null) return true;
  return known === null && row.onScreen && row.level === rows.levels.normal && row.alpha > 0;
}

function describe(rows: WindowRows, row: WindowRow, app: App, shown: Shown | null, focused: boolean): Window {
  const minimized = shown?.minimized ?? false;
  return {
    id: String(row.number),
    title: shown?.title ?? '',
    app,
    frame: row.frame,
    focused,
    minimized,
    visible: row.onScreen && !minimized,
    normal: row.level === rows.levels.normal && (shown?.ordinary ?? true),
    documentUrl: shown?.document ?? shown?.documents?.urls[0] ?? null,
    ...documentsOf(app, shown),
  };
}

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
function windowElements({ ax }: Core, scope: Scope, pid: number): Map<number, Ref> {
  const application = ax.application(scope, pid);
  const found = new Map<number, Ref>();
  for (const element of listOf(ax.attribute(scope, application, ATTRIBUTE.windows))) {
    const number = nullWhenStale(() => ax.windowNumber(element));
    if (number !== null) found.set(number, element);
  }
  return found;
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
