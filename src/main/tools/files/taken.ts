/** Finds out whether an application took a file, from what its other windows show: a cancelled dialog closes as well. */
import { open, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { poll } from '../../../base/poll.js';
import type { DesktopReader, Window } from '../../../native/desktop.js';

interface ShownTexts {
  titles: ReadonlySet<string>;
  addresses: ReadonlySet<string>;
  texts: readonly string[];
}

interface FileMarks {
  names: readonly RegExp[];
  addresses: ReadonlySet<string>;
  /** A line from the beginning of its text; null where there is no distinctive one. */
  start: string | null;
}

/** A page that does not show tells nobody that the file was taken, and Qt is asked for each of its objects. */
const LIMITS = { maxDepth: 60, maxNodes: 3000, timeoutMs: 3000, visibleOnly: true };
const TAKEN_TIMEOUT_MS = 3000;
const POLL_MS = 80;
const HEAD_BYTES = 4096;
const MIN_LINE_LENGTH = 12;
const MAX_LINE_LENGTH = 80;

/** Reads the windows now. The returned function, called once the dialog has closed, returns the new sign of the file, or null. */
export async function watchFileTaken(
  desktop: DesktopReader,
  dialog: Window,
  path: string,
  signal: AbortSignal,
): Promise<() => Promise<string | null>> {
  const look = () => readOtherWindows(desktop, dialog, signal).catch(() => null);
  const [marks, before] = [await marksOf(path), await look()];
  const taken = async () => {
    const after = await look();
    return before === null || after === null ? null : findSign(marks, before, after);
  };
  return () => poll(taken, TAKEN_TIMEOUT_MS, signal, POLL_MS);
}

/** Whether the application shows the name of a file that it is to write: a dialog may choose it for what is written later. */
export async function showsName(
  desktop: DesktopReader,
  dialog: Window,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const [marks, shown] = [await marksOf(path), await readOtherWindows(desktop, dialog, signal)];
  return findSign(marks, { titles: new Set(), addresses: new Set(), texts: [] }, shown) !== null;
}

async function readOtherWindows(desktop: DesktopReader, dialog: Window, signal: AbortSignal): Promise<ShownTexts> {
  const all = await desktop.windows(signal);
  const windows = all.filter(({ id, app }) => app.pid === dialog.app.pid && id !== dialog.id);
  const texts: string[] = [];
  for (const { id, app } of windows) {
    const { nodes } = await desktop.tree({ pid: app.pid, windowId: id }, LIMITS, signal);
    // Window titles are compared separately.
    const inside = nodes.filter(({ element }) => element.role !== 'AXApplication' && element.role !== 'AXWindow');
    texts.push(...inside.flatMap(({ element: { title, value } }) => [title, value ?? '']));
  }
  const addresses = windows.flatMap(({ documentUrl }) => (documentUrl === null ? [] : [documentUrl]));
  return { titles: new Set(windows.map(({ title }) => title)), addresses: new Set(addresses), texts };
}

function findSign(marks: FileMarks, before: ShownTexts, after: ShownTexts): string | null {
  const named = (text: string) => marks.names.some((name) => name.test(text));
  const title = [...after.titles].find((one) => !before.titles.has(one) && named(one));
  if (title !== undefined) return `a window is called “${title}”`;
  if ([...after.addresses].some((one) => !before.addresses.has(one) && marks.addresses.has(one)))
    return 'a window shows its address';
  if (after.texts.some(named) && !before.texts.some(named)) return 'the application shows its name';
  const { start } = marks;
  const begins = (text: string) => start !== null && text.includes(start);
  return after.texts.some(begins) && !before.texts.some(begins) ? 'the application shows its text' : null;
}

async function marksOf(path: string): Promise<FileMarks> {
  const paths = [path, await realpath(path).catch(() => path)];
  return {
    names: [...new Set(paths.map((one) => basename(one)))].map(wholeName),
    addresses: new Set(paths.map((one) => pathToFileURL(one).href)),
    start: await startOf(path).catch(() => null),
  };
}

/** Matches the name only as a whole. */
const wholeName = (name: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_.-])${name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
    'u',
  );

async function startOf(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    const line = text.split(/\r?\n/).find((one) => one.trim().length >= MIN_LINE_LENGTH);
    return line === undefined || /[\0\ufffd]/.test(line) ? null : line.trim().slice(0, MAX_LINE_LENGTH);
  } finally {
    await file.close();
  }
}
