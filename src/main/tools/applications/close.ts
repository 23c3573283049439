import type { References } from '../../pipeline/target/references.js';
import { poll } from '../../../base/poll.js';
import type { DesktopReader, Scope, Window } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import { windowName } from '../places.js';
import { message, textOf } from '../../../messages/index.js';

const LIMITS = { maxDepth: 60, maxNodes: 3000, timeoutMs: 5000 };
const DIALOG_TIMEOUT_MS = 3000;
const POLL_MS = 60;
const MAX_ELEMENTS = 20;
/** Roles of dialogs that need an answer; an `alert` may be only an infobar. */
const DIALOGS = ['dialog', 'AXDialog'];

export const windowsOfProcess = async (desktop: DesktopReader, pid: number, signal: AbortSignal): Promise<Window[]> =>
  (await desktop.windows(signal)).filter((window) => window.app.pid === pid);

/** Why an application did not close: an error that names the dialog in the way. */
export async function whyStillOpen(
  desktop: DesktopReader,
  references: References,
  what: { title: string; pid: number; before: readonly Window[] },
  thrown: Error,
  signal: AbortSignal,
): Promise<WireError> {
  const { title, pid, before } = what;
  const dialog = await findDialog(desktop, pid, before, signal);
  const asked = dialog === null ? null : await readButtons(desktop, references, dialog.scope, signal);
  if (dialog === null || asked === null)
    return new WireError('DESKTOP_INTERNAL_ERROR', message('error.still_open', { title, why: textOf(thrown) }), {
      reason: 'still_open',
      next: 'Take a screenshot to see what it waits for; force: true ends the application and loses what is unsaved.',
    });
  return new WireError(
    'DESKTOP_TARGET_CHANGED',
    message('error.asks_before_closing', { title, dialog: dialog.title }),
    {
      reason: 'save_dialog',
      dialog: { name: windowName(dialog.window), title: dialog.title, ...asked },
      next: 'Answer it: click_element with the element_id of one of the buttons in details. Whether to save is the person’s to decide.',
    },
  );
}

export interface OpenQuestion {
  name: string;
  title: string;
  says: string;
  buttons: { title: string; element_id: string }[];
}

/** What a window asks that was not there before; null without one. */
export async function questionOf(
  desktop: DesktopReader,
  references: References,
  pid: number,
  before: readonly Window[],
  signal: AbortSignal,
): Promise<OpenQuestion | null> {
  const fresh = await findNewWindow(desktop, pid, before, signal);
  const asked = fresh === null ? null : await readButtons(desktop, references, wholeWindow(fresh).scope, signal);
  return fresh === null || asked === null ? null : { name: windowName(fresh), title: fresh.title, ...asked };
}

/** An open dialog; it may be only a part of `window`. */
interface OpenDialog {
  window: Window;
  title: string;
  scope: Scope;
}

const shownWindows = async (desktop: DesktopReader, pid: number, signal: AbortSignal): Promise<Window[]> =>
  (await windowsOfProcess(desktop, pid, signal)).filter((window) => window.normal && window.visible);

async function findNewWindow(
  desktop: DesktopReader,
  pid: number,
  before: readonly Window[],
  signal: AbortSignal,
): Promise<Window | null> {
  const known = new Set(before.map((window) => window.id));
  return (await shownWindows(desktop, pid, signal)).find((window) => !known.has(window.id)) ?? null;
}

/** A new window of the process, else a modal one, else a dialog inside a window, as in browsers. */
async function findDialog(
  desktop: DesktopReader,
  pid: number,
  before: readonly Window[],
  signal: AbortSignal,
): Promise<OpenDialog | null> {
  const fresh = await findNewWindow(desktop, pid, before, signal);
  if (fresh !== null) return wholeWindow(fresh);
  const now = await shownWindows(desktop, pid, signal);
  for (const window of now)
    if ((await desktop.windowState(window.id, signal)).modal === true) return wholeWindow(window);
  return readDialog(desktop, pid, now, signal);
}

const wholeWindow = (window: Window): OpenDialog => ({
  window,
  title: window.title,
  scope: { pid: window.app.pid, windowId: window.id },
});

/** Searches for a dialog inside a window; dialogs with a window of their own were checked before. */
async function readDialog(
  desktop: DesktopReader,
  pid: number,
  windows: readonly Window[],
  signal: AbortSignal,
): Promise<OpenDialog | null> {
  const selector = { roles: DIALOGS, visibleOnly: true };
  for (const window of windows) {
    const { elements } = await desktop.find({ pid, windowId: window.id }, selector, MAX_ELEMENTS, LIMITS, signal);
    const found = elements.find(({ title }) => title !== '' && windows.every((one) => one.title !== title));
    if (found !== undefined) return { window, title: found.title, scope: { pid, elementId: found.id } };
  }
  return null;
}

/** Buttons and text; null without a button. A new dialog may need a moment until it is readable. */
async function readButtons(
  desktop: DesktopReader,
  references: References,
  scope: Scope,
  signal: AbortSignal,
): Promise<Pick<OpenQuestion, 'says' | 'buttons'> | null> {
  const find = async (role: string) =>
    (await desktop.find(scope, { role, visibleOnly: true }, MAX_ELEMENTS, LIMITS, signal)).elements;
  const look = async () => {
    const found = (await find('AXButton')).filter((button) => button.title !== '');
    return found.length === 0 ? null : found;
  };
  const buttons = await poll(look, DIALOG_TIMEOUT_MS, signal, POLL_MS);
  if (buttons === null) return null;
  const texts = (await find('AXStaticText')).map(({ title, value }) => (title === '' ? (value ?? '') : title));
  return {
    says: texts
      .filter((text) => text !== '')
      .join(' ')
      .slice(0, 500),
    buttons: buttons.map((button) => ({ title: button.title, element_id: references.refer(button).elementId })),
  };
}
