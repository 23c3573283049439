/** The private Wayland session: sway without an output of its own, on a bus of its own. Called by ../session.ts. */
import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { message } from '../../../messages/index.js';
import { startAccessibility } from '../atspi/bus.js';
import {
  busArguments,
  waylandEnvironment,
  endedWith,
  firstLine,
  notStarted,
  start,
  START_TIMEOUT_MS,
} from './environment.js';

interface Size {
  width: number;
  height: number;
  /** Pixels per point. */
  scale?: number;
}

const POLL_MS = 4;

/** Resolves when sway and the accessibility bus answer. */
export async function startSway(folder: string, size: Size): Promise<{ env: Record<string, string>; display: string }> {
  const config = join(folder, 'sway.conf');
  const base = waylandEnvironment(folder, process.env);
  await Promise.all([mkdir(join(folder, 'home'), { mode: 0o700 }), writeFile(config, configOf(size), { mode: 0o600 })]);
  const [address, display] = await Promise.all([
    firstLine('dbus-daemon', start('dbus-daemon', busArguments(folder), base)),
    startCompositor(folder, config, base),
  ]);
  const env = { ...base, WAYLAND_DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: address };
  const { XDG_RUNTIME_DIR = '', GSETTINGS_BACKEND = '' } = base;
  await startAccessibility(address, { WAYLAND_DISPLAY: display, XDG_RUNTIME_DIR, GSETTINGS_BACKEND });
  return { env, display };
}

/** Windows float, as on other desktops, and the pointer changes nothing by passing over them. */
const configOf = ({ width, height, scale = 1 }: Size): string => `
output HEADLESS-1 resolution ${Math.round(width)}x${Math.round(height)} position 0 0 scale ${scale}
xwayland disable
default_floating_border normal 1
for_window [title=".*"] floating enable
focus_follows_mouse no
mouse_warping none
`;

/** The name of its display, once it takes clients. */
async function startCompositor(folder: string, config: string, base: Record<string, string>): Promise<string> {
  const env = { ...base, WLR_BACKENDS: 'headless', WLR_LIBINPUT_NO_DEVICES: '1', WLR_RENDERER: 'pixman' };
  const [program = '', ...args] = [...asOtherUser(), 'sway', '-c', config];
  const sway = start(program, args, env);
  let errorOutput = '';
  let failed: string | null = null;
  sway.stderr?.on('data', (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-400)));
  sway.once('error', (error) => (failed = error.message));
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; await delay(POLL_MS)) {
    const display = (await readdir(folder)).find((name) => /^wayland-\d+$/.test(name));
    if (display !== undefined && (await exists(base['SWAYSOCK'] ?? ''))) return display;
    const how = sway.signalCode ?? sway.exitCode;
    if (failed !== null || how !== null) throw notStarted('sway', failed ?? endedWith(how), errorOutput);
    if (Date.now() > deadline) throw notStarted('sway', message('display.no_answer'), errorOutput);
  }
}

/**
 * sway refuses to run as root. As `nobody` it may still use root's files, and become root no more; a namespace of users would do, too,
 * but containers rarely allow one.
 */
const asOtherUser = (): string[] => (process.getuid?.() === 0 ? AS_NOBODY : []);
const AS_NOBODY = [
  ...['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
  ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
];

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
