/** What a private session needs besides its X server and bus. A file of its own: it is read while those start. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { message } from '../../../messages/index.js';
import { startAccessibility } from '../atspi/bus.js';
import { readCookie, connectX, readProperties } from '../x11/connection.js';
import { endedWith, notStarted, START_TIMEOUT_MS } from './environment.js';

interface Session {
  /** Of the session bus. */
  address: string;
  display: string;
  env: Record<string, string>;
  manager: ChildProcess;
}

/** Resolves when the window manager and the accessibility bus answer. */
export async function startServices({ address, display, env, manager }: Session): Promise<void> {
  const { XAUTHORITY = '', XDG_RUNTIME_DIR = '', GSETTINGS_BACKEND = '' } = env;
  await Promise.all([
    startAccessibility(address, { DISPLAY: display, XAUTHORITY, XDG_RUNTIME_DIR, GSETTINGS_BACKEND }),
    waitForWindowManager(display, env, manager),
  ]);
}

async function waitForWindowManager(
  display: string,
  env: Record<string, string>,
  manager: ChildProcess,
): Promise<void> {
  let errorOutput = '';
  manager.stderr?.on('data', (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-400)));
  const x = await connectX(display, await readCookie(display, env), () => {});
  try {
    const properties = readProperties(x);
    const deadline = Date.now() + START_TIMEOUT_MS;
    while ((await properties.numbers(x.root, '_NET_SUPPORTING_WM_CHECK')).length === 0) {
      if (Date.now() > deadline || manager.exitCode !== null || manager.signalCode !== null) {
        const how = manager.signalCode ?? manager.exitCode;
        throw notStarted('openbox', how === null ? message('display.no_answer') : endedWith(how), errorOutput);
      }
      await delay(10);
    }
  } finally {
    await x.close();
  }
}
