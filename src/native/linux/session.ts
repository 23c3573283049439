/**
 * A private desktop: own X server with a window manager or own Wayland compositor, session bus and accessibility bus, own home folder.
 * Called by native/open.ts where no desktop can be used; its result is given to `openLinux`.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busArguments, demandPackages, sessionEnvironment } from './session/environment.js';
import { startSessionCleanup } from './session/cleanup.js';
import { firstLine, start } from './session/programs.js';
import { writeCookieFile } from './x11/connection.js';

export interface VirtualSession {
  /** For every program that is to run in the session. */
  env: Record<string, string>;
  /** X display name, e.g. `:99`, or a Wayland one, e.g. `wayland-1`. */
  display: string;
  /** Ends everything that runs in the session and removes its folder. */
  close(): Promise<void>;
}

export interface SessionOptions {
  /** Pixels. */
  width: number;
  height: number;
  /** A Wayland compositor instead of an X server, for applications that run on nothing else. */
  wayland?: boolean;
  /** Of a Wayland session: pixels per point. */
  scale?: number;
  /** An existing folder; the session makes its own (0700) inside, or in the temporary folder when the path is too long for sockets. */
  runtimeDir: string;
  /** Called once the first programs are started and what starts the others is read. */
  onIdle?: () => void;
}

const MAX_FOLDER_CHARS = 70;

/** Rejects with `unsupported` and the missing Debian packages, or with `failed` and the part that did not start. */
export async function startVirtualSession(options: SessionOptions): Promise<VirtualSession> {
  const path = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  await demandPackages(path, options.wayland === true);
  const parent = options.runtimeDir.length > MAX_FOLDER_CHARS ? tmpdir() : options.runtimeDir;
  const folder = await mkdtemp(join(parent, 'desk-'));
  const cleanup = startSessionCleanup(folder, path);
  try {
    return { ...(await startKind(folder, options)), close: once(() => cleanup.close()) };
  } catch (error) {
    await cleanup.close();
    throw error;
  }
}

const startKind = async (folder: string, options: SessionOptions) =>
  options.wayland === true
    ? (await import('./session/sway.js')).startSway(folder, options)
    : startParts(folder, options);

async function startParts(
  folder: string,
  { width, height, onIdle }: SessionOptions,
): Promise<{ env: Record<string, string>; display: string }> {
  const xauthority = join(folder, 'xauthority');
  const base = sessionEnvironment(folder, xauthority, process.env);
  await Promise.all([mkdir(join(folder, 'home'), { mode: 0o700 }), writeCookieFile(xauthority, randomBytes(16))]);

  const screen = `${Math.round(width)}x${Math.round(height)}x24`;
  const [number, address, { startServices }] = await Promise.all([
    firstLine('Xvfb', start('Xvfb', xvfbArguments(screen, xauthority), base)),
    firstLine('dbus-daemon', start('dbus-daemon', busArguments(folder), base)),
    import('./session/services.js').finally(onIdle),
  ]);
  const display = `:${number}`;
  const env = { ...base, DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: address };
  // In a UTF-8 locale Openbox needs seven times as long for a keyboard change.
  const manager = start('openbox', ['--sm-disable'], { ...env, LC_ALL: 'C' });
  await startServices({ address, display, env, manager });
  return { env, display };
}

function xvfbArguments(screen: string, xauthority: string): string[] {
  const auth = ['-auth', xauthority, '-nolisten', 'tcp', '-noreset', '-nocursor'];
  return ['-displayfd', '3', '-screen', '0', screen, ...auth];
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= run());
}
