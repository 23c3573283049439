/**
 * Chaperone's own files (policy, pairings, grants, record) given to applications. Comes in: what an act is given, its plan, and
 * the file dialog it is done in. Goes out: a refusal where one of those files is named, or that the person is to be asked.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DesktopError } from '../../native/desktop.js';
import type { DesktopReader, Element, Window } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import { dialogFolder, fileDialogTree } from './target/file-dialog-tree.js';
import type { DialogFolder } from './target/file-dialog-tree.js';
import type { Plan } from './plan.js';

export interface OwnFiles {
  /** True for the path of one of them, however it is written, also through links. */
  has(path: string): boolean;
  /** True for a relative path that is one of them where the folder it starts in is one of ours, or may be. */
  hasRelative(path: string, folder: DialogFolder): boolean;
  /** True where the folder that a dialog shows is, or may be, one of ours. */
  isShown(folder: DialogFolder): boolean;
}

/** `folders`: all that lies below them is ours. */
export function createOwnFiles(folders: readonly string[]): OwnFiles {
  const below = (path: string) =>
    folders.some((folder) => [folder, real(folder)].some((own) => path === own || path.startsWith(own + sep)));
  const names = new Set(folders.flatMap((folder) => [basename(folder), basename(real(folder))]));
  return {
    has(given) {
      const path = pathIn(given);
      return path !== null && (below(path) || below(real(path)) || isHardLink(path, folders));
    },
    hasRelative(given, folder) {
      const text = given.trim();
      if (text === '' || text.length > 255 * 16 || pathIn(text) !== null) return false;
      if (folder.path !== null) return below(real(normalize(join(folder.path, text))));
      const steps = text.split(sep);
      // From a folder of which only the name is known, a path with steps leads anywhere.
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

/** A text that is a path and nothing else, as a file dialog would understand it. */
function pathIn(given: string): string | null {
  const text = given.trim();
  if (text.includes('\0') || text.length > 4096) return null;
  if (text.startsWith('file://')) return attempt(() => normalize(fileURLToPath(text)));
  if (text === '~' || text.startsWith('~/')) return normalize(join(homedir(), text.slice(1)));
  return text.startsWith(sep) ? normalize(text) : null;
}

/** Of a file that is not there yet: where it would be. */
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

/**
 * Throws where an act is given one of our files, or would confirm a dialog that names one. True: it is done in a file dialog, and
 * which file an application is given is more than a grant for that application says.
 */
export async function choosesFile(
  own: OwnFiles,
  desktop: DesktopReader,
  { plan, given }: { plan: Plan; given: unknown },
  signal: AbortSignal,
): Promise<boolean> {
  const named = textsIn([given, plan.text, (plan.steps ?? []).map((step) => [step.arguments, step.plan?.text])]);
  assertNone(own, named);
  const windows = [plan, ...(plan.steps ?? []).map((step) => step.plan)].map((one) => one?.window ?? null);
  const seen = new Map(windows.flatMap((window) => (window === null ? [] : [[window.id, window] as const])));
  let asks = false;
  for (const window of seen.values()) {
    const dialog = await dialogIn(desktop, window, signal);
    if (dialog === null) continue;
    asks = true;
    assertNone(own, dialog.texts);
    assertNoneRelative(own, dialog, named);
  }
  return asks;
}

const NO_ELEMENTS: ReadonlySet<string> = new Set(['not_found', 'unsupported']);

interface Dialog {
  /** What everything in it holds. */
  texts: string[];
  /** What its fields hold. */
  typed: string[];
  folder: DialogFolder;
}

/** null where it is no file dialog, or the application has no accessibility. What cannot be read may be one. */
async function dialogIn(desktop: DesktopReader, window: Window, signal: AbortSignal): Promise<Dialog | null> {
  try {
    const tree = await fileDialogTree(desktop, window, signal);
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

/** A path from the root in a field, or given, leads away from the folder that the dialog shows. */
function assertNoneRelative(own: OwnFiles, { typed, folder }: Dialog, named: readonly string[]): void {
  const all = [...named, ...typed];
  const leavesFolder = all.some((text) => pathIn(text) !== null);
  const relative = all.find((text) => own.hasRelative(text, folder));
  if (relative !== undefined) throw ownFile(relative.trim());
  if (own.isShown(folder) && !leavesFolder) throw ownFile(`What lies in “${folder.path ?? folder.name}”`);
}

function assertNone(own: OwnFiles, texts: readonly string[]): void {
  const path = texts.find((text) => own.has(text));
  if (path !== undefined) throw ownFile(path.trim());
}

const ownFile = (path: string): WireError =>
  new WireError(
    'DESKTOP_INVALID_REQUEST',
    `${path} is one of Chaperone’s own files, which agents do not hand to applications.`,
    {
      reason: 'own_file',
      next: 'Use another file; where it only has the same name, give its whole path from the root. What Chaperone should do otherwise, ask the person with send_message to set in its page.',
    },
  );

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
