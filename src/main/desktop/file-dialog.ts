/** An application's own file dialog: finds it, enters a path, confirms, and waits until it closes. */
import type { App, DesktopActor, DesktopReader, Element, Tree, Window } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { RunContext } from '../pipeline/context.js';
import { poll } from '../../base/poll.js';
import {
  FILE_DIALOG_LIMITS,
  fileDialogKind,
  fileDialogTree,
  showsFolder,
  type FileDialogKind,
} from '../pipeline/target/file-dialog-tree.js';
import { nullIfGone } from '../pipeline/failures.js';
import { focusField } from './type-text.js';
import { message } from '../../messages/index.js';

const FIELD_TIMEOUT_MS = 3000;
const DIALOG_TIMEOUT_MS = 2000;
const POLL_MS = 60;

export interface FileDialog {
  window: Window;
  kit: FileDialogKind;
}

/** Waits a moment for one: the keys that open it come back before a busy application has shown it. */
export async function findFileDialog(desktop: DesktopReader, app: App, signal: AbortSignal): Promise<FileDialog> {
  const look = async (): Promise<FileDialog[] | null> => {
    const found = await fileDialogsOf(desktop, app, signal);
    return found.length > 0 ? found : null;
  };
  const found = (await poll(look, DIALOG_TIMEOUT_MS, signal, POLL_MS)) ?? [];
  const [dialog] = found;
  if (dialog !== undefined && found.length === 1) return dialog;
  throw new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    dialog === undefined
      ? message('error.no_file_dialog', { app: app.name })
      : message('error.several_file_dialogs', { app: app.name, count: found.length }),
    {
      reason: dialog === undefined ? 'no_dialog' : 'ambiguous',
      next: 'Open the one you want first, with the application’s own command (often press_key ctrl+o or ctrl+shift+s).',
    },
  );
}

async function fileDialogsOf(desktop: DesktopReader, app: App, signal: AbortSignal): Promise<FileDialog[]> {
  const found: FileDialog[] = [];
  for (const window of await openWindowsOf(desktop, app, signal)) {
    // A window that has just come, or is about to go, has no elements.
    const tree = await fileDialogTree(desktop, window, signal).catch(nullIfGone);
    const kit = tree === null ? null : fileDialogKind(tree);
    if (kit !== null) found.push({ window, kit });
  }
  return found;
}

const openWindowsOf = async (desktop: DesktopReader, { pid }: App, signal: AbortSignal): Promise<Window[]> =>
  (await desktop.windows(signal)).filter((one) => one.app.pid === pid && !one.minimized);

/** Enters the path and reads it back. Throws where the field does not take it, so nothing else is confirmed. */
export async function enterPath(
  { desktop }: RunContext,
  { window, kit }: FileDialog,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const field = (await findField(desktop, window, signal)) ?? (await openField(desktop, window, kit, signal));
  if (field === null) throw unknownDialogError(window, 'no_field');
  const { id } = field;
  await focusField(desktop, field, signal);
  await desktop.setValue(id, path, signal);
  const holds = async () => ((await desktop.element(id, signal)).value === path ? true : null);
  if ((await poll(holds, FIELD_TIMEOUT_MS, signal, POLL_MS)) === null) throw unknownDialogError(window, 'not_taken');
}

/** By the keys of GTK. GTK 2 hides the field beside its list of recent files, though it may be there and have the focus. */
async function openField(
  desktop: DesktopActor,
  { id, app }: Window,
  kit: FileDialogKind,
  signal: AbortSignal,
): Promise<Element | null> {
  if (kit === 'qt') return null;
  const read = () => elementsOf(desktop, { id, app }, signal);
  const field = () => findField(desktop, { id, app }, signal);
  const first = kit === 'gtk2' ? await poll(read, FIELD_TIMEOUT_MS, signal, POLL_MS) : null;
  const recent = first !== null && !showsFolder(first);
  if (recent) {
    await press(desktop, ['alt', 'home'], signal);
    const inFolder = async () => read().then((tree) => (tree !== null && showsFolder(tree) ? true : null));
    await poll(inFolder, FIELD_TIMEOUT_MS, signal, POLL_MS);
  }
  // Where it was there it shows with the folder, and ctrl+l would close it again.
  const comes = recent && first.nodes.some(({ element }) => element.nativeRole === 'text');
  if (!comes) await press(desktop, ['ctrl', 'l'], signal);
  return poll(field, FIELD_TIMEOUT_MS, signal, POLL_MS);
}

type Shown = Pick<Window, 'id' | 'app'>;

/** null where the window is about to come, go or be laid out: then it is not known which elements are its own. */
const elementsOf = (desktop: DesktopReader, { id, app }: Shown, signal: AbortSignal): Promise<Tree | null> =>
  desktop.tree({ pid: app.pid, windowId: id }, FILE_DIALOG_LIMITS, signal).catch(nullIfGone);

async function findField(desktop: DesktopReader, window: Shown, signal: AbortSignal): Promise<Element | null> {
  const nodes = (await elementsOf(desktop, window, signal))?.nodes ?? [];
  const fields = nodes
    .map(({ element }) => element)
    .filter(({ role, states }) => role === 'AXTextField' && states.visible && states.editable);
  return fields.find(({ states }) => states.focused) ?? fields[0] ?? null;
}

/** False while it is greyed out: then the application is at work with the path. */
export async function holdsPath(
  desktop: DesktopReader,
  { window }: FileDialog,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const field = await findField(desktop, window, signal);
  return field?.value === path && field.states.focused && field.states.enabled;
}

export const confirmDialog = (desktop: DesktopActor, signal: AbortSignal): Promise<void> =>
  press(desktop, ['enter'], signal);

async function press(desktop: DesktopActor, keys: readonly string[], signal: AbortSignal): Promise<void> {
  for (const key of keys) await desktop.key(key, true, signal);
  for (const key of keys.toReversed()) await desktop.key(key, false, signal);
}

/** A question the dialog asks after confirming, such as whether to replace a file. */
export interface DialogQuestion {
  window: Window;
  buttons: Element[];
}

/** null: neither has happened in time. */
export type DialogOutcome = 'gone' | DialogQuestion | null;

/** Waits until the dialog closes or asks something. */
export function waitForDialogOutcome(
  desktop: DesktopReader,
  { window }: FileDialog,
  known: ReadonlySet<string>,
  limitMs: number,
  signal: AbortSignal,
): Promise<DialogOutcome> {
  const look = async (): Promise<DialogOutcome> => {
    const windows = await desktop.windows(signal);
    if (!windows.some(({ id, minimized }) => id === window.id && !minimized)) return 'gone';
    for (const one of windows.filter((other) => mayAsk(other, window, known))) {
      const buttons = await buttonsOf(desktop, one, signal);
      if (buttons.length >= 2) return { window: one, buttons };
    }
    return null;
  };
  return poll(look, limitMs, signal, POLL_MS);
}

/** Whether it is new and of the same application. A plug-in of GIMP is a process of its own, whose window takes the focus. */
export const mayAsk = ({ id, app, focused }: Window, dialog: Window, known: ReadonlySet<string>): boolean =>
  !known.has(id) && (app.pid === dialog.app.pid || focused);

async function buttonsOf(desktop: DesktopReader, window: Window, signal: AbortSignal): Promise<Element[]> {
  const nodes = (await elementsOf(desktop, window, signal))?.nodes ?? [];
  if (nodes[0]?.element.nativeRole !== 'alert' && nodes[0]?.element.nativeRole !== 'dialog') return [];
  return nodes.map(({ element }) => element).filter(({ role, states }) => role === 'AXButton' && states.visible);
}

const YES = /^(replace|overwrite|yes|ersetzen|überschreiben|ja|remplacer|oui|reemplazar|sí)$/i;
const NO = /^(cancel|no|abbrechen|nein|annuler|non|cancelar)$/i;

/** Presses yes or no; false where the buttons say something else, as those of GIMP's options for a format do. */
export async function answerQuestion(
  { desktop }: RunContext,
  { buttons }: DialogQuestion,
  yes: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const name = yes ? YES : NO;
  const button = buttons.find(({ title }) => name.test(title.replaceAll(/[_&]/g, '')));
  const other = buttons.some(({ title }) => (yes ? NO : YES).test(title.replaceAll(/[_&]/g, '')));
  if (button === undefined || !other) return false;
  await desktop.performAction(button.id, 'AXPress', signal);
  return true;
}

/** `other`: it did not close. */
export const unknownDialogError = ({ title }: Window, what: 'no_field' | 'not_taken' | 'other') =>
  new WireError('DESKTOP_UNSUPPORTED', message('error.unknown_dialog', { title, what }), {
    reason: 'dialog',
    next: 'Look at it with a screenshot, and go on with click_element and type_text.',
  });
