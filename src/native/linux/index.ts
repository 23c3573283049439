/**
 * The Linux backend: AT-SPI over D-Bus for elements, X11 for windows, pictures, input and clipboard.
 * Comes in: an environment with DISPLAY and a session bus. Goes out: a DesktopBackend. Called by `native/open.ts`.
 */
import { type DesktopBackend, DesktopError } from '../desktop.js';
import { openAccessibilityBus } from './atspi/bus.js';
import { openLifetime } from './lifetime.js';
import { readCookie } from './x11/auth.js';
import { connectX, type XConnection } from './x11/connection.js';
import { releaseButtons } from './x11/release-buttons.js';
import {
  captureMethods,
  clipboardMethods,
  elementMethods,
  inputMethods,
  readMethods,
  windowMethods,
  type Components,
} from './methods.js';
import { busAddressOf, openElementComponents, openScreenComponents, type LinuxOptions } from './components.js';
import { message } from '../../messages/index.js';
import { readFile } from 'node:fs/promises';

export { startVirtualSession, type SessionOptions, type VirtualSession } from './session.js';
export type { LinuxOptions } from './components.js';

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
  const [x, windowEvents] = await connectTwice(connect);
  const bus = openAccessibilityBus(busAddressOf(env), processes.peerOf, (message) => log.warn(message));
  try {
    return await assemble();
  } catch (error) {
    await Promise.allSettled([bus.close(), x.close(), windowEvents.close()]);
    throw error;
  }

  async function assemble(): Promise<DesktopBackend> {
    const xtest = await x.extension('xtest');
    if (xtest === null) throw new DesktopError('unsupported', message('display.no_xtest', { display: name }));
    const xkb = await x.extension('xkb');
    if (xkb === null) throw new DesktopError('unsupported', message('display.no_xkb', { display: name }));
    if ((await x.query<{ present: number }>((reply) => x.client.QueryExtension('XWAYLAND', reply))).present !== 0) {
      throw new DesktopError('unsupported', message('display.wayland'));
    }
    const answers = bus.answers();
    const screen = await openScreenComponents(x, { xtest, xkb }, windowEvents, log);
    const elements = openElementComponents(screen, { bus, env, processes, connect });
    // Applications that start from now on connect to the accessibility bus.
    await answers;
    const life = openLifetime([x, windowEvents]);
    const components: Components = {
      ...screen,
      ...elements,
      x,
      windowEvents,
      run: life.run,
      processes,
      env,
      mark,
      connect,
    };
    const { inputEvents, hints } = components;

    return {
      platform: 'linux',
      version: await readVersion(),
      ...readMethods(components),
      ...captureMethods(components),
      ...elementMethods(components),
      ...windowMethods(components),
      ...inputMethods(components),
      ...clipboardMethods(components),
      onPersonInput: (listener) => (inputEvents === null ? () => {} : inputEvents.onPerson(listener)),
      onSyntheticInput: (listener) => (inputEvents === null ? () => {} : inputEvents.onSynthetic(listener)),
      flushInputEvents: (signal) =>
        life.run(signal, () => (inputEvents === null ? Promise.reject(noInputEvents()) : inputEvents.flush())),
      onChange: hints.on,
      onLost: life.onLost,
      close: () => life.close(() => closeComponents(components)),
    };
  }
}

/** Both at once; none stays open where one is refused. */
async function connectTwice(connect: () => Promise<XConnection>): Promise<[XConnection, XConnection]> {
  const both = [connect(), connect()] as const;
  try {
    return await Promise.all(both);
  } catch (error) {
    for (const one of await Promise.allSettled(both)) if (one.status === 'fulfilled') await one.value.close();
    throw error;
  }
}

async function closeComponents({
  x,
  windowEvents,
  bus,
  pointer,
  keyboard,
  windows,
  clipboard,
  dragAndDrop,
  managerSync,
  paintWatch,
  screenCapture,
  hints,
  watchedProcesses,
}: Components): Promise<void> {
  paintWatch.close();
  screenCapture.close();
  watchedProcesses.close();
  await Promise.allSettled([
    releaseButtons({ pointer, keyboard, windows }).finally(() => keyboard.close()),
    clipboard.close(),
    dragAndDrop.close(),
    managerSync.close(),
    hints.close(),
  ]);
  await Promise.allSettled([bus.close(), x.close(), windowEvents.close()]);
}

const noInputEvents = (): DesktopError => new DesktopError('unsupported', message('display.no_input_events'));

/** Displays are also ports, from 6000 on. */
const HIGHEST_DISPLAY = 65535 - 6000;

/** The display to use; rejects with what to do where there is none that this backend can serve. */
function requireX(asked: string | undefined, env: Record<string, string | undefined>): string {
  const display = asked ?? env['DISPLAY'];
  const wayland = (env['WAYLAND_DISPLAY'] ?? '') !== '' || env['XDG_SESSION_TYPE'] === 'wayland';
  if (wayland && asked === undefined) {
    throw new DesktopError('unsupported', message('display.wayland_uncontrolled'));
  }
  if (display === undefined || display === '') {
    throw new DesktopError('unsupported', message('display.not_set'));
  }
  if (!/^[\w./-]*:\d{1,5}(\.\d+)?$/.test(display) || Number(/:(\d+)/.exec(display)?.[1]) > HIGHEST_DISPLAY) {
    throw new DesktopError('unsupported', message('display.bad_name', { display }));
  }
  return display;
}

async function readVersion(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const field = (key: string): string | undefined => new RegExp(`^${key}="?([^"\\n]*)"?$`, 'm').exec(release)?.[1];
  const name = field('NAME')?.replace(/ GNU\/Linux$/, '') ?? 'Linux';
  return `${[name, field('VERSION_ID')].filter(Boolean).join(' ')}, X11`;
}
