/** Where password fields show, so that pictures are masked there. */
import { intersect, overlaps } from '../../../base/rect.js';
import { DesktopError, type CaptureTarget, type Rect } from '../../desktop.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { present } from '../foundation/values.js';
import { listDisplays } from '../screen/displays.js';
import type { WindowRow, WindowRows } from '../screen/window-rows.js';
import type { Windows } from '../screen/windows.js';
import { isSecure } from './describe.js';
import { ATTRIBUTE, OWN_SURFACES, ROLE, TABLE_ROLES } from './names.js';
import { isBuiltOnChromium } from './page-waking.js';
import { frameOf, listOf, textOf } from './answers.js';

/** The least that tells a password field: its value is never among it. */
const KIND = [ATTRIBUTE.role, ATTRIBUTE.subrole, ATTRIBUTE.children] as const;
const ROWS = [ATTRIBUTE.rows, ATTRIBUTE.columns, ATTRIBUTE.visibleRows] as const;
const FRAME = [ATTRIBUTE.frame, ATTRIBUTE.position, ATTRIBUTE.size] as const;

/** For each application, and in elements: what is not searched through in time is covered whole. */
const SEARCH_MS = 1500;
const MOST_ELEMENTS = 20_000;

interface SearchParts {
  core: Core;
  rows: WindowRows;
  windows: Windows;
}

/** Also all of a window of which it is not known in time: of one that hangs, or has too much in it. */
export function secureAreas({ core, rows, windows }: SearchParts, target: CaptureTarget | null): Rect[] {
  const shown = picturedRows(core, rows, target);
  const silent = new Set<number>();
  const deadlines = new Map<number, number>();
  return shown.flatMap((row) => {
    if (silent.has(row.pid)) return [row.frame];
    const deadline = deadlines.get(row.pid) ?? Date.now() + SEARCH_MS;
    deadlines.set(row.pid, deadline);
    const found = areasIn(core, windows, row, deadline);
    if (found !== null) return found;
    silent.add(row.pid);
    return [row.frame];
  });
}

/** What a picture of the target can show; a window's has what its application shows beside it. */
function picturedRows(core: Core, rows: WindowRows, target: CaptureTarget | null): WindowRow[] {
  const shown = rows.onScreen().filter(({ alpha }) => alpha > 0);
  if (target?.kind !== 'window') {
    const area = target === null ? null : areaOf(core, target);
    // A sheet that reaches into the area is read with its window, which may not.
    const pids = new Set(shown.filter(({ frame }) => area === null || overlaps(frame, area)).map(({ pid }) => pid));
    return shown.filter(({ pid }) => pids.has(pid));
  }
  const own = shown.find(({ number }) => String(number) === target.windowId);
  return own === undefined ? [] : shown.filter(({ pid, frame }) => pid === own.pid && overlaps(frame, own.frame));
}

/** null where no display has that id. */
function areaOf(core: Core, target: Exclude<CaptureTarget, { kind: 'window' }>): Rect | null {
  if (target.kind === 'region') return target.rect;
  const { displayId } = target;
  return listDisplays(core).find(({ id, main }) => (displayId === undefined ? main : id === displayId))?.frame ?? null;
}

/** null where the search was not finished. A surface that accessibility does not know has no fields. */
function areasIn(core: Core, windows: Windows, row: WindowRow, deadline: number): Rect[] | null {
  return core.scoped((scope) => {
    try {
      const searching = { core, searchesPages: isBuiltOnChromium(core.processes.executable(row.pid)) };
      return search(searching, windows.elementOf(scope, row.pid, String(row.number)), row.frame, deadline);
    } catch (thrown) {
      if (!(thrown instanceof DesktopError) || thrown.code === 'permission') throw thrown;
      return thrown.code === 'not_found' ? [] : null;
    }
  });
}

interface Searching {
  core: Core;
  /**
   * The application may be asked for the fields of its pages. Only Chromium may: what WebKit finds can lack frames that other processes
   * show.
   */
  searchesPages: boolean;
}

interface Waiting {
  id: string;
  /** What is below it is known already. */
  alone: boolean;
  /** What cuts it; null in a sheet and the like, which may reach beyond their window. */
  within: Rect | null;
}

function search(searching: Searching, window: Ref, frame: Rect, deadline: number): Rect[] | null {
  const { elements, scoped } = searching.core;
  const found: Rect[] = [];
  const first = elements.idOf(window);
  const seen = new Set([first]);
  const waiting: Waiting[] = [{ id: first, alone: false, within: frame }];
  try {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (Date.now() >= deadline || seen.size > MOST_ELEMENTS) return null;
      const { id, alone, within } = next;
      const look = scoped((scope) => lookAt(searching, scope, elements.refOf(id)));
      if (look.secure) found.push(...shownPart(look.frame, within, frame));
      const below = OWN_SURFACES.has(look.role) ? null : within;
      for (const child of alone ? [] : look.children) {
        if (seen.has(child)) continue;
        seen.add(child);
        waiting.push({ id: child, alone: look.searched, within: below });
      }
    }
    return found;
  } finally {
    elements.trim();
  }
}

/** One that does not tell where it is may be anywhere in its window. */
function shownPart(own: Rect | null, within: Rect | null, window: Rect): Rect[] {
  if (own === null) return [window];
  const shown = within === null ? own : intersect(own, within);
  return shown === null ? [] : [shown];
}

interface Look {
  role: string;
  secure: boolean;
  /** Of a password field. */
  frame: Rect | null;
  /** Ids; none of a password field, whose parts are within it. */
  children: string[];
  /** The children are all below it that can be fields, and need no further look. */
  searched: boolean;
}

function lookAt({ core, searchesPages }: Searching, scope: Scope, ref: Ref): Look {
  const { ax, elements } = core;
  const [given, subrole, children] = readKind(core, scope, ref);
  const role = textOf(given) ?? ROLE.unknown;
  const secure = isSecure(role, subrole);
  if (!secure) {
    const fields = searchesPages && role === ROLE.webArea ? fieldsOfPage(core, scope, ref) : null;
    const ids = (fields ?? listOf(children)).map(elements.idOf);
    const below = TABLE_ROLES.has(role) ? shownOfTable(core, scope, ref, ids) : ids;
    return { role, secure, frame: null, children: below, searched: fields !== null };
  }
  const [frame, position, size] = ax.attributes(scope, ref, FRAME);
  return { role, secure, frame: frameOf(frame, position, size), children: [], searched: false };
}

const MOST_FIELDS = 1000;
/** Whatever may be a field: also one to which the page gives another role. */
const KEYS = ['AXTextFieldSearchKey', 'AXControlSearchKey'] as const;

/** In one question to the browser, however large the page is. null where it may have left some out, or does not answer so. */
function fieldsOfPage({ ax, making }: Core, scope: Scope, page: Ref): Ref[] | null {
  const text = (each: string): Ref => present(making.text(scope, each));
  const parameter = making.dictionary(
    scope,
    ['AXSearchKey', 'AXDirection', 'AXResultsLimit'].map(text),
    [making.list(scope, KEYS.map(text)), text('AXDirectionNext'), making.number(scope, MOST_FIELDS)].map(present),
  );
  const found = listOf(ax.attributeFor(scope, page, ATTRIBUTE.search, present(parameter)));
  return found.length === 0 || found.length >= MOST_FIELDS ? null : found;
}

/** Without the rows that do not show, and without columns, which have the same cells. */
function shownOfTable({ ax, elements }: Core, scope: Scope, ref: Ref, children: readonly string[]): string[] {
  const [rows, columns, visible] = ax.attributes(scope, ref, ROWS).map((value) => listOf(value).map(elements.idOf));
  if (visible === undefined || visible.length === 0) return [...children];
  const left = new Set([...(rows ?? []), ...(columns ?? [])]);
  return [...children.filter((child) => !left.has(child)), ...visible];
}

/** One that went away meanwhile has nothing below it. */
function readKind({ ax }: Core, scope: Scope, ref: Ref): ReturnType<Core['ax']['attributes']> {
  try {
    return ax.attributes(scope, ref, KIND);
  } catch (thrown) {
    if (thrown instanceof DesktopError && thrown.code === 'stale') return GONE;
    throw thrown;
  }
}

const GONE: ReturnType<Core['ax']['attributes']> = [
  { kind: 'text', text: 'AXGroup' },
  { kind: 'text', text: '' },
  { kind: 'list', refs: [] },
];
