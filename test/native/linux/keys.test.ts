/** Every key there is a name for arrives as that key: judged by a window that writes down what it was sent. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { KEY_NAMES } from '../../../src/native/desktop.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../../support/linux-desktop.js';
import { openRawWindow, type RawWindow } from '../../support/sentinel.js';

/** What X calls them, where that is not the same word. */
const X_NAMES: Readonly<Record<string, string>> = {
  super: 'Super_L', altgr: 'ISO_Level3_Shift', ctrl: 'Control_L', alt: 'Alt_L', shift: 'Shift_L', capslock: 'Caps_Lock', enter: 'Return', tab: 'Tab', space: 'space',
  backspace: 'BackSpace', delete: 'Delete', escape: 'Escape', up: 'Up', down: 'Down', left: 'Left', right: 'Right', home: 'Home', end: 'End',
  pageup: 'Page_Up', pagedown: 'Page_Down', insert: 'Insert', menu: 'Menu', numlock: 'Num_Lock', scrolllock: 'Scroll_Lock', pause: 'Pause', help: 'Help', clear: 'Clear', kpequal: 'KP_Equal',
  kpadd: 'KP_Add', kpsubtract: 'KP_Subtract', kpmultiply: 'KP_Multiply', kpdivide: 'KP_Divide', kpdecimal: 'KP_Decimal', kpenter: 'KP_Enter',
  volumeup: 'AudioRaiseVolume', volumedown: 'AudioLowerVolume', mute: 'AudioMute', playpause: 'AudioPlay', nexttrack: 'AudioNext', previoustrack: 'AudioPrev', mediastop: 'AudioStop',
}; // prettier-ignore
const nameOf = (key: string): string => X_NAMES[key] ?? key.replace(/^f(?=\d)/, 'F').replace(/^kp(?=\d)/, 'KP_');
/** The window manager keeps the picture key for itself, and no X keyboard has an fn. */
const KEYS = KEY_NAMES.filter((key) => key !== 'fn' && key !== 'cmd' && key !== 'printscreen');

const signal = new AbortController().signal;
const free = () => Promise.resolve();
let linux: LinuxDesktop;
let raw: RawWindow;

beforeAll(async () => {
  linux = await openLinuxDesktop();
  raw = await openRawWindow(linux.session.env);
  const { id } = await linux.window((one) => one.title === raw.title);
  await linux.desktop.focusWindow(id, signal);
  await eventually(async () => expect(await raw.events('focus')).not.toEqual([]));
});
beforeEach(() => raw.forget());
afterAll(async () => {
  await raw.close();
  await linux.close();
});

const layout = (name: string) => void execFileSync('setxkbmap', [name], { env: linux.session.env });
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await linux.desktop.key(key, true, free, signal);
  for (const key of keys.toReversed()) await linux.desktop.key(key, false, free, signal);
}
const downs = async () => (await raw.events('keydown')).map(({ key }) => key);

it.each(['us', 'de'])('case 24: all keys, from home to the volume, on the layout %s', async (name) => {
  layout(name);
  for (const key of KEYS) await press(key);
  // Caps Lock once more, so that it is off again.
  await press('capslock');
  await eventually(async () => expect(await downs()).toEqual([...KEYS.map(nameOf), 'Caps_Lock']));
  await eventually(async () => expect(await raw.events('keyup')).toHaveLength(KEYS.length + 1));
});

it('says of a key that no keyboard here has that it cannot', async () => {
  await expect(linux.desktop.key('fn', true, free, signal)).rejects.toMatchObject({ code: 'unsupported' });
  await expect(linux.desktop.key('hyperspace', true, free, signal)).rejects.toMatchObject({ code: 'unsupported' });
});

it('presses shortcuts by the letter, wherever the layout in use has it, also when that changes meanwhile', async () => {
  for (const name of ['us', 'de', 'fr', 'us']) {
    layout(name);
    await raw.forget();
    await press('ctrl', 'z');
    await press('ctrl', 'shift', 'y');
    await press('ctrl', '/');
    const pressed = async () => (await raw.events('keydown')).filter(({ key = '' }) => !/_L$/.test(key));
    await eventually(async () => expect((await pressed()).map(({ key }) => key)).toEqual(['z', 'Y', 'slash']));
    expect((await pressed()).map(({ modifiers }) => modifiers?.includes('ctrl'))).toEqual([true, true, true]);
  }
});

it('does not lift a Shift that is held when a character needs it as well', async () => {
  layout('us');
  await linux.desktop.key('shift', true, free, signal);
  await linux.desktop.typeText('A!', free, signal);
  await press('A');
  await linux.desktop.key('b', true, free, signal);
  await linux.desktop.releaseAll({ keys: ['shift'], buttons: [] });
  await press('left');
  await linux.desktop.releaseAll();
  await eventually(async () => expect((await raw.events('keyup')).at(-1)?.key).toBe('Shift_L'));
  const shifts = (await raw.events('keydown', 'keyup')).filter(({ key }) => key === 'Shift_L');
  expect(shifts.map(({ event }) => event)).toEqual(['keydown', 'keyup']);
  expect(await downs()).toEqual(['Shift_L', 'A', 'exclam', 'A', 'B', 'Left']);
});
