/** An application's own file dialog: finds it, enters a path, confirms, and waits until it closes. */
import type { App, DesktopActor, DesktopReader, Element, Window } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { RunContext } from '../pipeline/context.js';
import { poll } from '../../base/poll.js';
import { FILE_DIALOG_LIMITS, fileDialogKind, type FileDialogKind } from '../pipeline/target/file-dialog-tree.js';
import { focusField } from './type-text.js';
import { message } from '../../messages/index.js';

const FIELD_TIMEOUT_MS = 3000;
const POLL_MS = 60;

export interface FileDialog {
  window: Window;
  kit: FileDialogKind;
}

export async function findFileDialog(desktop: DesktopReader, app: App, signal: AbortSignal): Promise<FileDialog> {
  const found: FileDialog[] = [];
  for (const window of await openWindowsOf(desktop, app, signal)) {
    const kit = fileDialogKind(await desktop.tree({ pid: app.pid, windowId: window.id }, FILE_DIALOG_LIMITS, signal));
    if (kit !== null) found.push({ window, kit });
  }
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

const openWindowsOf = async (desktop: DesktopReader, { pid }: App, signal: AbortSignal): Promise<Window[]> =>
  (await desktop.windows(signal)).filter((one) => one.app.pid === pid && !one.minimized);

/** Enters the path and reads it back. Throws where the field does not take it, so nothing else is confirmed. */
export async function enterPath(
  { desktop }: RunContext,
  { window, kit }: FileDialog,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  let field = await findField(desktop, window, signal);
  if (field === null && kit === 'gtk') {
    await press(desktop, ['ctrl', 'l'], signal);
    field = await poll(() => findField(desktop, window, signal), FIELD_TIMEOUT_MS, signal, POLL_MS);
  }
  if (field === null) throw unknownDialogError(window, 'no_field');
  const { id } = field;
  await focusField(desktop, field, signal);
  await desktop.setValue(id, path, signal);
  const holds = async () => ((await desktop.element(id, signal)).value === path ? true : null);
  if ((await poll(holds, FIELD_TIMEOUT_MS, signal, POLL_MS)) === null) throw unknownDialogError(window, 'not_taken');
}

async function findField(desktop: DesktopReader, { id, app }: Window, signal: AbortSignal): Promise<Element | null> {
  const { nodes } = await desktop.tree({ pid: app.pid, windowId: id }, FILE_DIALOG_LIMITS, signal);
  const fields = nodes
    .map(({ element }) => element)
    .filter(({ role, states }) => role === 'AXTextField' && states.visible && states.editable);
  return fields.find(({ states }) => states.focused) ?? fields[0] ?? null;
}

export async function holdsPath(
  desktop: DesktopReader,
  { window }: FileDialog,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const field = await findField(desktop, window, signal);
  return field?.value === path && field.states.focused;
}

export const confirmDialog = (desktop: DesktopActor, signal: AbortSignal): Promise<void> =>
  press(desktop, ['enter'], signal);

async function press(desktop: DesktopActor, keys: readonly string[], signal: AbortSignal): Promise<void> {
  for (const key of keys) await desktop.key(key, true, signal);
  for (const key of keys.toReversed()) await desktop.key(key, false, signal);
}

/** A question the dialog asks after confirming, such as whether to replace a file. */
interface DialogQuestion {
  window: Window;
  buttons: Element[];
}

/** Waits until the dialog closes or asks something; null when neither happens in time. */
export function waitForDialogOutcome(
  desktop: DesktopReader,
  { window }: FileDialog,
  known: ReadonlySet<string>,
  limitMs: number,
  signal: AbortSignal,
): Promise<'gone' | DialogQuestion | null> {
  const look = async (): Promise<'gone' | DialogQuestion | null> => {
    const windows = await openWindowsOf(desktop, window.app, signal);
    if (!windows.some(({ id }) => id === window.id)) return 'gone';
    for (const one of windows.filter(({ id }) => !known.has(id))) {
      const buttons = await buttonsOf(desktop, one, signal);
      if (buttons.length >= 2) return { window: one, buttons };
    }
    return null;
  };
  return poll(look, limitMs, signal, POLL_MS);
}

async function buttonsOf(desktop: DesktopReader, { id, app }: Window, signal: AbortSignal): Promise<Element[]> {
  const { nodes } = await desktop.tree({ pid: app.pid, windowId: id }, FILE_DIALOG_LIMITS, signal);
  if (nodes[0]?.element.nativeRole !== 'alert' && nodes[0]?.element.nativeRole !== 'dialog') return [];
  return nodes.map(({ element }) => element).filter(({ role, states }) => role === 'AXButton' && states.visible);
}

const YES = /^(replace|overwrite|yes|ersetzen|überschreiben|ja|remplacer|oui|reemplazar|sí)$/i;
const NO = /^(cancel|no|abbrechen|nein|annuler|non|cancelar)$/i;

/** Presses yes or no. Throws where the buttons are not known, and leaves the question to the person. */
export async function answerQuestion(
  { desktop }: RunContext,
  { window, buttons }: DialogQuestion,
  yes: boolean,
  signal: AbortSignal,
): Promise<void> {
  const name = yes ? YES : NO;
  const button = buttons.find(({ title }) => name.test(title.replaceAll(/[_&]/g, '')));
  if (button === undefined) throw unknownDialogError(window, 'not_understood');
  await desktop.performAction(button.id, 'AXPress', signal);
}

/** `other`: it did not close. */
export const unknownDialogError = ({ title }: Window, what: 'no_field' | 'not_taken' | 'not_understood' | 'other') =>
  new WireError('DESKTOP_UNSUPPORTED', message('error.unknown_dialog', { title, what }), {
    reason: 'dialog',
    next: 'Look at it with a screenshot, and go on with click_element and type_text.',
  });
