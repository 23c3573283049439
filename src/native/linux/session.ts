/**
 * A private desktop: own X server, window manager, session bus and accessibility bus, own home folder.
 * Called by native/open.ts where no desktop can be used; its result is given to `openLinux`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { message, type Message } from '../../messages/index.js';
import { DesktopError } from '../desktop.js';
import { enableAccessibility, shareEnvironment, startRegistry } from './atspi/address.js';
import { demandPackages, sessionEnvironment } from './session/environment.js';
import { startSessionCleanup } from './session/cleanup.js';
import { readCookie, writeCookieFile } from './x11/auth.js';
import { connectX } from './x11/connection.js';
import { readProperties } from './x11/properties.js';

export interface VirtualSession {
  /** For every program that is to run in the session. */
  env: Record<string, string>;
  /** X display name, e.g. `:99`. */
  display: string;
  /** Ends everything that runs in the session and removes its folder. */
  close(): Promise<void>;
}

export interface SessionOptions {
  /** Pixels. */
  width: number;
  height: number;
  /** An existing folder; the session makes its own (0700) inside, or in the temporary folder when the path is too long for sockets. */
  runtimeDir: string;
}

const START_TIMEOUT_MS = 20_000;
const MAX_FOLDER_CHARS = 70;

/** Rejects with `unsupported` and the missing Debian packages, or with `failed` and the part that did not start. */
export async function startVirtualSession(options: SessionOptions): Promise<VirtualSession> {
  const path = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  await demandPackages(path);
  const parent = options.runtimeDir.length > MAX_FOLDER_CHARS ? tmpdir() : options.runtimeDir;
  const folder = await mkdtemp(join(parent, 'desk-'));
  const cleanup = startSessionCleanup(folder, path);
  try {
    return { ...(await startParts(folder, options)), close: once(() => cleanup.close()) };
  } catch (error) {
    await cleanup.close();
    throw error;
  }
}

async function startParts(
  folder: string,
  { width, height }: SessionOptions,
): Promise<{ env: Record<string, string>; display: string }> {
  const xauthority = join(folder, 'xauthority');
  const base = sessionEnvironment(folder, xauthority, process.env);
  await Promise.all([mkdir(join(folder, 'home'), { mode: 0o700 }), writeCookieFile(xauthority, randomBytes(16))]);

  const screen = `${Math.round(width)}x${Math.round(height)}x24`;
  const [number, address] = await Promise.all([
    firstLine('Xvfb', start('Xvfb', xvfbArguments(screen, xauthority), base)),
    firstLine('dbus-daemon', start('dbus-daemon', busArguments(folder), base)),
  ]);
  const display = `:${number}`;
  const env = { ...base, DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: address };
  // In a UTF-8 locale Openbox needs seven times as long for a keyboard change.
  const manager = start('openbox', ['--sm-disable'], { ...env, LC_ALL: 'C' });
  await shareEnvironment(address, {
    DISPLAY: display,
    XAUTHORITY: xauthority,
    XDG_RUNTIME_DIR: folder,
    GSETTINGS_BACKEND: 'memory',
  });
  await enableAccessibility(address);
  await Promise.all([startRegistry(address), waitForWindowManager(display, env, manager)]);
  return { env, display };
}

function xvfbArguments(screen: string, xauthority: string): string[] {
  const auth = ['-auth', xauthority, '-nolisten', 'tcp', '-noreset', '-nocursor'];
  return ['-displayfd', '3', '-screen', '0', screen, ...auth];
}

function busArguments(folder: string): string[] {
  return ['--session', '--nofork', '--nopidfile', '--print-address=3', `--address=unix:dir=${folder}`];
}

function start(program: string, args: string[], env: Record<string, string>): ChildProcess {
  // Its own group: a Ctrl-C meant for the host must not reach the session before the cleanup does.
  const child = spawn(program, args, { env, cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  // Unread error output would fill the pipe and stop the program.
  child.stderr?.resume();
  return child;
}

/** The first line a program writes to descriptor 3. */
function firstLine(program: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = '';
    let errorOutput = '';
    const fail = (why: string | Message): void => {
      clearTimeout(timer);
      reject(notStarted(program, why, errorOutput));
    };
    const timer = setTimeout(() => fail(message('display.no_answer')), START_TIMEOUT_MS);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => fail(endedWith(signal ?? code)));
    child.stderr?.on('data', (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-400)));
    const channel = child.stdio[3] as Readable;
    channel.on('data', (chunk: Buffer) => {
      line += chunk.toString();
      if (!line.includes('\n')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(line.trim());
    });
  });
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

function notStarted(program: string, why: string | Message, errorOutput: string): DesktopError {
  const output = errorOutput.trim();
  const said = output === '' ? 'other' : 'yes';
  return new DesktopError('failed', message('display.part_not_started', { program, why, said, output }));
}

const endedWith = (how: string | number | null): Message => message('display.part_ended', { how: String(how) });

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= run());
}
