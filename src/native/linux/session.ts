/**
 * A private desktop: own X server with a window manager or own Wayland compositor, session bus and accessibility bus, own home folder.
 * Called by native/open.ts where no desktop can be used; its result is given to `openLinux`.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { busArguments, demandPackages, sessionEnvironment, firstLine, start } from './session/environment.js';
import { writeCookieFile } from './x11/connection.js';
import { spawn } from 'node:child_process';
import { message } from '../../messages/index.js';
import { DesktopError } from '../desktop.js';

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

/** The shell program; its only argument is the folder. */
export const CLEANUP_SCRIPT = `
mark="XDG_RUNTIME_DIR=$1"
sweep() {
  left=0
  for entry in $(grep -lzxF -- "$mark" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${entry#/proc/}; pid=\${pid%/environ}
    case "$2 $(cat "/proc/$pid/comm" 2>/dev/null)" in
      "programs chrome_crashpad"*) left=1 ;;
      *) kill -"$1" "$pid" 2>/dev/null && left=1 ;;
    esac
  done
}
cat >/dev/null
trap '' TERM INT HUP
step=0
while [ $step -lt 35 ]; do
  case $step in
    0) sweep TERM programs ;;
    1) sweep CONT programs ;;
    [2-9]) sweep 0 programs ;;
    [12]?) sweep KILL programs ;;
    *) sweep KILL all ;;
  esac
  [ $step != 0 ] && [ "$left" = 0 ] && break
  step=$((step + 1))
  sleep 0.1
done
rm -rf -- "$1"
[ "$left" = 0 ]
`;

/**
 * Ends every process of a session, even when the host is killed: a shell in its own process group waits for the end
 * of its standard input, then ends all processes whose XDG_RUNTIME_DIR is the session's, and removes the folder.
 * The kernel closes that pipe with the host, so no code of the host has to run. Processes are found by their
 * environment, not by a list of ids, so those that the session's programs have started are found too. Chromium
 * overwrites its environment, so it is not found; it crashes when its X server ends. Its crash handler, which stops it meanwhile, is
 * left to finish: ended too early, it would leave Chromium stopped for good.
 */
export function startSessionCleanup(folder: string, path: string) {
  const child = spawn('/bin/sh', ['-c', CLEANUP_SCRIPT, 'chaperone-session-cleanup', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: path },
    cwd: '/',
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
  child.stdin.on('error', () => {});
  return {
    /** Ends the session; resolves when its processes and its folder are gone. */
    close: async (): Promise<void> => {
      child.stdin.end();
      if ((await ended) !== 0) {
        throw new DesktopError('failed', message('display.not_ended', { folder }));
      }
    },
  };
}
