/**
 * The Linux backend: AT-SPI over D-Bus for elements, X11 for windows, pictures, input and clipboard.
 * Comes in: an environment with DISPLAY and a session bus. Goes out: a DesktopBackend. Called by `native/open.ts`.
 */
import { type DesktopBackend, DesktopError } from '../desktop.js';
import { openAccessibilityBus } from './atspi/bus.js';
import { openLifetime } from './lifetime.js';
import { readVersion, requireX } from './platform.js';
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
