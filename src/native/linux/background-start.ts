/**
 * Starting an application without taking the focus. X has no way to ask for that which every window manager heeds, so:
 * the new window is announced (startup notification, with an old time) to open on another virtual desktop, where it takes
 * nothing, and is then brought in below the others. Where it got the focus all the same, that is given back and told.
 */
import { randomUUID } from 'node:crypto';
import type { Launched } from '../desktop.js';
import { poll } from '../../base/poll.js';
import { descends } from './starting.js';
import type { XConnection } from './x11/connection.js';
import { readProperties } from './x11/properties.js';
import { announce } from './x11/startup.js';
import { askManager, FROM_PAGER, type WindowOps } from './x11/window-ops.js';
import type { Windows, XWindow } from './x11/windows.js';

export interface Quiet {
  /** For the new process. */
  env: Record<string, string>;
  /** Windows made by this process or its children open out of sight. */
  follow(pid: number): void;
  finish(window: XWindow, signal: AbortSignal): Promise<Launched['focus']>;
  close(): Promise<void>;
}

const CARDINAL = 6;
const EVENTS = 0x400000 | 0x80000;
const PATIENCE = 2000;

/** `x` is a connection of its own, closed with the result. */
export async function openQuietly(x: XConnection, windows: Windows, ops: Pick<WindowOps, 'focus'>): Promise<Quiet> {
  const properties = readProperties(x);
  const ask = askManager(x);
  const [activeAtom, desktopAtom, below] = await Promise.all(
    ['_NET_ACTIVE_WINDOW', '_NET_WM_DESKTOP', '_NET_WM_STATE_BELOW'].map((name) => x.atom(name)),
  );
  const front = await windows.active();
  const here = (await properties.numbers(x.root, '_NET_CURRENT_DESKTOP'))[0] ?? 0;
  const desktops = (await properties.numbers(x.root, '_NET_NUMBER_OF_DESKTOPS'))[0] ?? 1;
  const elsewhere = here === desktops - 1 ? desktops - 2 : desktops - 1;
  const id = `chaperone-${randomUUID()}_TIME1`;
  let process = 0;
  let lost = false;
  let finished = false;

  const isOurs = async (xid: number): Promise<boolean> => {
    const pid = xid === 0 || process === 0 ? 0 : await windows.pidOf(xid);
    return pid !== 0 && (pid === process || (await descends(pid, process)));
  };

  const giveBack = async (): Promise<void> => {
    const now = await windows.active();
    if (now === front || !(await isOurs(now))) return;
    lost = true;
    if (front !== 0) await ask(front, '_NET_ACTIVE_WINDOW', [FROM_PAGER, 0, 0]);
  };

  const putAway = async (xid: number): Promise<void> => {
    if (elsewhere < 0 || !(await isOurs(xid))) return;
    const data = Buffer.alloc(4);
    data.writeUInt32LE(elsewhere);
    await x.tell((done) => x.client.ChangeProperty(0, xid, desktopAtom ?? 0, CARDINAL, 32, data, done));
  };

  x.onEvent((event) => {
    // A window may be gone, or the connection closed, before it is looked at.
    if (event.name === 'CreateNotify' && event.wid !== undefined) putAway(event.wid).catch(() => {});
    if (event.name === 'PropertyNotify' && event.wid === x.root && event.atom === activeAtom)
      giveBack().catch(() => {});
  });
  await x.tell((done) => x.client.ChangeWindowAttributes(x.root, { eventMask: EVENTS }, done));
  if (elsewhere >= 0) await announce(x, `new: ID="${id}" NAME="${id}" SCREEN=0 DESKTOP=${elsewhere} TIMESTAMP=1`);

  /** Below the others first, so that it covers nothing when it comes. */
  const bringIn = async (xid: number, signal: AbortSignal): Promise<void> => {
    await ask(xid, '_NET_WM_STATE', [1, below ?? 0, 0, FROM_PAGER]);
    await ask(xid, '_NET_WM_DESKTOP', [here, FROM_PAGER]);
    await poll(async () => ((await windows.find(xid))?.away === false ? true : null), PATIENCE, signal);
    await ask(xid, '_NET_WM_STATE', [0, below ?? 0, 0, FROM_PAGER]);
    const settled = async (): Promise<true | null> =>
      (await windows.find(xid))?.states.includes('_NET_WM_STATE_BELOW') === true ? null : true;
    await poll(settled, PATIENCE, signal);
  };

  /** Nothing stays out of sight, also where the start was given up in between. */
  const bringAllIn = async (known: number, signal: AbortSignal): Promise<void> => {
    for (const { xid, away } of await windows.list())
      if (away && (xid === known || (await isOurs(xid)))) await bringIn(xid, signal);
  };

  const finish = async (window: XWindow, signal: AbortSignal): Promise<Launched['focus']> => {
    process ||= window.pid;
    await bringAllIn(window.xid, signal);
    finished = true;
    await giveBack();
    const isBack = async (): Promise<true | null> => ((await windows.active()) === front ? true : null);
    if (lost && front !== 0 && (await poll(isBack, PATIENCE, signal)) === null)
      await ops.focus(front, signal).catch(() => signal.throwIfAborted());
    if (await isOurs(await windows.active())) return 'moved';
    return lost ? 'given_back' : 'kept';
  };

  return {
    env: elsewhere < 0 ? {} : { DESKTOP_STARTUP_ID: id },
    follow: (pid) => (process = pid),
    finish,
    close: async () => {
      if (!finished) await bringAllIn(0, AbortSignal.timeout(PATIENCE)).catch(() => {});
      if (elsewhere >= 0) await announce(x, `remove: ID="${id}"`).catch(() => {});
      await x.close();
    },
  };
}
