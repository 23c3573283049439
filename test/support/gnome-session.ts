/** A private session of GNOME Shell without a screen, with Chaperone's extension in it: on a bus of its own, with a stand-in for logind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionBus } from 'dbus-native';
import { GNOME_EXTENSION, gnomeFolder, type GnomeHost, installGnome } from '../../src/main/setup/gnome.js';
import { startAccessibility } from '../../src/native/linux/atspi/bus.js';
import { startSessionCleanup, type VirtualSession } from '../../src/native/linux/session.js';
import { busArguments, firstLine, start, waylandEnvironment } from '../../src/native/linux/session/environment.js';

interface GnomeOptions {
  width: number;
  height: number;
  /** Who may use the extension; this process when left out. */
  hosts?: readonly GnomeHost[];
  /** False: the extension is not there; `other`: it is of another version. Default true. */
  extension?: boolean | 'other';
}

const STARTED = 'GNOME Shell started';
const START_MS = 40_000;
const STEP_MS = 50;

export async function startGnome({ width, height, hosts, extension = true }: GnomeOptions): Promise<VirtualSession> {
  const folder = await mkdtemp(join(tmpdir(), 'gnome-'));
  const cleanup = startSessionCleanup(folder, process.env['PATH'] ?? '');
  try {
    const { SWAYSOCK: _, ...shared } = waylandEnvironment(folder, process.env);
    const base: Record<string, string> = { ...shared, XDG_CURRENT_DESKTOP: 'GNOME' };
    await mkdir(join(folder, 'home'), { mode: 0o700 });
    await writeSettings(join(folder, 'home'));
    if (extension !== false)
      await install(folder, hosts ?? [{ program: await realpath(process.execPath), script: null }]);
    if (extension === 'other') await changeVersion(folder);
    const [address, system] = await Promise.all([bus(folder, base), bus(folder, base)]);
    const buses = { DBUS_SESSION_BUS_ADDRESS: address, DBUS_SYSTEM_BUS_ADDRESS: system };
    const display = await startShell({ ...base, ...buses }, `${width}x${height}`);
    const env = { ...base, ...buses, WAYLAND_DISPLAY: display };
    const { XDG_RUNTIME_DIR = '', GSETTINGS_BACKEND = '' } = base;
    await startAccessibility(address, { WAYLAND_DISPLAY: display, XDG_RUNTIME_DIR, GSETTINGS_BACKEND });
    return { env, display, close: () => cleanup.close() };
  } catch (error) {
    await cleanup.close();
    throw error;
  }
}

const bus = (folder: string, env: Record<string, string>): Promise<string> =>
  firstLine('dbus-daemon', start('dbus-daemon', busArguments(folder), env));

/** A notification of the shell, such as that there is no screen lock here, would be over windows. */
async function writeSettings(home: string): Promise<void> {
  const settings = join(home, '.config', 'glib-2.0', 'settings');
  await mkdir(settings, { recursive: true });
  await writeFile(join(settings, 'keyfile'), '[org/gnome/desktop/notifications]\nshow-banners=false\n');
}

const install = (folder: string, hosts: readonly GnomeHost[]): Promise<unknown> =>
  installGnome({ ...dataIn(folder), run: async () => '@as []' }, 43, hosts);

const dataIn = (folder: string) => ({ dataFolder: join(folder, 'home', '.local', 'share') });

async function changeVersion(folder: string): Promise<void> {
  const file = join(gnomeFolder(dataIn(folder)), 'extension.js');
  await writeFile(file, (await readFile(file, 'utf8')).replace('const PROTOCOL = 1;', 'const PROTOCOL = 2;'));
}

async function startShell(env: Record<string, string>, size: string): Promise<string> {
  const logind = spawn('/usr/bin/python3', ['-m', 'dbusmock', '--system', '--template', 'logind'], {
    env,
    stdio: 'ignore',
  });
  await answers(env['DBUS_SYSTEM_BUS_ADDRESS'] ?? '', 'org.freedesktop.login1', logind);
  // Its XWayland wants it; the rights are those of every X server.
  await mkdir('/tmp/.X11-unix', { recursive: true });
  await chmod('/tmp/.X11-unix', 0o1777).catch(() => {});
  const display = 'chaperone-0';
  const args = ['--headless', '--wayland', '--wayland-display', display, '--virtual-monitor', size];
  const shell = spawn('gnome-shell', args, {
    env: { ...env, GSETTINGS_BACKEND: 'keyfile' },
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  shell.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-40_000)));
  const address = env['DBUS_SESSION_BUS_ADDRESS'] ?? '';
  try {
    await answers(address, 'org.gnome.Shell', shell);
    // Until then it would show the overview once more.
    await until(async () => {
      if (!said.includes(STARTED)) throw new Error('its start has not ended');
    });
    // It starts with the overview, where no window gets input.
    await until(() => setOverview(env, false));
    await switchExtension(env, true);
    return display;
  } catch (error) {
    throw new Error(`GNOME Shell did not start: ${String(error)}; it says: ${said}`, { cause: error });
  }
}

type Call = Parameters<ReturnType<typeof sessionBus>['invoke']>[0];

async function withBus<T>(address: string, use: (invoke: (call: Call) => Promise<unknown>) => Promise<T>): Promise<T> {
  const open = sessionBus({ busAddress: address, timeout: 5000 });
  open.connection.on('error', () => {});
  try {
    return await use(async (call) => open.invoke(call));
  } finally {
    await open.close().catch(() => {});
  }
}

/** Waits until somebody has that name on the bus. */
const answers = (address: string, name: string, program: ChildProcess): Promise<void> =>
  withBus(address, (invoke) =>
    until(async () => {
      if (program.exitCode !== null) throw new Error(`${name} ended with ${program.exitCode}`);
      const owner = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' };
      const call = {
        ...owner,
        interface: 'org.freedesktop.DBus',
        member: 'NameHasOwner',
        signature: 's',
        body: [name],
      };
      if ((await invoke(call)) !== true) throw new Error(`${name} is not on the bus`);
    }),
  );

const SHELL = { destination: 'org.gnome.Shell', path: '/org/gnome/Shell' };

/** Rejects while it is not so yet. */
export const setOverview = (env: Record<string, string>, on: boolean): Promise<void> =>
  withBus(env['DBUS_SESSION_BUS_ADDRESS'] ?? '', async (invoke) => {
    const properties = { ...SHELL, interface: 'org.freedesktop.DBus.Properties' };
    const name = ['org.gnome.Shell', 'OverviewActive'];
    await invoke({ ...properties, member: 'Set', signature: 'ssv', body: [...name, ['b', on]] });
    const now = await invoke({ ...properties, member: 'Get', signature: 'ss', body: name });
    if (now !== on) throw new Error(`the overview is ${on ? 'not there' : 'still there'}`);
  });

/** As the person does in the settings, and the shell where the screen is locked. */
export const switchExtension = (env: Record<string, string>, on: boolean): Promise<void> =>
  withBus(env['DBUS_SESSION_BUS_ADDRESS'] ?? '', async (invoke) => {
    const member = on ? 'EnableExtension' : 'DisableExtension';
    const call = { ...SHELL, interface: 'org.gnome.Shell.Extensions', member };
    await invoke({ ...call, signature: 's', body: [GNOME_EXTENSION] });
  });

/** Another program moves the pointer by so much, as the person would: through an interface of the shell that only tests use. */
export const movePointerBy = (env: Record<string, string>, x: number, y: number): Promise<void> =>
  withBus(env['DBUS_SESSION_BUS_ADDRESS'] ?? '', async (invoke) => {
    const name = 'org.gnome.Mutter.RemoteDesktop';
    const manager = { destination: name, path: '/org/gnome/Mutter/RemoteDesktop', interface: name };
    const path = String(await invoke({ ...manager, member: 'CreateSession' }));
    const session = { destination: name, path, interface: `${name}.Session` };
    await invoke({ ...session, member: 'Start' });
    await invoke({ ...session, member: 'NotifyPointerMotionRelative', signature: 'dd', body: [x, y] });
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    await invoke({ ...session, member: 'Stop' });
  });

/** As the person does in the settings of the display. */
export const setScale = (env: Record<string, string>, scale: number): Promise<void> =>
  withBus(env['DBUS_SESSION_BUS_ADDRESS'] ?? '', async (invoke) => {
    const name = 'org.gnome.Mutter.DisplayConfig';
    const config = { destination: name, path: '/org/gnome/Mutter/DisplayConfig', interface: name };
    const state = await invoke({ ...config, member: 'GetCurrentState' });
    const [serial, [[[connector], [[mode]]]]] = Array.isArray(state) ? state : [];
    const logical = [[0, 0, scale, 0, true, [[connector, mode, []]]]];
    const body = [serial, 1, logical, []];
    await invoke({ ...config, member: 'ApplyMonitorsConfig', signature: 'uua(iiduba(ssa{sv}))a{sv}', body });
  });

async function until(attempt: () => Promise<void>): Promise<void> {
  for (const deadline = Date.now() + START_MS; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
