/** The oracle is itself tested: what it is there to notice is sent at it by another program, and it notices. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { eventually as until, openLinuxDesktop, type LinuxDesktop } from '../../support/linux-desktop.js';
import { moveAsPerson } from '../../support/person-device.js';
import {
  openRawWindow,
  watchDisplay,
  type DisplayWatch,
  type RawEvent,
  type RawWindow,
} from '../../support/sentinel.js';

const signal = new AbortController().signal;
let linux: LinuxDesktop;
let sentinel: RawWindow;
let other: RawWindow;
let display: DisplayWatch;

const xdotool = (...args: string[]) => void execFileSync('xdotool', args, { env: linux.session.env });
const heard = (...kinds: RawEvent['event'][]) => eventually(() => sentinel.events(...kinds));

beforeAll(async () => {
  linux = await openLinuxDesktop();
  other = await openRawWindow(linux.session.env, { title: 'Other', place: { x: 700, y: 60 } });
  await linux.window((one) => one.title === 'Other');
  sentinel = await openRawWindow(linux.session.env, { title: 'Sentinel' });
  const { id } = await linux.window((one) => one.title === 'Sentinel');
  await linux.desktop.focusWindow(id, signal);
  await until(async () => expect(await sentinel.events('focus')).not.toEqual([]));
  display = await watchDisplay(linux.session.env);
});
beforeEach(async () => {
  await sentinel.forget();
  await display.forget();
});
afterAll(async () => {
  await display.close();
  await Promise.all([sentinel.close(), other.close()]);
  await linux.close();
});

test('a window notices a stray press, its button, its click count and its modifiers', async () => {
  xdotool(
    'mousemove',
    '200',
    '200',
    'keydown',
    'ctrl',
    'click',
    '--repeat',
    '2',
    '--delay',
    '20',
    '3',
    'keyup',
    'ctrl',
  );
  await heard('double').toMatchObject([{ button: 3, x: 200, y: 200, modifiers: ['ctrl'] }]);
  await heard('press', 'release').toHaveLength(4);
  expect((await display.disturbances()).presses).toBe(2);
});

test('a window notices the wheel, each way', async () => {
  xdotool('mousemove', '200', '200', 'click', '4', 'click', '5', 'click', '6', 'click', '7');
  await heard('scroll').toMatchObject(['up', 'down', 'left', 'right'].map((direction) => ({ direction })));
});

test('a window notices keys, and so does the watch when they go elsewhere', async () => {
  xdotool('key', 'shift+a');
  await heard('keydown').toMatchObject([{ key: 'Shift_L' }, { key: 'A', text: 'A', modifiers: ['shift'] }]);
  expect((await display.disturbances()).keys).toBe(2);
});

test('a pointer that moved and came back is noticed', async () => {
  const { session, desktop } = linux;
  await desktop.movePointer({ x: 210, y: 210 }, signal);
  await display.forget();
  await moveAsPerson(session.display, session.env, { x: 900, y: 700 });
  await moveAsPerson(session.display, session.env, { x: 210, y: 210 });
  expect(await display.disturbances()).toMatchObject({ motions: 2, moved: false });
  xdotool('mousemove', '300', '300');
  expect(await display.disturbances()).toMatchObject({ moved: true });
});

test('a stolen focus is noticed by the window and by the watch, also when it is given back', async () => {
  const idOf = (title: string) =>
    execFileSync('xdotool', ['search', '--name', `^${title}$`], { env: linux.session.env })
      .toString()
      .trim()
      .split('\n')
      .at(-1) ?? '';
  xdotool('windowactivate', '--sync', idOf('Other'));
  await heard('blur').toHaveLength(1);
  xdotool('windowactivate', '--sync', idOf('Sentinel'));
  await heard('focus').toHaveLength(1);
  expect((await display.disturbances()).activations).toBeGreaterThanOrEqual(2);
});

test('where nothing happens nothing is noticed', async () => {
  await linux.desktop.windows(signal);
  expect(await display.disturbances()).toEqual({ motions: 0, presses: 0, keys: 0, moved: false, activations: 0 });
  expect(await sentinel.events()).toEqual([]);
});
