/**
 * Keeps agents from handing Chaperone's own files (policy, pairings, grants, record) to applications. Checks the arguments of an
 * act, its plan and the file dialog it acts in; refuses where one of those files is named.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DesktopError, type App, type DesktopReader, type Element, type Window } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { dialogFolder, fileDialogTree, rootRole, type DialogFolder } from './target/file-dialog-tree.js';
import { windowsOf, type Plan, type PlannedInput, targetElement } from '../approvals/plan.js';
import { message } from '../../messages/index.js';

// Acts in a file manager's window that shows, or may show, Chaperone's own files. What is known to touch one is refused; the rest is
// asked about each time, with a note.

/** `folder`: a folder of Chaperone's; `perhaps`: something with such a name, or the texts cannot be read. */
type OwnFilesShown = 'folder' | 'perhaps' | 'none';

interface FileManagerRules {
  isFileManager(app: App): boolean;
  /** Judges the title of a window and all texts in it; `texts` null: they cannot be read. */
  shownBy(title: string, texts: readonly string[] | null): OwnFilesShown;
}

const LIMITS = { maxDepth: 60, maxNodes: 4000, timeoutMs: 4000 };
/** Anything else in such a window may be a file, or the area between files from which several are dragged. */
const CONTROL_ROLES: ReadonlySet<string> = new Set(['AXButton', 'AXCheckBox', 'AXPopUpButton', 'AXMenuButton', 'AXMenu', 'AXMenuBar', 'AXMenuItem', 'AXMenuBarItem', 'AXScrollBar', 'AXTextField', 'AXComboBox']); // prettier-ignore

interface FileManagerAct {
  /** It may touch own files in this window, so the person is asked each time. */
  asks: boolean;
  /** The window in which it touches one. */
  refusedIn: Window | null;
}

async function judgeFileManagerAct(
  rules: FileManagerRules,
  desktop: DesktopReader,
  plan: Plan,
  signal: AbortSignal,
): Promise<FileManagerAct> {
  const plans = [plan, ...(plan.steps ?? []).map((step) => step.plan)].filter((one) => one !== null);
  const dropWindows = plans.map(({ drop }) => drop?.window ?? null).filter((one) => one !== null);
  let asks = false;
  for (const window of [...windowsOf(plan), ...dropWindows]) {
    if (!rules.isFileManager(window.app)) continue;
    const shown = await ownFilesShown(rules, desktop, window, signal);
    if (shown === 'folder' && plans.some((one) => touchesFile(one, window))) return { asks: true, refusedIn: window };
    asks ||= shown !== 'none';
  }
  return { asks, refusedIn: null };
}

async function ownFilesShown(
  { shownBy }: FileManagerRules,
  desktop: DesktopReader,
  { id, title, app }: Window,
  signal: AbortSignal,
): Promise<OwnFilesShown> {
  try {
    const { nodes, truncated } = await desktop.tree({ pid: app.pid, windowId: id }, LIMITS, signal);
    const texts = nodes.flatMap(({ element }) => textsOf(element));
    const shown = shownBy(title, texts);
    const whole = !truncated.depth && !truncated.nodes && !truncated.time;
    return shown === 'none' && !whole ? 'perhaps' : shown;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof DesktopError) return shownBy(title, null);
    throw thrown;
  }
}

const textsOf = ({ title, value, description }: Element): string[] => [title, value ?? '', description];

/** Drags a file out of the window or into it, or presses something in it that may be one. */
function touchesFile(plan: Plan, window: Window): boolean {
  const inside = plan.window?.id === window.id;
  if (plan.drop !== undefined) return inside || plan.drop.window?.id === window.id;
  if (!inside || plan.does?.kind === 'nothing') return false;
  if (plan.target.kind !== 'point' && plan.target.kind !== 'element') return false;
  const element = targetElement(plan);
  return element === null || !CONTROL_ROLES.has(element.role);
}

export interface OwnFiles extends FileManagerRules {
  /** True for the path of an own file, in any spelling and through links. */
  has(path: string): boolean;
  /** True for a relative path that leads to an own file, or may do so because `folder` is not fully known. */
  hasRelative(path: string, folder: DialogFolder): boolean;
  /** True where the folder that a dialog shows is, or may be, an own folder. */
  isShown(folder: DialogFolder): boolean;
}

/** Everything below `folders` is an own file. `fileManager`: whether an application manages files. */
export function createOwnFiles(folders: readonly string[], fileManager: (app: App) => boolean = () => false): OwnFiles {
  const below = (path: string) =>
    folders.some((folder) => [folder, real(folder)].some((own) => path === own || path.startsWith(own + sep)));
  const places = folders.flatMap((folder) => [folder, real(folder)]);
  const names = new Set(places.map((place) => basename(place)));
  const above = new Set(places.flatMap((place) => dirname(place).split(sep)).filter((name) => name !== ''));
  const holdsOwn = (path: string) => places.some((place) => place.startsWith(path.endsWith(sep) ? path : path + sep));
  function has(given: string): boolean {
    const path = pathIn(given);
    return path !== null && (below(path) || below(real(path)) || isHardLink(path, folders));
  }
  return {
    has,
    isFileManager: fileManager,
    shownBy(title, texts) {
      const called = [title, ...title.split(/ [-–—] /)].map((part) => part.trim());
      const isOwn = called.some((name) => names.has(name));
      if (texts === null) return isOwn ? 'folder' : 'perhaps';
      const all = texts.map((text) => text.trim());
      const entries = entriesIn(folders);
      if (all.some(has) || (isOwn && all.some((text) => entries.has(text)))) return 'folder';
      const paths = all.map(pathIn).filter((path) => path !== null);
      const isNear = called.some((name) => above.has(name)) || all.some((text) => names.has(text) || entries.has(text));
      // A window that tells no folder may show any.
      return isOwn || isNear || paths.length === 0 || paths.some((path) => holdsOwn(path) || holdsOwn(real(path)))
        ? 'perhaps'
        : 'none';
    },
    hasRelative(given, folder) {
      const text = given.trim();
      if (text === '' || text.length > 255 * 16 || pathIn(text) !== null) return false;
      if (folder.path !== null) return below(real(normalize(join(folder.path, text))));
      const steps = text.split(sep);
      // Where only the folder's name is known, a path with several steps may lead anywhere.
      if (steps.length === 1 && folder.name !== null && !names.has(folder.name)) return false;
      const name = steps.at(-1) ?? '';
      return steps.slice(0, -1).some((step) => names.has(step)) || entriesIn(folders).has(name);
    },
    isShown: ({ path, name }) => (path === null ? name !== null && names.has(name) : below(path) || below(real(path))),
  };
}

function entriesIn(folders: readonly string[]): Set<string> {
  return new Set(folders.flatMap((folder) => attempt(() => readdirSync(folder)) ?? []));
}

/** The path that the whole text is, as a file dialog would understand it; null for any other text. */
function pathIn(given: string): string | null {
  const text = given.trim();
  if (text.includes('\0') || text.length > 4096) return null;
  if (text.startsWith('file://')) return attempt(() => normalize(fileURLToPath(text)));
  if (text === '~' || text.startsWith('~/')) return normalize(join(homedir(), text.slice(1)));
  return text.startsWith(sep) ? normalize(text) : null;
}

/** The path without links, also for a file that does not exist yet. */
function real(path: string): string {
  const found = attempt(() => realpathSync(path));
  if (found !== null || dirname(path) === path) return found ?? path;
  return join(real(dirname(path)), basename(path));
}

function isHardLink(path: string, folders: readonly string[]): boolean {
  const file = attempt(() => statSync(path));
  if (file === null || !file.isFile() || file.nlink < 2) return false;
  const own = folders.flatMap((folder) => (attempt(() => readdirSync(folder)) ?? []).map((name) => join(folder, name)));
  return own.some((one) => {
    const other = attempt(() => statSync(one));
    return other?.ino === file.ino && other.dev === file.dev;
  });
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

interface FilesAtHand {
  /** The person must be asked: a grant for an application does not say which files it may be given. */
  asks: boolean;
  /** A file manager may show own files where it acts. */
  ownFiles: boolean;
}

/** Throws where the arguments name an own file. */
export const assertNoOwnFile = (own: OwnFiles, given: unknown): void => assertNone(own, textsIn([given]));

/** Throws where an act is given an own file, would confirm a dialog that names one, or takes one out of a file manager. */
export async function checkFiles(
  own: OwnFiles,
  desktop: DesktopReader,
  { plan, given }: { plan: Plan; given: unknown },
  signal: AbortSignal,
): Promise<FilesAtHand> {
  const named = textsIn([given, plan.text, (plan.steps ?? []).map((step) => [step.arguments, step.plan?.text])]);
  assertNone(own, named);
  let asks = false;
  for (const window of windowsOf(plan)) {
    const role = await knownRole(desktop, window, signal);
    const dialog = await dialogIn(desktop, window, signal, role);
    if (dialog === null) {
      asks ||= await asksInDialog(desktop, window, role, signal);
      continue;
    }
    asks ||= !onlyTypes(plan) && plan.file === undefined;
    assertNone(own, dialog.texts);
    assertNoneRelative(own, dialog, named);
  }
  const { asks: ownFiles, refusedIn } = await judgeFileManagerAct(own, desktop, plan, signal);
  if (refusedIn !== null) throw everyFileError(refusedIn.title);
  return { asks: asks || ownFiles, ownFiles };
}

/** null where it cannot be read. */
function knownRole(desktop: DesktopReader, window: Window, signal: AbortSignal): Promise<string | null> {
  return rootRole(desktop, window, signal).catch((thrown: unknown) => {
    if (thrown instanceof DesktopError) return null;
    throw thrown;
  });
}

const QUESTION_ROLES: ReadonlySet<string> = new Set(['dialog', 'alert']);
const NO_ELEMENTS: ReadonlySet<string> = new Set(['not_found', 'unsupported']);

interface Dialog {
  /** Values of all elements. */
  texts: string[];
  /** Values of editable fields. */
  typed: string[];
  folder: DialogFolder;
}

/** null for a window that is no file dialog, or has no accessibility. A window that cannot be read is treated as a dialog. */
async function dialogIn(
  desktop: DesktopReader,
  window: Window,
  signal: AbortSignal,
  role: string | null = null,
): Promise<Dialog | null> {
  try {
    const tree = await fileDialogTree(desktop, window, signal, role);
    if (tree === null) return null;
    const elements = tree.nodes.map(({ element }) => element);
    const held = (all: readonly Element[]) => all.map(({ value }) => value ?? '');
    const typed = held(elements.filter(({ states }) => states.editable));
    return { texts: held(elements), typed, folder: dialogFolder(tree) };
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof DesktopError)
      return NO_ELEMENTS.has(thrown.code) ? null : { texts: [], typed: [], folder: { path: null, name: null } };
    throw thrown;
  }
}

/** Text in a field, which hands over nothing: what confirms it is asked about. */
function onlyTypes({ does = { kind: 'press' }, steps, ...plan }: Plan): boolean {
  const element = targetElement(plan);
  if (steps !== undefined || plan.drop !== undefined || element?.role !== 'AXTextField') return false;
  return element.states.editable && (does.kind === 'press' || (does.kind !== 'keys' && !/\p{Cc}/u.test(textOf(does))));
}

const textOf = (does: PlannedInput): string => ('text' in does ? does.text : '');

/** Whether it may be the question of a file dialog that is open, such as whether a file may be replaced: its buttons have any names. */
async function asksInDialog(
  desktop: DesktopReader,
  window: Window,
  role: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  if (role !== null && !QUESTION_ROLES.has(role)) return false;
  const others = (await desktop.windows(signal)).filter(
    ({ id, app }) => id !== window.id && app.pid === window.app.pid,
  );
  const found = await Promise.all(others.map((one) => dialogIn(desktop, one, signal)));
  return found.some((dialog) => dialog !== null);
}

/** An absolute path, given or typed, makes the folder that the dialog shows irrelevant. */
function assertNoneRelative(own: OwnFiles, { typed, folder }: Dialog, named: readonly string[]): void {
  const all = [...named, ...typed];
  const leavesFolder = all.some((text) => pathIn(text) !== null);
  const relative = all.find((text) => own.hasRelative(text, folder));
  if (relative !== undefined) throw ownFileError(relative.trim());
  if (own.isShown(folder) && !leavesFolder) throw everyFileError(folder.path ?? folder.name ?? '');
}

/** Throws where one of the texts is the path of an own file. */
function assertNone(own: OwnFiles, texts: readonly string[]): void {
  const path = texts.find((text) => own.has(text));
  if (path !== undefined) throw ownFileError(path.trim());
}

const ownFileError = (path: string): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', message('error.own_file', { path }), {
    reason: 'own_file',
    next: 'Use another file; where it only has the same name, give its whole path from the root. To have Chaperone’s settings changed, ask the person with send_message.',
  });

/** For a window or folder in which every file is one. */
export const everyFileError = (place: string): WireError => ownFileError(`Every file in “${place}”`);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
