import type { References } from '../../pipeline/target/references.js';
import { poll } from '../../../base/poll.js';
import type { DesktopReader, Scope, Window } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import { windowName } from '../common.js';

const LIMITS = { maxDepth: 60, maxNodes: 3000, timeoutMs: 5000 };
const PATIENCE_MS = 3000;
const STEP_MS = 60;
const MOST = 20;
/** What has to be answered; an `alert` may only tell something, as infobars do. */
const DIALOGS = ['dialog', 'AXDialog'];

export const ofProcess = async (desktop: DesktopReader, pid: number, signal: AbortSignal): Promise<Window[]> =>
  (await desktop.windows(signal)).filter((window) => window.app.pid === pid);

/** What can be told of an application that was asked to close something and has not: an error that names the dialog in the way. */
export async function whyStillOpen(
  desktop: DesktopReader,
  references: References,
  what: { title: string; pid: number; before: readonly Window[] },
  thrown: Error,
  signal: AbortSignal,
): Promise<WireError> {
  const { title, pid, before } = what;
  const dialog = await dialogOf(desktop, pid, before, signal);
  const asked = dialog === null ? null : await answers(desktop, references, dialog.scope, signal);
  if (dialog === null || asked === null)
    return new WireError('DESKTOP_INTERNAL_ERROR', `“${title}” is still open. ${thrown.message}`, {
      reason: 'still_open',
      next: 'Take a screenshot to see what it waits for; force: true ends the application and loses what is unsaved.',
    });
  return new WireError('DESKTOP_TARGET_CHANGED', `“${title}” is still open: “${dialog.title}” asks something first.`, {
    reason: 'save_dialog',
    dialog: { name: windowName(dialog.window), title: dialog.title, ...asked },
    next: 'Answer it: click_element with the element_id of one of the buttons in details. Whether to save is the person’s to decide.',
  });
}

/** `window` shows it; it may be only a part of that. */
interface Asking {
  window: Window;
  title: string;
  scope: Scope;
}

/** A window of that process which was not there before, else one that has to be answered before the others, else a dialog inside of one, as browsers have them. */
async function dialogOf(
  desktop: DesktopReader,
  pid: number,
  before: readonly Window[],
  signal: AbortSignal,
): Promise<Asking | null> {
  const known = new Set(before.map((window) => window.id));
  const now = (await ofProcess(desktop, pid, signal)).filter((window) => window.normal && window.visible);
  const fresh = now.find((window) => !known.has(window.id));
  if (fresh !== undefined) return whole(fresh);
  for (const window of now) if ((await desktop.windowState(window.id, signal)).modal === true) return whole(window);
  return insideOf(desktop, pid, now, signal);
}

const whole = (window: Window): Asking => ({
  window,
  title: window.title,
  scope: { pid: window.app.pid, windowId: window.id },
});

/** What is a window of its own has been looked at before. */
async function insideOf(
  desktop: DesktopReader,
  pid: number,
  windows: readonly Window[],
  signal: AbortSignal,
): Promise<Asking | null> {
  const selector = { roles: DIALOGS, visibleOnly: true };
  for (const window of windows) {
    const { elements } = await desktop.find({ pid, windowId: window.id }, selector, MOST, LIMITS, signal);
    const found = elements.find(({ title }) => title !== '' && windows.every((one) => one.title !== title));
    if (found !== undefined) return { window, title: found.title, scope: { pid, elementId: found.id } };
  }
  return null;
}

/** Its buttons and what it says; null when it shows no button. A fresh dialog may need a moment to be readable. */
async function answers(
  desktop: DesktopReader,
  references: References,
  scope: Scope,
  signal: AbortSignal,
): Promise<{ says: string; buttons: { title: string; element_id: string }[] } | null> {
  const find = async (role: string) =>
    (await desktop.find(scope, { role, visibleOnly: true }, MOST, LIMITS, signal)).elements;
  const look = async () => {
    const found = (await find('AXButton')).filter((button) => button.title !== '');
    return found.length === 0 ? null : found;
  };
  const buttons = await poll(look, PATIENCE_MS, signal, STEP_MS);
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
