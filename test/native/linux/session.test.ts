import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startVirtualSession, startSessionCleanup, CLEANUP_SCRIPT } from '../../../src/native/linux/session.js';
import { demandPackages } from '../../../src/native/linux/session/environment.js';
import { alive } from '../../support/alive.js';
import { eventually, openLinuxDesktop } from '../../support/linux-desktop.js';

const HANDLER = `#!/bin/sh
echo ready
while kill -0 "$1" 2>/dev/null; do sleep 0.05; done
sleep 0.2
echo finished
`;
const SIZE = { width: 800, height: 600 };
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chap-session-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Processes whose environment names a folder below `folder`. */
async function inSessions(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return environment.split('\0').some((entry) => entry.startsWith(`XDG_RUNTIME_DIR=${folder}/`));
    }),
  );
  return pids.filter((_, index) => marked[index] === true);
}

describe('a virtual session', () => {
  it('[req:DS-9-3] starts twenty times and leaves no process and no file behind', async () => {
    for (let round = 0; round < 20; round += 1) {
      const session = await startVirtualSession({ ...SIZE, runtimeDir: folder });
      expect((await inSessions()).length).toBeGreaterThanOrEqual(4);
      await session.close();
      expect(await inSessions()).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('[req:DS-9-3] keeps its folder and its cookie to its owner, and the host’s environment out', async () => {
    const session = await startVirtualSession({ ...SIZE, runtimeDir: folder });
    try {
      const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
      expect(await mode(session.env['XDG_RUNTIME_DIR'] ?? '')).toBe(0o700);
      expect(await mode(session.env['XAUTHORITY'] ?? '')).toBe(0o600);
      expect(session.env['HOME']).toContain(folder);
      expect(Object.keys(session.env)).not.toContain('WAYLAND_DISPLAY');
      expect(Object.keys(session.env)).not.toContain('NO_AT_BRIDGE');
      const refused = spawn('xprop', ['-root'], { env: { ...session.env, XAUTHORITY: '/dev/null' }, stdio: 'ignore' });
      expect(await new Promise((resolve) => refused.once('exit', resolve))).not.toBe(0);
    } finally {
      await session.close();
    }
  });

  it('ends programs that were started in it, also those that do not listen', async () => {
    const session = await startVirtualSession({ ...SIZE, runtimeDir: folder });
    const stubborn = spawn('sh', ['-c', 'trap "" TERM HUP; echo ready; while :; do sleep 1; done'], {
      env: session.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => stubborn.once('exit', (_, signal) => resolve(signal)));
    await once(stubborn.stdout, 'data');
    expect(await inSessions()).toContain(String(stubborn.pid));
    await session.close();
    expect(await ended).toBe('SIGKILL');
    expect(await inSessions()).toEqual([]);
  });

  it('leaves no Chromium behind, whose environment tells nothing and whose crash handler stops it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const linux = await openLinuxDesktop();
      const browsers = ['one', 'two'].map((name) => {
        const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', `--user-data-dir=${join(folder, name)}`];
        return linux.run('/usr/bin/chromium', [...flags, `data:text/html,<title>Page ${name}</title>text`]);
      });
      for (const { pid } of browsers) await linux.window(({ app, title }) => app.pid === pid && /^Page/.test(title));
      await linux.close();
      await eventually(async () => expect(browsers.filter(({ pid }) => alive(pid))).toEqual([]));
    }
  });

  it('lets a crash handler finish once what it looks after has ended', async () => {
    const handler = join(folder, 'chrome_crashpad_handler');
    await writeFile(handler, HANDLER, { mode: 0o755 });
    const session = await startVirtualSession({ ...SIZE, runtimeDir: folder });
    const crashing = spawn('sleep', ['1000'], { env: session.env, stdio: 'ignore' });
    const handling = spawn(handler, [String(crashing.pid)], { env: session.env, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    handling.stdout.on('data', (data) => (said += String(data)));
    const ended = once(handling, 'close');
    await eventually(() => Promise.resolve(expect(said).toBe('ready\n')));
    await session.close();
    await ended;
    expect(said).toBe('ready\nfinished\n');
  });

  it('runs beside others', async () => {
    const sessions = await Promise.all([1, 2].map(() => startVirtualSession({ ...SIZE, runtimeDir: folder })));
    expect(new Set(sessions.map(({ display }) => display)).size).toBe(2);
    await sessions[0]?.close();
    expect(await inSessions()).not.toEqual([]);
    await sessions[1]?.close();
    await sessions[1]?.close();
    expect(await inSessions()).toEqual([]);
  });

  it('falls back to the temporary folder where the path is too long for sockets', async () => {
    const long = join(folder, 'x'.repeat(90));
    const session = await startVirtualSession({ ...SIZE, runtimeDir: long });
    expect(session.env['XDG_RUNTIME_DIR']?.startsWith(long)).toBe(false);
    await session.close();
  });

  it('starts sway, as root too, keeps its sockets to its owner and leaves nothing behind', async () => {
    for (let round = 0; round < 3; round += 1) {
      const session = await startVirtualSession({ ...SIZE, runtimeDir: folder, wayland: true });
      expect(session.env).toMatchObject({ WAYLAND_DISPLAY: session.display, XDG_SESSION_TYPE: 'wayland' });
      expect(Object.keys(session.env)).not.toContain('DISPLAY');
      expect((await stat(session.env['XDG_RUNTIME_DIR'] ?? '')).mode & 0o777).toBe(0o700);
      expect((await inSessions()).length).toBeGreaterThanOrEqual(3);
      await session.close();
      expect(await inSessions()).toEqual([]);
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('names the packages of a Wayland desktop that are missing', async () => {
    await expect(demandPackages('/nowhere', true)).rejects.toMatchObject({
      code: 'unsupported',
      details: { missing: ['sway', 'dbus-daemon'] },
    });
  });

  it('names the packages that are missing', async () => {
    await expect(demandPackages('/nowhere', false)).rejects.toMatchObject({
      name: 'DesktopError',
      code: 'unsupported',
      message: expect.stringMatching(
        / run: `sudo apt-get install [-a-z ]+ xvfb openbox dbus-daemon [^`]+`\.$/,
      ) as string,
    });
  });
});

describe('the cleanup of a session', () => {
  it('ends everything when the host is killed', async () => {
    const session = join(folder, 'desk-killed');
    // A host of its own: it starts the cleanup as the product does, then a program in the session, and is killed.
    const script = `
      const { spawn } = require('node:child_process');
      const { mkdirSync } = require('node:fs');
      mkdirSync(${JSON.stringify(session)});
      spawn('/bin/sh', ['-c', process.argv[1], 'cleanup', ${JSON.stringify(session)}],
        { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: { PATH: process.env.PATH } });
      spawn('sleep', ['1000'], { env: { PATH: process.env.PATH, XDG_RUNTIME_DIR: ${JSON.stringify(session)} }, detached: true, stdio: 'ignore' });
      setInterval(() => {}, 1000);
    `;
    const host = spawn(process.execPath, ['-e', script, CLEANUP_SCRIPT], { stdio: 'ignore' });
    await eventually(async () => expect(await inSessions()).toHaveLength(1));
    host.kill('SIGKILL');
    await eventually(async () => expect(await inSessions()).toEqual([]));
    await eventually(async () => expect(await readdir(folder)).toEqual([]));
  });

  it('touches no process of another session', async () => {
    const other = spawn('sleep', ['1000'], {
      env: { PATH: process.env['PATH'], XDG_RUNTIME_DIR: join(folder, 'desk-1x') },
      stdio: 'ignore',
    });
    await eventually(async () => expect(await inSessions()).toHaveLength(1));
    await startSessionCleanup(join(folder, 'desk-1'), process.env['PATH'] ?? '').close();
    expect(await inSessions()).toEqual([String(other.pid)]);
    other.kill('SIGKILL');
  });
});
