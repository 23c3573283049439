import { describe, expect, it } from 'vitest';
import type { Point } from '../../../src/native/desktop.js';
import { openSimulated } from '../../../src/native/simulated/index.js';

const signal = new AbortController().signal;
const free = (): Promise<void> => Promise.resolve();

function open(now?: () => number) {
  const desktop = openSimulated(now === undefined ? {} : { now });
  const { world } = desktop;
  const id = (name: string): string => {
    const found = world.find(name);
    if (found === null) throw new Error(`no element ${name}`);
    return found;
  };
  const press = async (name: string): Promise<void> => desktop.performAction(id(name), 'AXPress', signal);
  const click = async (at: Point, times = 1): Promise<void> => {
    await desktop.movePointer(at, signal);
    for (let count = 0; count < times; count++)
      for (const down of [true, false]) await desktop.button('left', down, free, signal);
  };
  const tap = async (...keys: string[]): Promise<void> => {
    for (const key of keys) for (const down of [true, false]) await desktop.key(key, down, free, signal);
  };
  return { desktop, world, id, press, click, tap };
}

describe('the first world', () => {
  it('[req:DS-9-4] has a mail, notes, a calculator and a terminal, the mail in front', async () => {
    const { desktop } = open();
    const names = (await desktop.apps(signal)).map((app) => app.name).sort();
    expect(names).toEqual(['Calculator', 'Mail', 'Notes', 'Terminal']);
    expect((await desktop.frontmost(signal)).window?.title).toBe('New Message');
    expect((await desktop.focusedElement(signal))?.title).toBe('To');
  });

  it('has windows that cover none of each other', async () => {
    const { desktop } = open();
    for (const window of await desktop.windows(signal)) {
      const { x, y, width, height } = window.frame;
      const corners = [x + 2, x + width - 2].flatMap((left) =>
        [y + 2, y + height - 2].map((top) => ({ x: left, y: top })),
      );
      for (const corner of corners) expect((await desktop.windowAt(corner, signal))?.id).toBe(window.id);
    }
  });

  it('sends a mail by button, and by enter from a field', async () => {
    const { desktop, world, id, press, tap } = open();
    await press('send');
    expect(world.text(id('status'))).toBe('Who is it for?');
    await desktop.typeText('grace@example.org', free, signal);
    await tap('enter');
    expect(world.text(id('status'))).toBe('Sent to grace@example.org');
    expect(world.journal().filter((entry) => entry.event === 'pressed')).toHaveLength(2);
  });

  it('adds and multiplies, by buttons and by keys', async () => {
    const { desktop, world, id, press, tap } = open();
    for (const key of ['5', '+', '3', '=']) await press(`key-${key}`);
    expect(world.text(id('display'))).toBe('8');
    world.person.focus(id('key-C'));
    await tap('escape');
    await desktop.typeText('12.5*4', free, signal);
    await tap('enter');
    expect(world.text(id('display'))).toBe('50');
    await desktop.typeText('/0', free, signal);
    await tap('enter');
    expect(world.text(id('display'))).toBe('Error');
  });

  it('runs what is typed in the terminal at each line break', async () => {
    const { desktop, world, id } = open();
    await desktop.focusElement(id('shell'), signal);
    await desktop.typeText('echo hello there\nrm -rf\n', free, signal);
    expect(world.text(id('shell'))).toBe('$ echo hello there\nhello there\n$ rm -rf\nrm: command not found\n$ ');
  });

  it('launches what was ended, as new', async () => {
    const { desktop, world, press } = open();
    const [before] = (await desktop.apps(signal)).filter((app) => app.name === 'Calculator');
    await press('key-7');
    world.kill(before?.pid ?? 0);
    const { app: again } = await desktop.launch('calculator', { background: false, newInstance: false }, signal);
    expect(again.pid).not.toBe(before?.pid);
    expect(again.startTime).not.toBe(before?.startTime);
    expect(world.text(world.find('display', again.pid) ?? '')).toBe('0');
  });
});

describe('a simulated desktop', () => {
  it('tells single, double and triple clicks by time and place', async () => {
    let time = 0;
    const { desktop, world, id, click } = open(() => time);
    const { frame } = await desktop.element(id('note'), signal);
    const at = { x: (frame?.x ?? 0) + 20, y: (frame?.y ?? 0) + 15 };
    await click(at, 3);
    time += 5_000;
    await click(at);
    await click({ x: at.x + 60, y: at.y });
    const clicks = world
      .journal()
      .filter((entry) => entry.event === 'pointer')
      .map((entry) => entry.value);
    expect(clicks).toEqual(['left 1', 'left 2', 'left 3', 'left 1', 'left 1']);
  });

  it('moves a window by its title bar and closes it by its button', async () => {
    const { desktop, click } = open();
    const [mail] = await desktop.windows(signal);
    if (mail === undefined) throw new Error('no window');
    const bar = { x: mail.frame.x + 200, y: mail.frame.y + 10 };
    await desktop.movePointer(bar, signal);
    await desktop.button('left', true, free, signal);
    await desktop.movePointer({ x: bar.x + 50, y: bar.y + 20 }, signal);
    await desktop.button('left', false, free, signal);
    const [moved] = await desktop.windows(signal);
    expect(moved?.frame).toEqual({ ...mail.frame, x: mail.frame.x + 50, y: mail.frame.y + 20 });
    await click({ x: mail.frame.x + 50 + 14, y: mail.frame.y + 20 + 14 });
    expect((await desktop.windows(signal)).map((window) => window.id)).not.toContain(mail.id);
  });

  it('keeps the pointer on its displays', async () => {
    const { desktop } = open();
    await desktop.movePointer({ x: -900, y: 5_000 }, signal);
    expect(await desktop.pointer(signal)).toEqual({ x: 0, y: 899 });
    await expect(desktop.movePointer({ x: Number.NaN, y: 0 }, signal)).rejects.toMatchObject({ code: 'failed' });
  });

  it('does not copy a password', async () => {
    const { desktop, world, id, tap } = open();
    await desktop.focusElement(id('account-password'), signal);
    await desktop.key('ctrl', true, free, signal);
    await tap('a', 'c', 'x');
    await desktop.key('ctrl', false, free, signal);
    expect(world.clipboard()).toEqual({});
    expect(world.text(id('account-password'))).toBe('correct horse');
  });

  it('erases what a person sees as one character', async () => {
    const { desktop, world, id, tap } = open();
    await desktop.typeText('a👩‍👩‍👧é', free, signal);
    await tap('backspace', 'backspace');
    expect(world.text(id('to'))).toBe('a');
  });
});
