import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Capture, Rect, Window } from '../../../src/native/desktop.js';
import { openLinux } from '../../../src/native/linux/index.js';
import { connectToDisplay } from '../../support/x-connection.js';
import { readProperties } from '../../../src/native/linux/x11/connection.js';
import { createProcessTable } from '../../../src/native/peer/index.js';
import {
  eventually,
  type FixtureApp,
  type FixtureOptions,
  type LinuxDesktop,
  openLinuxDesktop,
} from '../../support/linux-desktop.js';
import { setMonitor } from '../../support/monitors.js';
import { xJudge } from '../../support/x-judge.js';

const signal = new AbortController().signal;
/** The predefined atom of that name. */
const WINDOW = 33;
const running: FixtureApp[] = [];
let linux: LinuxDesktop;

beforeAll(async () => {
  linux = await openLinuxDesktop();
});
afterEach(() => Promise.all(running.splice(0).map((app) => app.end())));
afterAll(() => linux.close());

async function open(options: FixtureOptions): Promise<Window> {
  const app = await linux.fixture(options);
  running.push(app);
  return linux.window((window) => window.app.pid === app.pid);
}

const now = async (id: string): Promise<Window | undefined> =>
  (await linux.desktop.windows(signal)).find((window) => window.id === id);

const xprop = (id: string, property: string): string =>
  execFileSync('xprop', ['-id', id, property], { env: linux.session.env }).toString();

function pixel({ rgb, width, origin }: Capture, x: number, y: number): number[] {
  const at = ((y - origin.y) * width + (x - origin.x)) * 3;
  return [...rgb.subarray(at, at + 3)];
}

/** GTK's window background, in its theme. */
const BACKGROUND = [0xf6, 0xf5, 0xf4];

/** Waits until the application has drawn its window, which it does after it is there. */
const drawn = ({ frame }: Window): Promise<void> =>
  eventually(async () => {
    const shot = await linux.desktop.capture({ kind: 'display' }, signal);
    expect(pixel(shot, frame.x + 5, frame.y + frame.height - 30)).toEqual(BACKGROUND);
  });

/** The share of pixels inside `rect` that are the same in both pictures. */
function alike(one: Capture, other: Capture, rect: Rect): number {
  let same = 0;
  for (let y = rect.y; y < rect.y + rect.height; y += 1) {
    for (let x = rect.x; x < rect.x + rect.width; x += 1) {
      if (pixel(one, x, y).join() === pixel(other, x, y).join()) same += 1;
    }
  }
  return same / (rect.width * rect.height);
}

describe('windows', () => {
  it('come topmost first, as the X server stacks them', async () => {
    const below = await open({ title: 'Below', second: true, place: { x: 100, y: 100 } });
    const above = await open({ title: 'Above', second: true, place: { x: 140, y: 140 } });
    await linux.desktop.focusWindow(above.id, signal);
    await eventually(async () => {
      const titles = (await linux.desktop.windows(signal)).map(({ title }) => title);
      expect(titles).toEqual(['Above', 'Below']);
    });
    expect(await linux.desktop.windowAt({ x: 200, y: 200 }, signal)).toMatchObject({ title: 'Above', focused: true });
    expect(await linux.desktop.windowAt({ x: 105, y: 110 }, signal)).toMatchObject({ title: 'Below' });
    expect(await linux.desktop.windowAt({ x: 1200, y: 780 }, signal)).toBeNull();
    await linux.desktop.focusWindow(below.id, signal);
    expect(xprop(below.id, 'WM_NAME')).toContain('Below');
    const root = execFileSync('xprop', ['-root', '_NET_ACTIVE_WINDOW'], { env: linux.session.env }).toString();
    expect(root).toContain(below.id);
    await eventually(async () =>
      expect(await linux.desktop.windowAt({ x: 200, y: 200 }, signal)).toMatchObject({ title: 'Below' }),
    );
  });

  it('are found under what a window manager lays over them unseen', async () => {
    await open({ title: 'Under', second: true, place: { x: 100, y: 100 } });
    const { env } = linux.session;
    const x = await connectToDisplay(env);
    const check = await x.atom('_NET_SUPPORTING_WM_CHECK');
    const [manager = 0] = await readProperties(x).numbers(x.root, '_NET_SUPPORTING_WM_CHECK');
    const setManager = (window: number) =>
      x.send((done) => x.client.ChangeProperty(0, x.root, check, WINDOW, 32, [window], done));
    try {
      const unseen = x.client.AllocID();
      const inputOnly = 2;
      await x.send((done) =>
        x.client.CreateWindow(unseen, x.root, 0, 0, 1280, 800, 0, 0, inputOnly, 0, { overrideRedirect: 1 }, done),
      );
      await x.send((done) => x.client.MapWindow(unseen, done));
      expect(await linux.desktop.windowAt({ x: 200, y: 200 }, signal)).toMatchObject({ app: { pid: process.pid } });
      await setManager(unseen);
      expect(await linux.desktop.windowAt({ x: 200, y: 200 }, signal)).toMatchObject({ title: 'Under', normal: true });
      expect(await linux.desktop.windowAt({ x: 1200, y: 780 }, signal)).toBeNull();
    } finally {
      await setManager(manager);
      await x.close();
    }
  });

  it('move and resize with their borders, and minimise, as the window manager says', async () => {
    const { id } = await open({ title: 'Mover', second: true, place: { x: 100, y: 100 } });
    const wanted = { x: 321, y: 234, width: 444, height: 333 };
    const granted = await linux.desktop.setWindowFrame(id, wanted, signal);
    expect(granted).toEqual(wanted);
    const client = execFileSync('xwininfo', ['-id', id], { env: linux.session.env }).toString();
    const [, left, right, top, bottom] = /= (\d+), (\d+), (\d+), (\d+)/.exec(xprop(id, '_NET_FRAME_EXTENTS')) ?? [];
    expect(client).toContain(`Absolute upper-left X:  ${321 + Number(left)}`);
    expect(client).toContain(`Absolute upper-left Y:  ${234 + Number(top)}`);
    expect(client).toContain(`Width: ${444 - Number(left) - Number(right)}`);
    expect(client).toContain(`Height: ${333 - Number(top) - Number(bottom)}`);
    await linux.desktop.setWindowMinimized(id, true, signal);
    expect(xprop(id, 'WM_STATE')).toContain('Iconic');
    expect(await now(id)).toMatchObject({ minimized: true });
    expect((await linux.desktop.windows(signal)).at(-1)?.id).toBe(id);
    await expect(linux.desktop.capture({ kind: 'window', windowId: id }, signal)).rejects.toMatchObject({
      code: 'unsupported',
    });
    await linux.desktop.setWindowMinimized(id, false, signal);
    expect(xprop(id, 'WM_STATE')).toContain('Normal');
  });

  it('[req:MT-T-restore_window] that stay mapped while they are minimised or elsewhere, as on GNOME, are not on the screen, and come back', async () => {
    const { id } = await open({ title: 'Mapped', second: true });
    const front = await open({ title: 'In front', second: true });
    await linux.desktop.focusWindow(front.id, signal);
    const set = (name: string, kind: string, value: string) =>
      execFileSync('xprop', ['-id', id, '-f', name, kind, '-set', name, value], { env: linux.session.env });
    const judge = xJudge(linux.session.env);

    set('_NET_WM_DESKTOP', '32c', '2');
    expect(await now(id)).toMatchObject({ visible: false, minimized: false });
    expect(await linux.desktop.windowState(id, signal)).toMatchObject({ hidden: true, minimized: false });
    await expect(linux.desktop.capture({ kind: 'window', windowId: id }, signal)).rejects.toThrow('Bring it to the');
    set('_NET_WM_DESKTOP', '32c', '0');
    expect(await now(id)).toMatchObject({ visible: true });

    set('_NET_WM_STATE', '32a', '_NET_WM_STATE_HIDDEN');
    expect(await now(id)).toMatchObject({ visible: false, minimized: true });
    const restored = linux.desktop.setWindowMinimized(id, false, signal);
    await expect.poll(judge.active).toBe(Number(id));
    set('_NET_WM_STATE', '32a', '');
    await restored;
    expect(await now(id)).toMatchObject({ visible: true, minimized: false, focused: true });
  });

  it('are not closed because the window manager hides the frame around them', async () => {
    const { id, app } = await open({ title: 'Put away', second: true });
    const run = (...words: string[]) => execFileSync('xdotool', words, { env: linux.session.env }).toString();
    const frame = /Parent window id: (0x[0-9a-f]+)/.exec(
      execFileSync('xwininfo', ['-children', '-id', id], { env: linux.session.env }).toString(),
    )?.[1];
    run('windowunmap', frame ?? '');
    await expect.poll(async () => (await now(id))?.visible).toBe(false);
    process.kill(app.pid, 'SIGSTOP');
    await expect(linux.desktop.closeWindow(id, AbortSignal.timeout(300))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('of an application that nobody waits for are gone once it has quit', async () => {
    const fixture = new URL('../../support/apps/gtk-fixture.py', import.meta.url).pathname;
    const script = '"$0" --journal /dev/null --title Orphan --rows 0 --secret x & exec sleep 600';
    const parent = linux.run('/bin/sh', ['-c', script, fixture]);
    try {
      const { app } = await linux.window(({ title }) => title === 'Orphan');
      await linux.desktop.quitApp(app.pid, signal);
      expect(await readFile(`/proc/${app.pid}/status`, 'utf8')).toMatch(/State:\s+Z/);
    } finally {
      await parent.end();
    }
  });

  it('are told apart from those that are gone', async () => {
    const { id } = await open({ title: 'Leaver', second: true });
    await linux.desktop.closeWindow(id, signal);
    await expect(linux.desktop.focusWindow(id, signal)).rejects.toMatchObject({ code: 'not_found' });
    await expect(linux.desktop.focusWindow('nonsense', signal)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an application on a desktop that is scaled', () => {
  it.each(['gtk', 'qt'] as const)('of %s is clicked and covered where it shows', async (kit) => {
    const app = await linux.fixture({ kit, title: 'Scaled', place: { x: 40, y: 30 }, secret: 'abc', scale: 2 });
    running.push(app);
    const { id, frame } = await linux.window((window) => window.app.pid === app.pid);
    await linux.desktop.focusWindow(id, signal);
    const limits = { maxDepth: 60, maxNodes: 2000, timeoutMs: 5000 };
    const placeOf = async (titleContains: string): Promise<Rect> => {
      const scope = { pid: app.pid, windowId: id };
      const { elements } = await linux.desktop.find(scope, { titleContains }, 1, limits, signal);
      return elements[0]?.frame ?? frame;
    };
    const send = await placeOf('Send');
    await linux.desktop.movePointer({ x: send.x + send.width - 4, y: send.y + send.height - 4 }, signal);
    await linux.desktop.button('left', true, async () => {}, signal);
    await linux.desktop.button('left', false, async () => {}, signal);
    await expect
      .poll(app.journal)
      .toContainEqual(expect.objectContaining({ control: 'send', event: 'pressed' }) as unknown);
    const secret = await placeOf('Secret');
    expect(secret.width).toBeGreaterThan(frame.width * 0.9);
    expect(await linux.desktop.secureAreas(signal)).toEqual([secret]);
  });
});

describe('pictures', () => {
  it('show a covered window as it is, not what covers it', async () => {
    const below = await open({ title: 'Covered', place: { x: 100, y: 100 }, story: 'A story.\n'.repeat(9) });
    await linux.desktop.focusWindow(below.id, signal);
    await drawn(below);
    const frame = (await now(below.id))?.frame ?? below.frame;
    const inner = { x: frame.x + 20, y: frame.y + 60, width: 300, height: 250 };
    const alone = await linux.desktop.capture({ kind: 'window', windowId: below.id }, signal);
    const seen = await linux.desktop.capture({ kind: 'region', rect: frame }, signal);
    expect(alone.origin).toEqual({ x: frame.x, y: frame.y });
    expect([alone.width, alone.height]).toEqual([frame.width, frame.height]);
    expect(alike(alone, seen, inner)).toBeGreaterThan(0.97);

    const above = await open({ title: 'Coverer', second: true });
    await linux.desktop.setWindowFrame(above.id, { ...frame, x: frame.x + 5, y: frame.y + 5 }, signal);
    await linux.desktop.focusWindow(above.id, signal);
    const covered = await eventually(async () => {
      const screen = await linux.desktop.capture({ kind: 'region', rect: frame }, signal);
      expect(alike(screen, seen, inner)).toBeLessThan(0.9);
      return linux.desktop.capture({ kind: 'window', windowId: below.id }, signal);
    });
    // Only the colour of the text caret and of the focus may differ.
    expect(alike(covered, alone, inner)).toBeGreaterThan(0.95);
  });

  it('have the colours of the screen', async () => {
    const { width, height } = { width: 1280, height: 800 };
    const whole = await linux.desktop.capture({ kind: 'display' }, signal);
    expect([whole.width, whole.height, whole.rgb.length]).toEqual([width, height, width * height * 3]);
    await drawn(await open({ title: 'Colours', second: true, place: { x: 10, y: 10 } }));
  });

  it('cut at the edge of the screen', async () => {
    const rect = { x: 1270, y: 790, width: 100, height: 100 };
    const shot = await linux.desktop.capture({ kind: 'region', rect }, signal);
    expect([shot.width, shot.height, shot.origin]).toEqual([10, 10, { x: 1270, y: 790 }]);
    await expect(linux.desktop.capture({ kind: 'region', rect: { ...rect, x: 5000 } }, signal)).rejects.toMatchObject({
      code: 'failed',
    });
    await expect(linux.desktop.capture({ kind: 'display', displayId: 'no' }, signal)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('of each monitor there is, and across two', async () => {
    const right = { x: 640, y: 0, width: 640, height: 800 };
    expect(await linux.desktop.displays(signal)).toHaveLength(1);
    await setMonitor(linux.session.env, 'RIGHT', right);
    expect((await linux.desktop.displays(signal)).map(({ id, frame, main }) => [id, frame, main])).toEqual([
      ['screen', { x: 0, y: 0, width: 1280, height: 800 }, true],
      ['RIGHT', right, false],
    ]);
    const { frame } = await open({ title: 'On the right', second: true, place: { x: 700, y: 100 } });
    const inside = { x: frame.x + 20, y: frame.y + 60, width: 20, height: 20 };
    // Taken again where it was drawn in between.
    await eventually(async () => {
      const shot = await linux.desktop.capture({ kind: 'display', displayId: 'RIGHT' }, signal);
      expect([shot.width, shot.height, shot.origin]).toEqual([640, 800, { x: 640, y: 0 }]);
      const across = await linux.desktop.capture({ kind: 'region', rect: { ...frame, x: 600 } }, signal);
      expect([across.width, across.origin]).toEqual([frame.width, { x: 600, y: frame.y }]);
      expect(alike(shot, across, inside)).toBe(1);
    });
  });

  it('can be taken many at a time', async () => {
    const shots = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        linux.desktop.capture({ kind: 'region', rect: { x: index, y: 0, width: 40 + index, height: 30 } }, signal),
      ),
    );
    shots.forEach((shot, index) => expect(shot.rgb).toHaveLength((40 + index) * 30 * 3));
  });
});

it('an application that is opened inherits what it needs of the desktop, and no secrets of who started the host', async () => {
  const env: Record<string, string> = { ...linux.session.env, SOME_API_KEY: 'sk-hidden' };
  const log = { info: () => {}, warn: () => {} };
  const desktop = await openLinux({ env, processes: createProcessTable(), log });
  const { app } = await desktop.launch('galculator', { background: false, newInstance: true }, signal);
  try {
    const inherited = (await readFile(`/proc/${app.pid}/environ`, 'utf8')).split('\0');
    expect(inherited.join()).not.toContain('sk-hidden');
    for (const name of [
      'DISPLAY',
      'XAUTHORITY',
      'DBUS_SESSION_BUS_ADDRESS',
      'XDG_RUNTIME_DIR',
      'HOME',
      'GSETTINGS_BACKEND',
    ])
      expect(inherited).toContain(`${name}=${env[name]}`);
  } finally {
    process.kill(app.pid, 'SIGKILL');
    await desktop.close();
  }
});
