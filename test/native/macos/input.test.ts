import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DesktopError } from '../../../src/native/desktop.js';
import { message } from '../../../src/messages/index.js';
import { codeFrom, rejectionOf } from '../../support/macos/errors.js';
import { openInput, type OpenedInput } from '../../support/macos/input.js';
import type { Opened } from '../../support/macos/reader.js';
import { withScene } from '../../support/macos/with-scene.js';

const { signal } = new AbortController();
const free = async (): Promise<void> => undefined;
const refuse = (): Promise<void> => Promise.reject(new Error('not allowed'));
const ended = (code: 'failed' | 'lost'): DesktopError => new DesktopError(code, message('native.event_not_made'));

let opened: Opened;
let to: OpenedInput;
// Hooks run in reverse: this one after all was released.
afterEach(() => {
  expect(script.journal().filter((line) => /unmarked|held up|of another press/.test(line))).toEqual([]);
});
const { script } = withScene((started) => ({ opened } = started));
beforeEach(() => {
  to = openInput(opened);
});
afterEach(() => {
  to.posts.close();
});

describe('the pointer', () => {
  it('is moved, and waited for until it is there', async () => {
    await to.input.movePointer({ x: 300, y: 200 }, signal);
    expect(await to.input.pointer(signal)).toEqual({ x: 300, y: 200 });
  });

  it('that does not arrive is an error', async () => {
    const away = to.input.movePointer({ x: -500, y: 5 }, signal);
    expect(await rejectionOf(away)).toMatchObject({ code: 'failed', text: { code: 'native.pointer_elsewhere' } });
    expect(await rejectionOf(to.input.movePointer({ x: NaN, y: 5 }, signal))).toMatchObject({ code: 'failed' });
  });

  it('drags: with the distances and the number of the press, without which no drag begins', async () => {
    await to.input.movePointer({ x: 150, y: 150 }, signal);
    await to.input.button('left', true, free, signal);
    await to.input.movePointer({ x: 180, y: 130 }, signal);
    await to.input.movePointer({ x: 200, y: 140 }, signal);
    await to.input.button('left', false, free, signal);
    await to.input.movePointer({ x: 150, y: 150 }, signal);
    expect(script.journal()).toEqual([
      'left down at 150,150 clicks 1',
      'left drags to 180,130',
      'left drags to 200,140',
      'left up at 200,140 clicks 1',
    ]);
  });

  it('clicks twice where it is pressed twice at one place', async () => {
    const click = async (button: 'left' | 'right' | 'middle' | 'back' | 'forward') => {
      await to.input.button(button, true, free, signal);
      await to.input.button(button, false, free, signal);
    };
    await click('left');
    await click('left');
    await click('right');
    await to.input.movePointer({ x: 50, y: 50 }, signal);
    for (const button of ['right', 'middle', 'back', 'forward'] as const) await click(button);
    const downs = script.journal().filter((line) => line.includes('down'));
    expect(downs).toEqual([
      'left down at 0,0 clicks 1',
      'left down at 0,0 clicks 2',
      'right down at 0,0 clicks 1',
      'right down at 50,50 clicks 1',
      'middle down at 50,50 clicks 1',
      'back down at 50,50 clicks 1',
      'forward down at 50,50 clicks 1',
    ]);
  });

  it('turns the wheel line by line, each allowed by the guard: positive numbers move the content up and left', async () => {
    const guard = vi.fn(free);
    await to.input.scroll({ x: -1, y: 2 }, guard, signal);
    expect(script.journal()).toEqual(['content moves down -10 right 0', 'content moves down -10 right 0', 'content moves down 0 right 10']); // prettier-ignore
    expect(guard).toHaveBeenCalledTimes(3);
  });
});

describe('nothing is posted', () => {
  const everything = () => [
    to.input.button('left', true, refuse, signal),
    to.input.scroll({ x: 0, y: 1 }, refuse, signal),
    to.input.key('cmd', true, refuse, signal),
    to.input.typeText('a', refuse, signal),
  ];

  it('where the guard refuses, and nothing counts as held then', async () => {
    for (const each of everything()) expect(await rejectionOf(each)).toMatchObject({ message: 'not allowed' });
    await to.input.releaseAll();
    expect(to.posted).toEqual([]);
  });

  it('without permission, which the system itself would not tell', async () => {
    script.mayPost(0);
    const all = [
      to.input.movePointer({ x: 1, y: 1 }, signal),
      to.input.button('left', true, free, signal),
      to.input.scroll({ x: 0, y: 1 }, free, signal),
      to.input.key('cmd', true, free, signal),
      to.input.typeText('a', free, signal),
    ];
    for (const each of all) expect(await rejectionOf(each)).toMatchObject({ code: 'permission' });
    script.mayPost(1);
    await to.input.releaseAll();
    expect(to.posted.filter((event) => event.kind !== 'key' || event.down)).toEqual([]);
  });

  it('after the call was aborted while the guard looked', async () => {
    const abort = new AbortController();
    const guard = async (): Promise<void> => abort.abort(new Error('no longer'));
    expect(await rejectionOf(to.input.typeText('a', guard, abort.signal))).toMatchObject({ message: 'no longer' });
    expect(to.posted).toEqual([]);
  });

  it('that comes long after its guard: a helper that hung in between would send it to something else', () => {
    const key = { kind: 'key', code: 0, down: true, flags: 0 } as const;
    expect(codeFrom(() => to.posts.post([key], { until: Date.now() - 1, layout: null }))).toBe('failed');
    expect(script.heldKeys()).toBe(0);
  });
});

describe('text', () => {
  it('is typed by the keys of the layout, each character allowed by the guard', async () => {
    const guard = vi.fn(free);
    await to.input.typeText('aA@€1!\r\n\tüÜ y', guard, signal);
    expect(script.typed()).toBe('aA@€1!\n\tüÜ y');
    expect(guard).toHaveBeenCalledTimes(12);
    expect(script.heldKeys()).toBe(0);
    expect(to.posted.some((event) => 'text' in event)).toBe(false);
  });

  it('without a key loses no character: dead keys, other scripts, pairs of units', async () => {
    await to.input.typeText('é´^o世界жa👋🏽z\u0301', free, signal);
    expect(script.typed()).toBe('é´^o世界жa👋🏽z\u0301');
  });

  it('is the same while the person holds a modifier', async () => {
    script.personHolds(131_072);
    await to.input.typeText('ay', free, signal);
    expect(script.typed()).toBe('ay');
  });

  it('in a password field comes by keys only, dead keys too', async () => {
    script.secureInput(1);
    await to.input.typeText('aéà´1', free, signal);
    expect(script.typed()).toBe('aéà´1');
  });

  it('in a password field that no key types is refused before the first character', async () => {
    script.secureInput(1);
    expect(await rejectionOf(to.input.typeText('ab世', free, signal))).toMatchObject({ code: 'failed', text: { code: 'native.secure_untypable' } }); // prettier-ignore
    expect(script.typed()).toBe('');
  });

  it('stops where a password field takes the keyboard meanwhile', async () => {
    const guard = async (): Promise<void> => void (script.typed() === '世' && script.secureInput(1));
    expect(await rejectionOf(to.input.typeText('世界', guard, signal))).toMatchObject({ code: 'failed' });
    expect(script.typed()).toBe('世');
  });

  it('stops where the layout changes meanwhile', async () => {
    const guard = async (): Promise<void> => void (script.typed() === 'a' && script.otherLayout(1));
    expect(await rejectionOf(to.input.typeText('av', guard, signal))).toMatchObject({ text: { code: 'native.layout_changed' } });
    expect(script.typed()).toBe('a');
    await to.input.typeText('мa', free, signal);
    expect(script.typed()).toBe('aмa');
  }); // prettier-ignore

  it('goes past an input method that composes, and through a mode without a layout', async () => {
    script.composing(1);
    await to.input.typeText('ya', free, signal);
    script.composing(0);
    script.inputMode(1);
    await to.input.typeText('Ao', free, signal);
    expect(script.typed()).toBe('yaAo');
  });

  it.each(['a\u0007', 'a\ud83d'])('that is no text is refused whole (%j)', async (text) => {
    expect(await rejectionOf(to.input.typeText(text, free, signal))).toMatchObject({ code: 'unsupported' });
    expect(script.typed()).toBe('');
  });
});

describe('a key', () => {
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await to.input.key(key, true, free, signal);
    for (const key of keys.toReversed()) await to.input.key(key, false, free, signal);
  };

  it('with a modifier is a shortcut, on layouts without Latin letters too', async () => {
    await press('cmd', 'v');
    script.otherLayout(1);
    await press('cmd', 'v');
    expect(script.journal()).toEqual(['shortcut 0x9 flags 0x100000', 'shortcut 0x9 flags 0x100000']);
    expect(script.heldKeys()).toBe(0);
  });

  it('is posted once while it is held, and its release only where it was', async () => {
    await to.input.key('f5', false, free, signal);
    await to.input.key('f5', true, free, signal);
    await to.input.key('f5', true, free, signal);
    expect(to.posted).toHaveLength(1);
    await to.input.key('f5', false, free, signal);
    expect(to.posted.map((event) => event.kind === 'key' && [event.code, event.down])).toEqual([[0x60, true], [0x60, false]]); // prettier-ignore
  });

  it('keeps a modifier that is held, also where a character needs it too', async () => {
    await to.input.key('shift', true, free, signal);
    await press('A');
    expect(script.heldKeys()).toBe(1);
    await press('s');
    await to.input.key('shift', false, free, signal);
    expect(script.typed()).toBe('AS');
    expect(script.heldKeys()).toBe(0);
  });

  it('that no layout has is typed as text', async () => {
    await press('世');
    expect(script.typed()).toBe('世');
  });

  it.each(['capslock', 'nosuchkey'])('that cannot be posted is refused (%s)', async (key) => {
    expect(await rejectionOf(to.input.key(key, true, free, signal))).toMatchObject({ code: 'unsupported' });
  });
});

describe('releasing all', () => {
  it('lets go of keys and then their modifiers, except what is kept', async () => {
    for (const key of ['shift', 'cmd', 'f5', 'up']) await to.input.key(key, true, free, signal);
    to.posted.length = 0;
    await to.input.releaseAll({ keys: ['up'], buttons: [] });
    expect(to.posted.map((event) => event.kind === 'key' && [event.code, event.flags])).toEqual([
      [0x60, 1_179_648],
      [0x37, 131_072],
      [0x38, 0],
    ]);
    expect(script.heldKeys()).toBe(1);
    await to.input.key('up', false, free, signal);
    expect(script.heldKeys()).toBe(0);
  });

  it('ends a drag without a drop: after Escape, outside of the window; the pointer returns', async () => {
    await to.input.movePointer({ x: 150, y: 150 }, signal);
    await to.input.button('left', true, free, signal);
    await to.input.releaseAll({ keys: [], buttons: ['left'] });
    expect(script.heldKeys()).toBe(1);
    await to.input.releaseAll();
    expect(script.journal()).toEqual(['left down at 150,150 clicks 1', 'key 0x35', 'left drags to 1399,859', 'left up at 1399,859 clicks 1']); // prettier-ignore
    expect(script.heldKeys()).toBe(0);
    await expect.poll(() => to.posts.pointer()).toEqual({ x: 150, y: 150 });
    await to.input.releaseAll();
    expect(script.journal()).toHaveLength(4);
  });

  it('goes on with the next helper where one ends, and never rejects', async () => {
    await to.input.key('cmd', true, free, signal);
    to.faults.push(ended('failed'), ended('failed'));
    await to.input.releaseAll();
    expect(script.heldKeys()).toBe(0);
    await to.input.key('cmd', true, free, signal);
    to.faults.push(ended('lost'));
    await to.input.releaseAll();
  });

  it('lets go of what a helper that ended may have pressed', async () => {
    to.faults.push(ended('failed'));
    expect(await rejectionOf(to.input.key('shift', true, free, signal))).toMatchObject({ code: 'failed' });
    await to.input.key('shift', true, free, signal);
    expect(script.heldKeys()).toBe(1);
    to.faults.push(ended('failed'));
    expect(await rejectionOf(to.input.typeText('€', free, signal))).toMatchObject({ code: 'failed' });
    to.posted.length = 0;
    await to.input.releaseAll();
    expect(to.posted.map((event) => event.kind === 'key' && [event.code, event.down, event.flags])).toEqual([[0x0e, false, 131_072], [0x3a, false, 131_072], [0x38, false, 0]]); // prettier-ignore
    expect(script.heldKeys()).toBe(0);
  });

  it('is done by the helper itself where the host has ended', async () => {
    await to.input.movePointer({ x: 150, y: 150 }, signal);
    for (const key of ['cmd', 'shift', 'up']) await to.input.key(key, true, free, signal);
    await to.input.button('left', true, free, signal);
    expect(script.heldKeys()).toBe(4);
    to.posts.letGo();
    expect(script.heldKeys()).toBe(0);
    expect(script.journal().slice(-3)).toEqual(['key 0x35', 'left drags to 40,40', 'left up at 40,40 clicks 1']);
    await to.input.movePointer({ x: 150, y: 150 }, signal);
    await to.input.releaseAll();
    const before = script.journal().length;
    to.posts.letGo();
    expect(script.journal()).toHaveLength(before);
  });
});
