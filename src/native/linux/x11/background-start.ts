/**
 * Starting an application without taking the focus. No request for that is supported by every window manager, so the new
 * window is announced (startup notification, with an old timestamp) to open on another virtual desktop, and is then moved
 * to the current one below all others. Where it gets the focus all the same, the focus is restored and the result says so.
 */
import { randomUUID } from 'node:crypto';
import type { Launched } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import { descendsFrom, type BackgroundStart } from '../application-start.js';
import { PROPERTY_CHANGE, SUBSTRUCTURE_NOTIFY, type XConnection, readProperties } from './connection.js';
import type { WindowActs } from '../display-server.js';
import { openManagerMessages, FROM_PAGER } from './window-ops.js';
import type { Windows, TopLevelWindow } from '../windows.js';

const CARDINAL = 6;
const ROOT_EVENTS = PROPERTY_CHANGE | SUBSTRUCTURE_NOTIFY;
const TIMEOUT_MS = 2000;

type Focus = Pick<WindowActs, 'focus'>;

/** `x` is used by nobody else, and closed with the result. */
export async function prepareBackgroundStart(x: XConnection, windows: Windows, ops: Focus): Promise<BackgroundStart> {
  const sendToManager = openManagerMessages(x);
  const [activeAtom, desktopAtom, belowAtom] = await Promise.all(
    ['_NET_ACTIVE_WINDOW', '_NET_WM_DESKTOP', '_NET_WM_STATE_BELOW'].map((name) => x.atom(name)),
  );
  const activeBefore = await windows.active();
  const { currentDesktop, otherDesktop } = await readDesktops(x);
  let [process, focusTaken, finished] = [0, false, false];
  const looks = createSequence();

  const isOurs = async (xid: number): Promise<boolean> => {
    const pid = xid === 0 || process === 0 ? 0 : await windows.pidOf(xid);
    return pid !== 0 && (pid === process || (await descendsFrom(pid, process)));
  };

  const restoreFocus = async (): Promise<void> => {
    const now = await windows.active();
    if (now === activeBefore || !(await isOurs(now))) return;
    focusTaken = true;
    if (activeBefore !== 0) await sendToManager(activeBefore, '_NET_ACTIVE_WINDOW', [FROM_PAGER, 0, 0]);
  };

  /** The property changed: where it names the same window as before again, another one had the focus in between. */
  const onActiveChange = async (): Promise<void> => {
    if (process !== 0 && (await windows.active()) === activeBefore) focusTaken = true;
    else await restoreFocus();
  };

  const openOnOtherDesktop = async (xid: number): Promise<void> => {
    if (otherDesktop < 0 || !(await isOurs(xid))) return;
    const data = Buffer.alloc(4);
    data.writeUInt32LE(otherDesktop);
    await x.send((done) => x.client.ChangeProperty(0, xid, desktopAtom ?? 0, CARDINAL, 32, data, done));
  };

  // The window may be gone, or the connection closed, by then.
  x.onEvent(({ name, wid, atom }) => {
    if (name === 'CreateNotify' && wid !== undefined) openOnOtherDesktop(wid).catch(() => {});
    if (name === 'PropertyNotify' && wid === x.root && atom === activeAtom) looks.add(onActiveChange);
  });
  await x.send((done) => x.client.ChangeWindowAttributes(x.root, { eventMask: ROOT_EVENTS }, done));
  const startup = await announceStart(x, otherDesktop);

  /** Below the others first, so that it covers nothing when it appears. */
  const showBelowOthers = async (xid: number, signal: AbortSignal): Promise<void> => {
    await sendToManager(xid, '_NET_WM_STATE', [1, belowAtom ?? 0, 0, FROM_PAGER]);
    await sendToManager(xid, '_NET_WM_DESKTOP', [currentDesktop, FROM_PAGER]);
    await poll(async () => ((await windows.find(xid))?.onOtherDesktop === false ? true : null), TIMEOUT_MS, signal);
    await sendToManager(xid, '_NET_WM_STATE', [0, belowAtom ?? 0, 0, FROM_PAGER]);
    const settled = async (): Promise<true | null> =>
      (await windows.find(xid))?.states.includes('_NET_WM_STATE_BELOW') === true ? null : true;
    await poll(settled, TIMEOUT_MS, signal);
  };

  /** No window stays on the other desktop, also where the start was given up. */
  const showAll = async (known: number, signal: AbortSignal): Promise<void> => {
    for (const { id: xid, onOtherDesktop } of await windows.list())
      if (onOtherDesktop && (xid === known || (await isOurs(xid)))) await showBelowOthers(xid, signal);
  };

  const finish = async (window: TopLevelWindow, signal: AbortSignal): Promise<Launched['focus']> => {
    process ||= window.pid;
    await showAll(window.id, signal);
    finished = true;
    // Events come before the answer to a later request, so every change until now is looked at.
    await x.sync();
    await looks.done();
    await restoreFocus();
    const isBack = async (): Promise<true | null> => ((await windows.active()) === activeBefore ? true : null);
    if (focusTaken && activeBefore !== 0 && (await poll(isBack, TIMEOUT_MS, signal)) === null)
      await ops.focus(activeBefore, signal).catch(() => signal.throwIfAborted());
    if (await isOurs(await windows.active())) return 'moved';
    return focusTaken ? 'given_back' : 'kept';
  };

  return {
    env: startup.env,
    follow: (pid) => (process = pid),
    finish,
    close: async () => {
      if (!finished) await showAll(0, AbortSignal.timeout(TIMEOUT_MS)).catch(() => {});
      await startup.withdraw().catch(() => {});
      await x.close();
    },
  };
}

/** One after the other; `done` resolves when all that were added have ended. What they reject with is dropped. */
function createSequence(): { add(work: () => Promise<void>): void; done(): Promise<void> } {
  let last = Promise.resolve();
  return {
    add: (work) => {
      last = last.then(work).catch(() => {});
    },
    done: () => last,
  };
}

/** The startup notification, and what names it to the new process. Neither where there is only one desktop. */
async function announceStart(
  x: XConnection,
  otherDesktop: number,
): Promise<{ env: Record<string, string>; withdraw(): Promise<void> }> {
  if (otherDesktop < 0) return { env: {}, withdraw: async () => {} };
  const id = `chaperone-${randomUUID()}_TIME1`;
  await sendStartupMessage(x, `new: ID="${id}" NAME="${id}" SCREEN=0 DESKTOP=${otherDesktop} TIMESTAMP=1`);
  return { env: { DESKTOP_STARTUP_ID: id }, withdraw: () => sendStartupMessage(x, `remove: ID="${id}"`) };
}

/** `otherDesktop` is -1 where there is only one desktop. */
async function readDesktops(x: XConnection): Promise<{ currentDesktop: number; otherDesktop: number }> {
  const properties = readProperties(x);
  const currentDesktop = (await properties.numbers(x.root, '_NET_CURRENT_DESKTOP'))[0] ?? 0;
  const count = (await properties.numbers(x.root, '_NET_NUMBER_OF_DESKTOPS'))[0] ?? 1;
  return { currentDesktop, otherDesktop: currentDesktop === count - 1 ? count - 2 : count - 1 };
}

const CLIENT_MESSAGE = 33;
const PART_BYTES = 20;

/** Sends a message of the startup notification protocol to the window manager: text in parts of 20 bytes. */
async function sendStartupMessage(x: XConnection, text: string): Promise<void> {
  const [begin, more] = await Promise.all([x.atom('_NET_STARTUP_INFO_BEGIN'), x.atom('_NET_STARTUP_INFO')]);
  const window = x.client.AllocID();
  await x.send((done) => x.client.CreateWindow(window, x.root, 0, 0, 1, 1, 0, 0, 1, 0, {}, done));
  const data = Buffer.from(`${text}\0`);
  for (let at = 0; at < data.length; at += PART_BYTES) {
    const event = Buffer.alloc(32);
    event.writeUInt8(CLIENT_MESSAGE, 0);
    event.writeUInt8(8, 1);
    event.writeUInt32LE(window, 4);
    event.writeUInt32LE(at === 0 ? begin : more, 8);
    data.copy(event, 12, at, Math.min(at + PART_BYTES, data.length));
    await x.send((done) => x.client.SendEvent(x.root, 0, PROPERTY_CHANGE, event, done));
  }
  await x.send((done) => x.client.DestroyWindow(window, done));
}
