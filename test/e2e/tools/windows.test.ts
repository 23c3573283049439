import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rect } from '../../../src/native/desktop.js';
import { startApp, type DesktopApp } from '../../support/desktop-app.js';
import { openInputScene, type InputScene } from '../../support/input-scene.js';
import { eventually } from '../../support/linux-desktop.js';
import { xJudge, type XJudge } from '../../support/x-judge.js';

let scene: InputScene;
let judge: XJudge;
beforeAll(async () => {
  scene = await openInputScene();
  judge = xJudge(scene.env);
});
afterAll(() => scene.close());

interface Placed {
  name: string;
  title: string;
  frame: Rect;
  visible: boolean;
  minimized: boolean;
  maximized: boolean;
  focused: boolean;
  as_asked: boolean;
  effect: string;
}

const act = async (tool: string, args: object = {}) =>
  (await scene.act(tool, { ...args })).value as unknown as Placed & Record<string, unknown>;
const listed = async () => (await act('list_windows'))['windows'] as Placed[];
const idOf = (name: string) => name.split('/').at(-1) ?? '';

for (const kit of ['gtk', 'qt'] as const) {
  describe(`case 33: a real ${kit} window`, () => {
    let app: DesktopApp;
    let name: string;
    let id: string;
    beforeAll(async () => {
      app = await startApp(kit, scene.env, ['--title', `Thirty-three ${kit}`, '--second']);
      ({ name } = await scene.window(`Thirty-three ${kit}`));
      id = idOf(name);
    });
    afterAll(() => app.close());

    test('[req:MT-T-move_window] [req:MT-T-resize_window] is where and as large as the answer says, which is what the X server says', async () => {
      for (const [tool, asked] of [
        ['move_window', { x: 222, y: 111 }],
        ['resize_window', { width: 501, height: 403 }],
      ] as const) {
        const before = judge.frame(id);
        const now = await act(tool, { name, ...asked });
        expect(now).toMatchObject({ name, frame: { ...before, ...asked }, as_asked: true, effect: 'confirmed' });
        expect(now).toMatchObject({ before: { frame: before }, after: { frame: now.frame } });
        expect(judge.frame(id)).toEqual(now.frame);
        expect(await act(tool, { name, ...asked })).toMatchObject({ frame: now.frame, effect: 'no_change' });
      }
      const small = await act('resize_window', { name, width: 1, height: 1 });
      expect(small).toMatchObject({ as_asked: false, effect: 'confirmed' });
      expect(small.frame.width).toBeGreaterThan(1);
      expect(judge.frame(id)).toEqual(small.frame);
      const { value } = await scene.act('get_window', { name });
      expect(value).toMatchObject({ frame: small.frame, title: `Thirty-three ${kit}`, display: 'displays/screen' });
    });

    test('off the screen it is where the window manager lets it be', async () => {
      for (const place of [
        { x: -3000, y: -3000 },
        { x: 5000, y: 5000 },
        { x: 60.4, y: 70.6 },
      ]) {
        // prettier-ignore
        const now = await act('move_window', { name, ...place });
        expect(judge.frame(id)).toEqual(now.frame);
        expect(now.as_asked).toBe(Math.abs(now.frame.x - place.x) <= 1 && Math.abs(now.frame.y - place.y) <= 1);
      }
      expect(await scene.fails('move_window', { name, x: 1e12, y: 0 })).toContain('between');
    });

    test('[req:MT-T-minimize_window] [req:MT-T-restore_window] its flags follow minimising and restoring, and do not flicker', async () => {
      const flags = () => act('get_window_state', { name });
      expect(await act('minimize_window', { name })).toMatchObject({ minimized: true, visible: false, focused: false });
      await eventually(async () => expect(judge.property(id, 'WM_STATE')).toContain('Iconic'));
      const minimised = await Promise.all(Array.from({ length: 12 }, flags));
      expect(minimised).toEqual(minimised.map(() => minimised[0]));
      expect(minimised[0]).toMatchObject({ minimized: true, hidden: false, resizable: true, closable: true });
      expect(await act('restore_window', { name })).toMatchObject({ minimized: false, visible: true });
      await eventually(async () => expect(judge.property(id, 'WM_STATE')).toContain('Normal'));
      await act('focus_window', { name });
      const restored = await Promise.all(Array.from({ length: 12 }, flags));
      expect(restored).toEqual(restored.map(() => restored[0]));
      expect(restored[0]).toMatchObject({ minimized: false, focused: true });
    });

    test('[req:MT-T-maximize_window] maximises to the whole screen and comes back to its own size', async () => {
      const before = judge.frame(id);
      const now = await act('maximize_window', { name });
      expect(now).toMatchObject({ maximized: true, as_asked: true, effect: 'confirmed' });
      expect(judge.property(id, '_NET_WM_STATE')).toMatch(
        /MAXIMIZED_VERT.*MAXIMIZED_HORZ|MAXIMIZED_HORZ.*MAXIMIZED_VERT/,
      );
      expect(judge.frame(id)).toEqual(now.frame);
      expect(await act('move_window', { name, x: 5, y: 5 })).toMatchObject({ as_asked: false, effect: 'no_change' });
      const back = await act('restore_window', { name });
      expect(back).toMatchObject({ maximized: false, frame: { width: before.width, height: before.height } });
      // Where it comes back to is for the window manager to say: openbox adds its borders to a GTK window that was moved.
      expect(judge.frame(id)).toEqual(back.frame);
    });

    test('[req:MT-T-list_windows] on another virtual desktop it is listed as not on screen, and can be focused', async () => {
      judge.manage('-i', '-r', id, '-t', '2');
      const away = await eventually(async () => {
        const found = (await listed()).find((one) => one.name === name);
        expect(found).toMatchObject({ visible: false, minimized: false });
        return found;
      });
      expect(away).toBeDefined();
      expect(await act('get_window_state', { name })).toMatchObject({ hidden: true, minimized: false });
      expect(await act('focus_window', { name })).toMatchObject({ focused: true, visible: true, effect: 'confirmed' });
      expect([judge.desktop(), judge.active()]).toEqual([2, Number(id)]);
      judge.manage('-i', '-r', id, '-t', '0');
      judge.manage('-s', '0');
    });

    test('[req:MT-T-close_window] closes, and its application ends with it (upstream’s close always failed)', async () => {
      expect(await act('close_window', { name })).toMatchObject({ closed: true, windows_left: 0, effect: 'confirmed' });
      await eventually(async () => expect(() => process.kill(app.pid, 0)).toThrow());
      expect(await scene.fails('get_window', { name })).toMatch(/DESKTOP_ELEMENT_NOT_FOUND.*\nNext: .+/);
    });
  });
}

test('[req:MT-T-list_windows] [req:MT-T-focus_window] the list is in the order in which the X server stacks', async () => {
  const apps: DesktopApp[] = [];
  try {
    const names = new Map<string, string>();
    for (const title of ['One', 'Two', 'Three']) {
      apps.push(await startApp('gtk', scene.env, ['--title', `Stack ${title}`, '--second']));
      const { name } = await scene.window(`Stack ${title}`);
      names.set(title, name);
      // A new window takes the focus a moment after it is there; later it would take it from the one under test.
      await eventually(async () => expect(judge.active()).toBe(Number(idOf(name))));
    }
    for (const title of ['One', 'Three', 'Two', 'One']) {
      const now = await act('focus_window', { name: names.get(title) });
      expect(now.focused).toBe(true);
      expect(judge.active()).toBe(Number(idOf(now.name)));
      // A window of the test before may still be going.
      await eventually(async () => {
        const order = (await listed()).map((one) => Number(idOf(one.name)));
        expect(order).toEqual(judge.stacking());
        expect(order).toHaveLength(3);
      });
      expect(await act('get_window', { name: names.get(title) })).toMatchObject({ z_index: 0 });
    }
    const { windows, total, next_page_token: token } = await act('list_windows', { page_size: 1 });
    expect([windows, total]).toEqual([[expect.objectContaining({ title: 'Stack One' })], 3]);
    expect(await act('list_windows', { page_size: 5, page_token: token })).toMatchObject({
      windows: [{ title: 'Stack Two' }, { title: 'Stack Three' }],
      next_page_token: null,
    });
  } finally {
    await Promise.all(apps.map((app) => app.close()));
  }
});

test('[req:MT-T-resize_window] a window that takes sizes in steps, as terminals do, answers with the step it took', async () => {
  const program = join(import.meta.dirname, '../../support/apps/gtk-steps.py');
  const child = spawn('/usr/bin/python3', [program, 'Steps'], { env: scene.env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    const { name } = await scene.window('Steps');
    const now = await act('resize_window', { name, width: 400, height: 300 });
    const client = judge.client(idOf(name));
    expect([(client.width - 30) % 11, (client.height - 40) % 23]).toEqual([0, 0]);
    expect(now).toMatchObject({ frame: judge.frame(idOf(name)), as_asked: false, effect: 'confirmed' });
    expect(now.frame.width).toBeGreaterThan(400 - 11);
    const tiny = await act('resize_window', { name, width: 2, height: 2 });
    expect(judge.client(idOf(name))).toMatchObject({ width: 30 + 5 * 11, height: 40 + 3 * 23 });
    expect(tiny.frame).toEqual(judge.frame(idOf(name)));
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});
