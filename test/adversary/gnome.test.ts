/** What the extension in GNOME Shell gives, and to whom: only the host's own program is answered, and nothing stays pressed after it. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLinux, type VirtualSession } from '../../src/native/linux/index.js';
import { createProcessTable } from '../../src/native/peer/index.js';
import { createHome, ENTRY } from '../support/command.js';
import { setOverview, startGnome, switchExtension } from '../support/gnome-session.js';
import { eventually, openLinuxDesktop, type FixtureApp, type LinuxDesktop } from '../support/linux-desktop.js';

const signal = new AbortController().signal;
const run = promisify(execFile);
const NODE = realpathSync(process.execPath);
const allow = (): Promise<void> => Promise.resolve();

/** A program that asks the extension, holds Shift when it is told to, and then stays. */
const ASKS = `import { sessionBus } from ${JSON.stringify(fileURLToPath(import.meta.resolve('dbus-native')))};
const bus = sessionBus({ busAddress: process.env.DBUS_SESSION_BUS_ADDRESS });
const call = (member, signature, body) => bus.invoke({ destination: 'org.gnome.Shell', path: '/dev/chaperone/Desktop',
  interface: 'dev.chaperone.Desktop', member, ...(signature === undefined ? {} : { signature, body }) });
const holds = process.argv[2] === 'hold';
try {
  await call('Open');
  if (holds) await call('Key', 'ub', [0xffe1, true]);
  console.log('answered ' + await call('Windows'));
} catch (error) {
  console.log('refused ' + (error.dbusName ?? error.message));
}
if (!holds) process.exit();
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chap-asks-'));
  for (const name of ['host.mjs', 'other.mjs']) writeFileSync(join(folder, name), ASKS);
  symlinkSync(join(folder, 'host.mjs'), join(folder, 'linked.mjs'));
  writeFileSync(join(folder, 'first.cjs'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string): string => join(folder, name);

describe('a program of the same user', () => {
  let session: VirtualSession;
  beforeAll(async () => {
    session = await startGnome({ width: 800, height: 600, hosts: [{ program: NODE, script: path('host.mjs') }] });
  }, 90_000);
  afterAll(() => session.close());
  const asks = async (args: string[], env: Record<string, string> = {}, program = NODE): Promise<string> =>
    (await run(program, args, { env: { ...session.env, ...env }, cwd: folder })).stdout;

  it('is answered where it is the host, by whatever path', async () => {
    expect(await asks([path('host.mjs')])).toContain('answered [');
    expect(await asks(['host.mjs'])).toContain('answered [');
    expect(await asks([path('linked.mjs')])).toContain('answered [');
  });

  it.each([
    ['another script', ['other.mjs'], {}],
    ['the host’s name among the arguments of another', ['other.mjs', 'host.mjs'], {}],
    ['code that runs before the host’s', ['--require', './first.cjs', 'host.mjs'], {}],
    ['options of Node in the environment', ['host.mjs'], { NODE_OPTIONS: '--require ./first.cjs' }],
  ])('is refused with %s', async (_, args, env) => {
    expect(await asks(args, env)).toContain('refused dev.chaperone.Error.permission');
  });

  it('is told what to do where it is another Chaperone', async () => {
    const log = { info: () => {}, warn: () => {} };
    const opened = openLinux({ env: session.env, processes: createProcessTable(), log });
    const why = { code: 'permission', message: expect.stringContaining('chaperone setup gnome') };
    await expect(opened).rejects.toMatchObject(why);
  });

  it('is refused where it is another program', async () => {
    const call = ['call', '--session', '--dest', 'org.gnome.Shell', '--object-path', '/dev/chaperone/Desktop'];
    for (const member of ['Open', 'Windows', 'Pointer', 'Types']) {
      const asked = asks([...call, '--method', `dev.chaperone.Desktop.${member}`], {}, 'gdbus');
      await expect(asked).rejects.toThrow('dev.chaperone.Error.permission');
    }
  });
});

describe('a host that runs by itself', () => {
  it('is answered, and shows the person’s own desktop', async () => {
    const home = createHome();
    const session = await startGnome({ width: 800, height: 600, hosts: [{ program: NODE, script: ENTRY }] });
    try {
      const env = { ...session.env, HOME: home.path, CHAPERONE_BACKEND: 'linux' };
      const host = home.start(['host', '--display', 'current'], env);
      await eventually(async () => expect(host.stdout()).toContain('http://localhost'));
      expect(host.stderr()).toContain('Wayland shows no program');
      expect(host.stderr()).not.toContain('virtual desktop');
    } finally {
      await home.close();
      await session.close();
    }
  }, 90_000);
});

describe('the desktop of GNOME', () => {
  let linux: LinuxDesktop;
  let app: FixtureApp;
  beforeAll(async () => {
    linux = await openLinuxDesktop(undefined, { wayland: 'gnome' });
    app = await linux.fixture({ title: 'Fixture', place: { x: 60, y: 200 } });
  }, 90_000);
  afterAll(() => linux.close());
  const changed = async (): Promise<string[]> =>
    (await app.journal()).filter(({ event }) => event === 'changed').map(({ value }) => value);

  it('lets up what a program held that has ended', async () => {
    const holder = spawn(NODE, [path('host.mjs'), 'hold'], {
      env: linux.session.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    await linux.desktop.typeText('a', allow, signal);
    await eventually(async () => expect((await changed()).at(-1)).toBe('A'));
    holder.kill('SIGKILL');
    await new Promise((resolve) => holder.once('exit', resolve));
    await eventually(async () => {
      await linux.desktop.typeText('b', allow, signal);
      await linux.desktop.untilApplication((await linux.window(({ title }) => title === 'Fixture')).id, 'rest', signal);
      expect((await changed()).at(-1)).toMatch(/b$/);
    });
  });

  it('takes what the shell shows over a window for the shell’s', async () => {
    const at = { x: 200, y: 400 };
    expect((await linux.desktop.windowAt(at, signal))?.title).toBe('Fixture');
    await setOverview(linux.session.env, true);
    await eventually(async () => expect((await linux.desktop.windowAt(at, signal))?.app.name).toBe('GNOME Shell'));
    expect((await linux.desktop.frontmost(signal)).window?.title).toBe('GNOME Shell');
    const shell = (await linux.desktop.windowAt(at, signal))?.id ?? '';
    await expect(linux.desktop.killWindow(shell, signal)).rejects.toMatchObject({ code: 'unsupported' });
    await eventually(() => setOverview(linux.session.env, false));
    await eventually(async () => expect((await linux.desktop.windowAt(at, signal))?.title).toBe('Fixture'));
  });

  it('says what to do while the extension is off, as on a locked screen, and goes on after it', async () => {
    await switchExtension(linux.session.env, false);
    await expect(linux.desktop.windows(signal)).rejects.toMatchObject({ code: 'unsupported' });
    await expect(linux.desktop.typeText('x', allow, signal)).rejects.toThrow('chaperone setup gnome');
    await expect(linux.desktop.capture({ kind: 'display' }, signal)).rejects.toMatchObject({ code: 'unsupported' });
    await switchExtension(linux.session.env, true);
    const before = (await changed()).at(-1) ?? '';
    await eventually(async () => expect(await linux.desktop.windows(signal)).not.toEqual([]));
    await linux.desktop.focusWindow((await linux.window(({ title }) => title === 'Fixture')).id, signal);
    await linux.desktop.typeText('z', allow, signal);
    await eventually(async () => expect((await changed()).at(-1)).toBe(`${before}z`));
  });
});

describe('GNOME without the extension', () => {
  it.each([
    ['says how to get it', false],
    ['says how to get it where it is of another version', 'other'],
  ] as const)(
    '%s',
    async (_, extension) => {
      const opened = openLinuxDesktop(undefined, { wayland: 'gnome', extension });
      const why = { code: 'unsupported', message: expect.stringContaining('chaperone setup gnome') };
      await expect(opened).rejects.toMatchObject(why);
    },
    90_000,
  );
});
