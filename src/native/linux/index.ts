/**
 * The Linux backend: AT-SPI over D-Bus for elements, a display server for windows, pictures, input and clipboard.
 * Comes in: an environment with WAYLAND_DISPLAY or DISPLAY, and a session bus. Goes out: a DesktopBackend. Called by `native/open.ts`.
 */
import { type DesktopBackend, DesktopError, type Provision, type Rect } from '../desktop.js';
import { openAccessibilityBus, type AccessibilityBus } from './atspi/bus.js';
import { busAddressOf, openElementComponents, type LinuxOptions } from './components.js';
import type { DisplayServer } from './display-server.js';
import { openLifetime } from './lifetime.js';
import {
  captureMethods,
  clipboardMethods,
  elementMethods,
  inputMethods,
  readMethods,
  windowMethods,
  type Components,
} from './methods.js';
import type { AbilityRow, Trial } from './self-test/run.js';
import type { TestWindow } from './self-test/window.js';
import { openX11 } from './x11/display.js';
import { message } from '../../messages/index.js';
import { readFile } from 'node:fs/promises';

export { startVirtualSession, type SessionOptions, type VirtualSession } from './session.js';
export type { LinuxOptions } from './components.js';
export type { AbilityRow } from './self-test/run.js';

export interface LinuxDesktop extends DesktopBackend {
  /** How this display server and the accessibility bus give each ability, and what is missing. */
  readonly provides: readonly Provision[];
}

/** Rejects with `unsupported` where there is no session that it can serve, `permission` or `lost` where it cannot be reached. */
export async function openLinux(options: LinuxOptions): Promise<LinuxDesktop> {
  const { processes, log } = options;
  const { env, open } = chooseServer(options);
  const bus = openAccessibilityBus(busAddressOf(env), processes.peerOf, (said) => log.warn(said));
  // Applications that start from now on connect to the accessibility bus.
  const answers = bus.answers();
  try {
    const server = await open();
    const provides = [...server.provides, elementsBy(await answers)];
    return { ...(await assemble(server, bus, { ...options, env })), provides };
  } catch (error) {
    await bus.close();
    throw error;
  }
}

const TEST_TITLE = 'Chaperone self-test';

interface SelfTest extends Pick<Trial, 'signal' | 'onRow' | 'limitMs' | 'arrivesMs'> {
  /** Of the desktop's session. */
  env: Environment;
}

/** Tries each ability of an open desktop on a window of its own. */
export async function tryDesktop(desktop: DesktopBackend, { env, ...trial }: SelfTest): Promise<AbilityRow[]> {
  const [{ tryAbilities }, { openTestObjects }] = await Promise.all([
    import('./self-test/run.js'),
    import('./atspi/test-objects.js'),
  ]);
  const window = await openTestWindow(env);
  const frame = async (): Promise<Rect> => ({ ...((await window.origin()) ?? NOWHERE), ...window.state().size });
  const openObjects = () => openTestObjects(busAddressOf(env), { title: window.title, frame });
  return tryAbilities({ desktop, window, openObjects, ...trial });
}

/** Where programs are not told. */
const NOWHERE = { x: 0, y: 0 };

async function openTestWindow(env: Environment): Promise<TestWindow> {
  if ((env['WAYLAND_DISPLAY'] ?? '') === '')
    return (await import('./x11/test-window.js')).openX11TestWindow(requireX(undefined, env), env, TEST_TITLE);
  const [{ waylandSocket }, { openWaylandTestWindow }] = await Promise.all([
    import('./wayland/display.js'),
    import('./wayland/test-window.js'),
  ]);
  return openWaylandTestWindow(waylandSocket(env) ?? '', TEST_TITLE);
}

const elementsBy = (answers: boolean): Provision =>
  answers
    ? { ability: 'elements', by: 'AT-SPI', lacks: null, command: null }
    : { ability: 'elements', by: null, lacks: message('display.no_accessibility'), command: INSTALL_ACCESSIBILITY };
const INSTALL_ACCESSIBILITY = 'sudo apt-get install --no-install-recommends at-spi2-core';

async function assemble(server: DisplayServer, bus: AccessibilityBus, options: LinuxOptions): Promise<DesktopBackend> {
  const { env, mark = {}, processes } = options;
  const elements = openElementComponents(server, { bus, env, processes });
  const life = openLifetime(server);
  const components: Components = { ...server, ...elements, run: life.run, processes, env, mark };
  const { inputEvents, hints } = components;

  return {
    platform: 'linux',
    version: `${await readVersion()}, ${server.name}`,
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
    close: () => life.close(() => closeAll(server, elements)),
  };
}

async function closeAll(
  server: DisplayServer,
  { bus, hints, watchedProcesses }: ReturnType<typeof openElementComponents>,
): Promise<void> {
  watchedProcesses.close();
  await Promise.allSettled([hints.close(), server.close()]);
  await bus.close();
}

const noInputEvents = (): DesktopError => new DesktopError('unsupported', message('display.no_input_events'));

type Environment = Record<string, string | undefined>;

/** In a Wayland session its compositor, as the X server there shows only a part of it; else the X server. */
function chooseServer({ display, env, log }: LinuxOptions): { env: Environment; open(): Promise<DisplayServer> } {
  const wayland = env['WAYLAND_DISPLAY'] ?? '';
  if (wayland !== '' && (display === undefined || display === wayland)) return { env, open: () => openCompositor(env) };
  const name = requireX(display, env);
  return { env: { ...env, DISPLAY: name }, open: () => openX11(name, env, log) };
}

async function openCompositor(env: Environment): Promise<DisplayServer> {
  const { isGnome, openGnome } = await import('./wayland/gnome.js');
  const address = busAddressOf(env);
  if (await isGnome(env, address)) return openGnome(address);
  return (await import('./wayland/display.js')).openWayland(env);
}

/** Displays are also ports, from 6000 on. */
const HIGHEST_DISPLAY = 65535 - 6000;

/** The display to use; rejects with what to do where there is none that this backend can serve. */
function requireX(asked: string | undefined, env: Environment): string {
  const display = asked ?? env['DISPLAY'];
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
  return [name, field('VERSION_ID')].filter(Boolean).join(' ');
}
