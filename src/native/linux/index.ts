/**
 * The Linux backend: AT-SPI over D-Bus for elements, X11 for windows, pictures, input and clipboard.
 * Comes in: an environment with DISPLAY and a session bus. Goes out: a DesktopBackend. Called by `native/open.ts`.
 */
import { type DesktopBackend, DesktopError } from '../desktop.js';
import { openLifetime } from './lifetime.js';
import { readVersion, requireX } from './platform.js';
import { readCookie } from './x11/auth.js';
import { connectX } from './x11/connection.js';
import { letButtonsGo } from './x11/letting-go.js';
import {
  captureMethods,
  clipboardMethods,
  elementMethods,
  inputMethods,
  lookMethods,
  screenRect,
  windowMethods,
} from './methods.js';
import type { Parts } from './methods.js';
import { openElementParts, openScreenParts } from './parts.js';
import type { LinuxOptions } from './parts.js';
import { message } from '../../messages/index.js';

export { startVirtualSession } from './session.js';
export type { SessionOptions, VirtualSession } from './session.js';
export type { LinuxOptions } from './parts.js';

/** Rejects with `unsupported` where there is no X11 session, `permission` or `lost` where it cannot be reached. */
export async function openLinux({
  display,
  env: given,
  mark = {},
  processes,
  log,
}: LinuxOptions): Promise<DesktopBackend> {
  const name = requireX(display, given);
  const env: Record<string, string | undefined> = { ...given, DISPLAY: name };
  const connect = async () => connectX(name, await readCookie(name, env), (message) => log.info(message));
  const x = await connect();
  try {
    return await assemble();
  } catch (error) {
    await x.close();
    throw error;
  }

  async function assemble(): Promise<DesktopBackend> {
    const xtest = await x.extension('xtest');
    if (xtest === null) throw new DesktopError('unsupported', message('display.no_xtest', { display: name }));
    if ((await x.ask<{ present: number }>((reply) => x.client.QueryExtension('XWAYLAND', reply))).present !== 0) {
      throw new DesktopError('unsupported', message('display.wayland'));
    }
    const screenParts = await openScreenParts(x, xtest, log);
    const elementParts = openElementParts(screenParts, { env, processes, log, connect });
    // Applications that start from now on find somebody to report to.
    await elementParts.bus.answers();
    const life = openLifetime(x);
    const parts: Parts = { ...screenParts, ...elementParts, x, run: life.run, processes, env, mark, connect };
    const { ears, hints } = parts;

    return {
      platform: 'linux',
      version: await readVersion(),
      ...lookMethods(parts),
      ...captureMethods(parts),
      ...elementMethods(parts),
      ...windowMethods(parts),
      ...inputMethods(parts),
      ...clipboardMethods(parts),
      onPersonInput: (listener) => (ears === null ? () => {} : ears.onPerson(listener)),
      onSyntheticInput: (listener) => (ears === null ? () => {} : ears.onSynthetic(listener)),
      flushInputEvents: (signal) => life.run(signal, () => (ears === null ? Promise.reject(unheard()) : ears.heard())),
      onChange: hints.on,
      onLost: life.onLost,
      close: () => life.close(() => closeParts(parts)),
    };
  }
}

async function closeParts({ x, bus, pointer, keyboard, windows, clipboard, dropping, manager }: Parts): Promise<void> {
  await Promise.allSettled([
    letButtonsGo({ pointer, keyboard, windows }, screenRect(x)).finally(() => keyboard.close()),
    clipboard.close(),
    dropping.close(),
    manager.close(),
  ]);
  await Promise.allSettled([bus.close(), x.close()]);
}

const unheard = (): DesktopError =>
  new DesktopError('unsupported', 'This X server has no XInput2, so other programs’ input cannot be noticed.');
