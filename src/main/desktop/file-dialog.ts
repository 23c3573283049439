/** An application's own file dialog: found by what it is made of, filled in, confirmed, and watched until it has gone. */
import type { App, DesktopActor, DesktopReader, Element, Window } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import type { RunContext } from '../pipeline/context.js';
import { poll } from '../../base/poll.js';
import { FILE_DIALOG_LIMITS, fileDialogKind } from '../pipeline/target/file-dialog-tree.js';
import type { FileDialogKind } from '../pipeline/target/file-dialog-tree.js';
import { focus } from './type.js';

const FIELD_MS = 3000;
const STEP_MS = 60;

export interface FileDialog {
  window: Window;
  kit: FileDialogKind;
}

export async function fileDialogOf(desktop: DesktopReader, app: App, signal: AbortSignal): Promise<FileDialog> {
  const found: FileDialog[] = [];
  for (const window of await windowsOf(desktop, app, signal)) {
    const kit = fileDialogKind(await desktop.tree({ pid: app.pid, windowId: window.id }, FILE_DIALOG_LIMITS, signal));
    if (kit !== null) found.push({ window, kit });
  }
  const [dialog] = found;
  if (dialog !== undefined && found.length === 1) return dialog;
  throw new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    dialog === undefined ? `${app.name} shows no file dialog.` : `${app.name} shows ${found.length} file dialogs.`,
    {
      reason: dialog === undefined ? 'no_dialog' : 'ambiguous',
      next: 'Open the one you want first, with the application’s own command (often press_key ctrl+o or ctrl+shift+s).',
    },
  );
}

const windowsOf = async (desktop: DesktopReader, { pid }: App, signal: AbortSignal): Promise<Window[]> =>
  (await desktop.windows(signal)).filter((one) => one.app.pid === pid && !one.minimized);

/** Puts the path into the dialog's field and reads it back; nothing is confirmed that does not stand there. */
export async function enterPath(
  { desktop }: RunContext,
  { window, kit }: FileDialog,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  let field = await fieldOf(desktop, window, signal);
  if (field === null && kit === 'gtk') {
    await press(desktop, ['ctrl', 'l'], signal);
    field = await poll(() => fieldOf(desktop, window, signal), FIELD_MS, signal, STEP_MS);
  }
  if (field === null) throw notUnderstood(window, 'shows no field for a path');
  const { id } = field;
  await focus(desktop, field, signal);
  await desktop.setValue(id, path, signal);
  const holds = async () => ((await desktop.element(id, signal)).value === path ? true : null);
  if ((await poll(holds, FIELD_MS, signal, STEP_MS)) === null) throw notUnderstood(window, 'did not take the path');
}

async function fieldOf(desktop: DesktopReader, { id, app }: Window, signal: AbortSignal): Promise<Element | null> {
  const { nodes } = await desktop.tree({ pid: app.pid, windowId: id }, FILE_DIALOG_LIMITS, signal);
  const fields = nodes
    .map(({ element }) => element)
    .filter(({ role, states }) => role === 'AXTextField' && states.visible && states.editable);
  return fields.find(({ states }) => states.focused) ?? fields[0] ?? null;
}

export async function stillHolds(
  desktop: DesktopReader,
  { window }: FileDialog,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const field = await fieldOf(desktop, window, signal);
  return field?.value === path && field.states.focused;
}

export const confirm = (desktop: DesktopActor, signal: AbortSignal): Promise<void> => press(desktop, ['enter'], signal);

async function press(desktop: DesktopActor, keys: readonly string[], signal: AbortSignal): Promise<void> {
  for (const key of keys) await desktop.key(key, true, signal);
  for (const key of keys.toReversed()) await desktop.key(key, false, signal);
}

/** A question that has come up since: whether to replace what is there. */
export interface Question {
  window: Window;
  buttons: Element[];
}

/** Waits until the dialog has gone or asks something; null when neither happens in time. */
export function outcomeOf(
  desktop: DesktopReader,
  { window }: FileDialog,
  known: ReadonlySet<string>,
  limitMs: number,
  signal: AbortSignal,
): Promise<'gone' | Question | null> {
  const look = async (): Promise<'gone' | Question | null> => {
    const windows = await windowsOf(desktop, window.app, signal);
    if (!windows.some(({ id }) => id === window.id)) return 'gone';
    for (const one of windows.filter(({ id }) => !known.has(id))) {
      const buttons = await buttonsOf(desktop, one, signal);
      if (buttons.length >= 2) return { window: one, buttons };
    }
    return null;
  };
  return poll(look, limitMs, signal, STEP_MS);
}

async function buttonsOf(desktop: DesktopReader, { id, app }: Window, signal: AbortSignal): Promise<Element[]> {
  const { nodes } = await desktop.tree({ pid: app.pid, windowId: id }, FILE_DIALOG_LIMITS, signal);
  if (nodes[0]?.element.nativeRole !== 'alert' && nodes[0]?.element.nativeRole !== 'dialog') return [];
  return nodes.map(({ element }) => element).filter(({ role, states }) => role === 'AXButton' && states.visible);
}

const YES = /^(replace|overwrite|yes|ersetzen|überschreiben|ja|remplacer|oui|reemplazar|sí)$/i;
const NO = /^(cancel|no|abbrechen|nein|annuler|non|cancelar)$/i;

/** Presses the answer; a question whose buttons are not known is left to the person. */
export async function answer(
  { desktop }: RunContext,
  { window, buttons }: Question,
  yes: boolean,
  signal: AbortSignal,
): Promise<void> {
  const name = yes ? YES : NO;
  const button = buttons.find(({ title }) => name.test(title.replaceAll(/[_&]/g, '')));
  if (button === undefined) throw notUnderstood(window, 'asks something that is not understood');
  await desktop.performAction(button.id, 'AXPress', signal);
}

export const notUnderstood = ({ title }: Window, what: string) =>
  new WireError('DESKTOP_UNSUPPORTED', `“${title}” ${what}; it is as it was left.`, {
    reason: 'dialog',
    next: 'Look at it with a screenshot, and go on with click_element and type_text.',
  });
