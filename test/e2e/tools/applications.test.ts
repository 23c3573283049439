import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCommandMark } from '../../../src/native/peer/command-mark.js';
import { startApp } from '../../support/desktop-app.js';
import { openInputScene, type InputScene } from '../../support/input-scene.js';
import { eventually } from '../../support/linux-desktop.js';
import { watchDisplay } from '../../support/sentinel.js';
import { xJudge, type XJudge } from '../../support/x-judge.js';

let scene: InputScene;
let judge: XJudge;
beforeAll(async () => {
  scene = await openInputScene();
  judge = xJudge(scene.env);
});
afterAll(() => scene.close());

interface Listed {
  name: string;
  application_id: string;
  pid: number;
  frontmost: boolean;
  opened: boolean;
}
interface Shown {
  name: string;
  title: string;
  application: string;
  popup?: boolean;
}

const act = async (tool: string, args: Record<string, unknown> = {}) => (await scene.act(tool, args)).value;
const applications = async () => (await act('list_applications'))['applications'] as Listed[];
/** Without tooltips, which come where the pointer happens to be. */
const windows = async (parent?: string) => {
  const { windows: all } = await act('list_windows', { parent: parent ?? '' });
  return (all as Shown[]).filter(({ popup }) => popup !== true);
};
const open = async (id: string, more = {}) =>
  (await act('open_application', { application_id: id, ...more })) as unknown as Listed & Record<string, unknown>;
const pidOf = (name: string) => Number(name.split('/')[1]);
const runs = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('case 38: opening in the background', () => {
  test('[req:MT-T-open_application] [req:PW-9] real GTK and Qt applications take neither the focus nor the front, and carry a mark', async () => {
    const front = await startApp('gtk', scene.env, ['--title', 'In front', '--place', '100,100']);
    const { name } = await scene.window('In front');
    await act('focus_window', { name });
    const id = Number(name.split('/').at(-1));
    await eventually(() => Promise.resolve(expect(judge.active()).toBe(id)));
    const watch = await watchDisplay(scene.env);
    try {
      for (const [application, status] of [
        ['galculator', 'started'],
        ['org.kde.kcalc', 'started'],
        ['KCalc', 'already_running'],
      ]) {
        const opened = await open(application ?? '', { background: true });
        const { activations } = await watch.disturbances();
        expect(opened).toMatchObject({ status, frontmost: false });
        // By this it is known again when it, or what it starts, asks for a pairing link.
        expect(readCommandMark(pidOf(opened.name)).kind).toBe('marked');
        // GTK says who it is before the window manager looks; a Qt window is caught in the moment before it is mapped.
        if (application === 'galculator') expect(activations).toBe(0);
        if (status === 'started') expect(opened['focus']).toBe(activations === 0 ? 'kept' : 'given_back');
        const own = (await windows(opened.name)).map((one) => Number(one.name.split('/').at(-1)));
        expect(own.length).toBeGreaterThan(0);
        const order = judge.stacking();
        for (const one of own) expect(order.indexOf(one)).toBeGreaterThan(order.indexOf(id));
        expect(judge.property(`0x${(own[0] ?? 0).toString(16)}`, '_NET_WM_STATE')).not.toContain('BELOW');
      }
      for (let look = 0; look < 5; look += 1)
        expect((await applications()).filter((one) => one.frontmost).map((one) => one.pid)).toEqual([front.pid]);
      expect([judge.active(), judge.desktop()]).toEqual([id, 0]);
      expect(await watch.disturbances()).toMatchObject({ motions: 0, presses: 0, keys: 0 });
      await watch.forget();
      expect(await windows('galculator')).toEqual([expect.objectContaining({ visible: true, minimized: false })]);

      const active = await open('galculator');
      expect(active).toMatchObject({ status: 'activated', frontmost: true, focus: 'moved' });
      expect((await watch.disturbances()).activations).toBeGreaterThan(0);
      expect(judge.active()).not.toBe(id);
    } finally {
      await watch.close();
      await front.close();
      for (const app of ['galculator', 'org.kde.kcalc']) await act('quit_application', { name: app });
    }
  });

  test('a program that takes the focus all the same has to give it back, and the answer says so', async () => {
    const front = await startApp('gtk', scene.env, ['--title', 'Keeper', '--second']);
    const { name } = await scene.window('Keeper');
    await act('focus_window', { name });
    const id = Number(name.split('/').at(-1));
    const script = join(scene.chaperone.workspace, 'grabber');
    await writeFile(script, '#!/bin/sh\nexec env -u DESKTOP_STARTUP_ID galculator\n');
    await chmod(script, 0o755);
    await eventually(() => Promise.resolve(expect(judge.active()).toBe(id)));
    const watch = await watchDisplay(scene.env);
    try {
      const opened = await open(script, { background: true });
      expect(opened).toMatchObject({ status: 'started', frontmost: false });
      const { activations } = await watch.disturbances();
      expect(opened['focus']).toBe(activations === 0 ? 'kept' : 'given_back');
      expect(judge.active()).toBe(id);
      expect(judge.stacking()[0]).toBe(id);
      await act('quit_application', { name: opened.name });
    } finally {
      await watch.close();
      await front.close();
    }
  });
});

describe('applications that others started', () => {
  test('[req:MT-T-list_applications] [req:MT-T-get_application] [req:MT-T-delete_application] are listed beside those opened here (upstream saw only its own)', async () => {
    const other = await startApp('qt', scene.env, ['--title', 'Somebody else’s', '--second']);
    try {
      await scene.window('Somebody else’s');
      const own = await open('galculator');
      const all = await applications();
      expect(all.find((one) => one.pid === other.pid)).toMatchObject({ opened: false, windows: 1 });
      expect(all.find((one) => one.name === own.name)).toMatchObject({ opened: true, frontmost: true });
      expect(await act('get_application', { name: own.name })).toMatchObject({ application_id: 'galculator' });
      expect(await act('delete_application', { name: own.name })).toMatchObject({ was_opened: true });
      expect(await act('get_application', { name: own.name })).toMatchObject({ opened: false });
      expect(runs(pidOf(own.name))).toBe(true);
      expect(await act('quit_application', { name: own.name })).toMatchObject({ ended: true, effect: 'confirmed' });
      await eventually(() => Promise.resolve(expect(runs(pidOf(own.name))).toBe(false)));
    } finally {
      await other.close();
    }
  });

  test('[req:MT-T-open_application] a name that nobody has is answered with the nearest ones', async () => {
    const words = await scene.fails('open_application', { application_id: 'mousepd' });
    expect(words).toMatch(/^DESKTOP_ELEMENT_NOT_FOUND: .*mousepd/);
    expect(words).toMatch(/"nearest":\["Mousepad"/);
    for (const path of ['/no/such/program', '../../bin/sh', 'folder/galculator', '/etc/passwd', '/usr'])
      expect(await scene.fails('open_application', { application_id: path })).toMatch(/^DESKTOP_ELEMENT_NOT_FOUND/);
  });
});

test('[req:MT-T-open_application] case 35: after a kill calls fail cleanly, the list recovers, and opening works again', async () => {
  const first = await open('galculator');
  const [window] = await windows(first.name);
  const found = await act('find_elements', { parent: first.name, title: '7' });
  const [button] = found['elements'] as { elementId: string }[];
  expect(button).toBeDefined();
  process.kill(pidOf(first.name), 'SIGKILL');
  await eventually(async () => expect((await applications()).map((one) => one.name)).not.toContain(first.name));
  for (const [tool, args] of [
    ['find_elements', { parent: first.name, role: 'AXButton' }],
    ['list_windows', { parent: first.name }],
    ['get_application', { name: first.name }],
    ['focus_window', { name: window?.name }],
    ['close_window', { name: window?.name, force: true }],
    ['quit_application', { name: first.name }],
    ['click_element', { element_id: button?.elementId }],
    ['type_text', { text: 'x', application: first.name }],
  ] as const) {
    const words = await scene.fails(tool, { ...args });
    expect(words, tool).toMatch(/^DESKTOP_ELEMENT_NOT_FOUND: .+\nNext: .+/);
  }
  const second = await open('galculator');
  expect(second).toMatchObject({ status: 'started', frontmost: true });
  expect(second.name).not.toBe(first.name);
  const again = await act('find_elements', { parent: second.name, title: '7' });
  expect((again['elements'] as unknown[]).length).toBeGreaterThan(0);
  await act('quit_application', { name: second.name });
});

describe('case 34: mousepad with text that is not saved', () => {
  async function draft(): Promise<{ app: Listed; window: string }> {
    const app = await open('org.xfce.mousepad');
    const [window] = await windows(app.name);
    const found = await act('find_elements', { parent: app.name, role: 'AXTextArea' });
    const [{ elementId }] = found['elements'] as [{ elementId: string }];
    await act('write_element_value', { element_id: elementId, value: 'not saved' });
    return { app, window: window?.name ?? '' };
  }
  const dialogIn = (words: string) =>
    JSON.parse(/Details: (.*)/.exec(words)?.[1] ?? '{}') as {
      reason?: string;
      dialog?: { name: string; title: string; says: string; buttons: { title: string; element_id: string }[] };
    };

  test('[req:MT-T-close_window] [req:MT-T-quit_application] closing and quitting say which dialog asks, and with its button it closes', async () => {
    const { app, window } = await draft();
    const asked = dialogIn(await scene.fails('close_window', { name: window }));
    expect(asked.reason).toBe('save_dialog');
    const labels = asked.dialog?.buttons.map((one) => one.title) ?? [];
    expect(labels).toEqual(expect.arrayContaining(['Cancel', 'Don’t Save'.replace('’', "'")]) as string[]);
    expect(asked.dialog?.says).toMatch(/save/i);
    const shown = await windows(app.name);
    expect(shown.map((one) => one.name)).toEqual(expect.arrayContaining([window, asked.dialog?.name]) as string[]);
    const press = async (label: string, { dialog } = asked) =>
      act('click_element', { element_id: dialog?.buttons.find((one) => one.title === label)?.element_id });

    await press('Cancel');
    await eventually(async () => expect(await windows(app.name)).toHaveLength(1));
    const again = dialogIn(await scene.fails('quit_application', { name: app.name }));
    expect(again).toMatchObject({ reason: 'save_dialog', dialog: { title: asked.dialog?.title } });
    await press("Don't Save", again);
    await eventually(() => Promise.resolve(expect(runs(pidOf(app.name))).toBe(false)));
    await eventually(async () => expect(await windows()).toEqual([]));
  });

  test('[req:MT-T-close_window] by force it is ended, dialog or not', async () => {
    const { app, window } = await draft();
    expect(await act('close_window', { name: window, force: true })).toMatchObject({ closed: true, windows_left: 0 });
    await eventually(() => Promise.resolve(expect(runs(pidOf(app.name))).toBe(false)));
  });
});
