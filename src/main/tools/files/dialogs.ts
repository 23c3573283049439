import { existsSync } from 'node:fs';
import { stat, open, realpath } from 'node:fs/promises';
import * as z from 'zod';
import {
  answerQuestion,
  confirmDialog,
  enterPath,
  findFileDialog,
  unknownDialogError,
  waitForDialogOutcome,
  holdsPath,
  mayAsk,
  type DialogOutcome,
  type DialogQuestion,
  type FileDialog,
} from '../../desktop/file-dialog.js';
import { planWindow } from '../../pipeline/target/plans.js';
import { findPlace } from '../../pipeline/target/scope.js';
import type { PlanContext, RunContext } from '../../pipeline/context.js';
import { defineAction } from '../../pipeline/define.js';
import type { Plan } from '../../approvals/plan.js';
import type { Window, DesktopReader } from '../../../native/desktop.js';
import type { References } from '../../pipeline/target/references.js';
import { poll } from '../../../base/poll.js';
import { subjectWithoutPlace, title, WireError, type Title } from '../../protocol/index.js';
import { invalidRequest } from '../parameters.js';
import { resolveParent } from '../places.js';
import { questionOf, windowsOfProcess, type OpenQuestion } from '../applications/close.js';
import type { ToolDeps } from '../tool.js';
import { assertSameFiles, fileIdentities, filesChanged } from '../../pipeline/file-identity.js';
import { assertFile, assertSavable, pathSchema, realPath, shownPath } from './drops.js';
import { message } from '../../../messages/index.js';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

// Finds out whether an application took a file, from what its other windows show: a cancelled dialog closes as well.

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
const TAKEN_POLL_MS = 80;
const HEAD_BYTES = 4096;
const MIN_LINE_LENGTH = 12;
const MAX_LINE_LENGTH = 80;

/** Reads the windows now. The returned function, called once the dialog has closed, returns the new sign of the file, or null. */
async function watchFileTaken(
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
  return () => poll(taken, TAKEN_TIMEOUT_MS, signal, TAKEN_POLL_MS);
}

/** Whether the application shows the name of a file that it is to write: a dialog may choose it for what is written later. */
async function showsName(desktop: DesktopReader, dialog: Window, path: string, signal: AbortSignal): Promise<boolean> {
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

const dialogFields = {
  application: z.string().max(500).optional(),
  file_path: pathSchema,
  timeout: z.number().positive().max(60).default(15),
};
const SAVE_TIMEOUT_MS = 5000;
/** A file that is not written by then may only have been chosen. */
const CHOSEN_MS = 1500;
/** After this time a dialog that still shows the path has ignored the Enter key. */
const CONFIRM_RETRY_MS = 1500;
const POLL_MS = 60;
const NOTHING_SHOWS = 'nothing shows that the file was taken';

export function openDialogTool({ references }: Pick<ToolDeps, 'references'>) {
  const act = title('title.open_file');
  return defineAction({
    name: 'automate_open_file_dialog',
    title: 'Choose a file',
    does: 'file',
    description: 'Fills in the open dialog an application shows (open it first), and waits until it has closed.',
    effect: 'input',
    needs: ['accessibility'],
    input: z.object(dialogFields).strict(),
    output: z.object({ chosen: z.string(), taken: z.boolean() }),
    subject: ({ file_path: place }) => ({ ...subjectWithoutPlace(act), place }),
    async plan(ctx, given, signal) {
      const { file_path: path } = given;
      await assertFile(path);
      const plan = await planDialog(ctx, given, { title: act, text: await shownInDialog(path, false) }, signal);
      return { ...plan, files: await fileIdentities([path]) };
    },
    async act(ctx, { file_path: path, timeout }, signal) {
      const dialog = await plannedDialog(ctx, signal);
      const takes = await watchFileTaken(ctx.desktop, dialog.window, path, signal);
      await fillDialog(
        ctx,
        dialog,
        path,
        { replace: false, timeoutMs: timeout * 1000, references: references(ctx.caller.agent.id) },
        signal,
      );
      const sign = await takes();
      return {
        value: { chosen: path, taken: sign !== null },
        effect: {
          effect: sign === null ? 'unverified' : 'confirmed',
          before: `“${dialog.window.title}” was open`,
          after: `it has closed; ${sign ?? NOTHING_SHOWS}`,
        },
      };
    },
    text: ({ chosen, taken }) =>
      taken
        ? `Chosen: ${chosen}. The dialog has closed, and the application shows the file.`
        : `Chosen: ${chosen}. The dialog has closed, but ${NOTHING_SHOWS}: it may have been cancelled. Look at the application.`,
  });
}

export function saveDialogTool({ references }: Pick<ToolDeps, 'references'>) {
  const titleFor = (replaces: boolean) => title(replaces ? 'title.replace_file' : 'title.save_file');
  return defineAction({
    name: 'automate_save_file_dialog',
    title: 'Save under a name',
    does: 'file',
    description:
      'Fills in the save dialog an application shows (open it first). The file is there afterwards, unless the dialog only chooses its name, as one for printing to a file does: then bytes is null, and the application writes it later.',
    effect: ({ file_path: path, confirm_overwrite: may }) => (may || existsSync(path) ? 'dangerous' : 'input'),
    needs: ['accessibility'],
    evidence: 'folder',
    input: z.object({ ...dialogFields, confirm_overwrite: z.boolean().default(false) }).strict(),
    output: z.object({ saved: z.string(), bytes: z.number().int().nullable(), replaced: z.boolean() }),
    subject: ({ file_path: path }) => ({ ...subjectWithoutPlace(titleFor(existsSync(path))), place: path }),
    async plan(ctx, given, signal) {
      const { file_path: path, confirm_overwrite: overwrite } = given;
      await assertSavable(path);
      const replaces = existsSync(path);
      if (replaces && !overwrite)
        throw invalidRequest(
          message('error.file_exists', { path }),
          'exists',
          'Use another name, or confirm_overwrite to replace it.',
        );
      const text = await shownInDialog(path, replaces);
      const plan = await planDialog(ctx, given, { title: titleFor(replaces), text }, signal);
      const [replaced] = replaces ? await fileIdentities([path]) : [];
      return replaced === undefined ? plan : { ...plan, replaces: replaced };
    },
    async act(ctx, { file_path: path, timeout }, signal) {
      const before = await stat(path).catch(() => null);
      const replace = ctx.plan?.subject.title.code === 'title.replace_file';
      const dialog = await plannedDialog(ctx, signal);
      const { pid } = dialog.window.app;
      const known = await windowsOfProcess(ctx.desktop, pid, signal);
      const own = references(ctx.caller.agent.id);
      await fillDialog(ctx, dialog, path, { replace, timeoutMs: timeout * 1000, references: own }, signal);
      const written = async () => {
        const now = await stat(path).catch(() => null);
        const same = now !== null && before !== null && now.mtimeMs === before.mtimeMs && now.ino === before.ino;
        return now === null || same ? null : now;
      };
      const asks = () => questionOf(ctx.desktop, own, pid, known, signal);
      const look = async () => (await written()) ?? (await asks());
      const soon = await poll(look, CHOSEN_MS, signal, POLL_MS);
      // A file that was there before may be shown by its name already while it is being written.
      if (soon === null && before === null && (await showsName(ctx.desktop, dialog.window, path, signal)))
        return {
          value: { saved: path, bytes: null, replaced: false },
          effect: { effect: 'unverified', before: 'no such file', after: 'the application shows its name' },
        };
      const now = soon ?? (await poll(look, SAVE_TIMEOUT_MS - CHOSEN_MS, signal, POLL_MS));
      if (now !== null && 'buttons' in now) throw asksFirst(path, now);
      if (now === null)
        throw new WireError('DESKTOP_TIMEOUT', message('error.not_written', { path }), {
          reason: 'not_written',
          next: 'Look at the application: it may have added an ending, or asked something else.',
        });
      const was = before === null ? 'no such file' : { bytes: before.size };
      return {
        value: { saved: path, bytes: now.size, replaced: before !== null },
        effect: { effect: 'confirmed', before: was, after: { bytes: now.size } },
      };
    },
    text: ({ saved, bytes, replaced }) =>
      bytes === null
        ? `Chosen: ${saved}. The application shows the name and has not written the file yet. Go on there, such as with its Print button.`
        : `Saved ${saved}: ${bytes} bytes${replaced ? ', replacing what was there' : ''}.`,
  });
}

const asksFirst = (path: string, dialog: OpenQuestion): WireError =>
  new WireError('DESKTOP_TARGET_CHANGED', message('error.asks_before_using', { path, dialog: dialog.title }), {
    reason: 'asked',
    dialog,
    next: 'Answer it: click_element with the element_id of one of the buttons in details. Then the application goes on with the file.',
  });

async function planDialog(
  { desktop }: PlanContext,
  { application, file_path: path }: { application?: string | undefined; file_path: string },
  words: { title: Title; text: string },
  signal: AbortSignal,
): Promise<Plan> {
  if (desktop.platform === 'macos')
    throw new WireError('DESKTOP_UNSUPPORTED', message('error.no_file_dialogs_on_macos'), {
      next: 'In the dialog press cmd+shift+g with press_key, type the path with type_text, and press enter twice.',
    });
  const named = (await resolveParent(desktop, application, signal)).app;
  const app = named ?? (await findPlace(desktop, undefined, signal)).app;
  const { window } = await findFileDialog(desktop, app, signal);
  return { ...(await planWindow(window, { ...words, needsFocus: true })), file: await realPath(path) };
}

async function plannedDialog({ desktop, plan }: RunContext, signal: AbortSignal): Promise<FileDialog> {
  if (plan?.window == null) throw new Error('a dialog was expected');
  const dialog = await findFileDialog(desktop, plan.window.app, signal);
  if (dialog.window.id === plan.window.id) return dialog;
  throw new WireError('DESKTOP_TARGET_CHANGED', message('error.other_dialog'), { reason: 'dialog' });
}

async function shownInDialog(path: string, replaces: boolean): Promise<string> {
  const shown = await shownPath(path);
  return replaces ? `${shown} (replaces the file that is there)` : shown;
}

/** Filling in a dialog takes time, in which the file could be written, or a folder become a link that leads elsewhere. */
async function assertUnchanged({ plan }: RunContext, path: string, replaces: boolean): Promise<void> {
  if ((await shownInDialog(path, replaces)) !== plan?.text) throw filesChanged([path]);
  await assertSameFiles(plan.replaces === undefined ? [] : [plan.replaces]);
}

async function fillDialog(
  ctx: RunContext,
  dialog: FileDialog,
  path: string,
  { replace, timeoutMs, references }: { replace: boolean; timeoutMs: number; references: References },
  signal: AbortSignal,
): Promise<void> {
  const { desktop } = ctx;
  await enterPath(ctx, dialog, path, signal);
  await assertUnchanged(ctx, path, replace);
  const before = await desktop.windows(signal);
  const known = new Set(before.map(({ id }) => id));
  await confirmDialog(desktop, signal);
  const early = Math.min(timeoutMs, CONFIRM_RETRY_MS);
  let outcome = await waitForDialogOutcome(desktop, dialog, known, early, signal);
  // GTK ignores keys while it reads the folder.
  if (outcome === null && (await waitsForEnter(ctx, dialog, known, path, signal)))
    await confirmDialog(desktop, signal).catch(unlessCovered);
  outcome ??= await waitForDialogOutcome(desktop, dialog, known, timeoutMs - early, signal);
  let seen: readonly Window[] = before;
  if (isOwnQuestion(outcome, dialog) && (await answerQuestion(ctx, outcome, replace, signal))) {
    if (!replace) throw toldNo(path, outcome.window);
    known.add(outcome.window.id);
    seen = [...before, outcome.window];
    outcome = await waitForDialogOutcome(desktop, dialog, known, timeoutMs, signal);
  }
  if (outcome === 'gone') return;
  const question = outcome && (await questionOf(desktop, references, outcome.window.app.pid, seen, signal));
  throw question === null ? unknownDialogError(dialog.window, 'other') : asksFirst(path, question);
}

/** What another process asks, the call may not answer. */
const isOwnQuestion = (outcome: DialogOutcome, { window }: FileDialog): outcome is DialogQuestion =>
  outcome !== null && outcome !== 'gone' && outcome.window.app.pid === window.app.pid;

/** What came in front of the dialog is what it asks. */
function unlessCovered(thrown: unknown): void {
  if (!(thrown instanceof WireError) || thrown.details['reason'] !== 'focus') throw thrown;
}

/** Whether it shows the path, and nothing else has opened. */
async function waitsForEnter(
  { desktop }: RunContext,
  dialog: FileDialog,
  known: ReadonlySet<string>,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const windows = await desktop.windows(signal);
  return !windows.some((one) => mayAsk(one, dialog.window, known)) && (await holdsPath(desktop, dialog, path, signal));
}

const toldNo = (path: string, { title: question }: Window): WireError =>
  new WireError('DESKTOP_TARGET_CHANGED', message('error.app_asked', { path }), {
    reason: 'asked',
    question,
    next: 'Look at the dialog, which is still open.',
  });
