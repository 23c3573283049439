import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rejectionOf } from '../../support/macos/errors.js';
import { openInput, type OpenedInput } from '../../support/macos/input.js';
import type { Opened } from '../../support/macos/reader.js';
import { withScene } from '../../support/macos/with-scene.js';

const { signal } = new AbortController();
const free = async (): Promise<void> => undefined;
const refuse = (): Promise<void> => Promise.reject(new Error('not allowed'));

let opened: Opened;
let to: OpenedInput;
const { script } = withScene((started) => ({ opened } = started));
beforeEach(() => {
  to = openInput(opened);
});
afterEach(() => to.posts.close());

describe('[req:MA-2] a key for media', () => {
  it('is an event of the system: down and up, marked as ours', async () => {
    for (const key of ['volumeup', 'volumedown', 'mute', 'playpause', 'nexttrack', 'previoustrack']) {
      await to.input.key(key, true, free, signal);
      await to.input.key(key, true, free, signal);
      await to.input.key(key, false, free, signal);
    }
    expect(script.journal()).toEqual(
      [0, 1, 7, 16, 17, 18].flatMap((key) => [`media key ${key} down`, `media key ${key} up`]),
    );
    expect(to.posts.seen()).toBe(0);
  });

  it('is let go of with the rest, by host and helper', async () => {
    await to.input.key('volumeup', true, free, signal);
    expect(script.heldKeys()).toBe(1);
    await to.input.releaseAll();
    expect(script.heldKeys()).toBe(0);
    await to.input.key('mute', true, free, signal);
    to.posts.letGo();
    expect(script.heldKeys()).toBe(0);
  });

  it('is not posted where the guard or the system forbids it', async () => {
    expect(await rejectionOf(to.input.key('mute', true, refuse, signal))).toMatchObject({ message: 'not allowed' });
    script.mayPost(0);
    expect(await rejectionOf(to.input.key('mute', true, free, signal))).toMatchObject({ code: 'permission' });
    expect(script.journal()).toEqual([]);
  });
});

describe('a key with flags of its own', () => {
  it('says of itself what a keyboard says: of arrows and function keys, and of no letter after them', async () => {
    const functions = Array.from({ length: 20 }, (_, index) => `f${index + 1}`).join(' ');
    const named = 'up down left right home end pageup pagedown delete help enter tab escape backspace';
    const pad = 'clear kp0 kp1 kp2 kp3 kp4 kp5 kp6 kp7 kp8 kp9 kpadd kpsubtract kpmultiply kpdivide kpdecimal kpequal kpenter';
    for (const keys of [...`${functions} ${named} ${pad} a`.split(' ').map((key) => [key]), ['fn', 'left']]) {
      const chord = ['ctrl', ...keys];
      for (const key of chord) await to.input.key(key, true, free, signal);
      for (const key of chord.toReversed()) await to.input.key(key, false, free, signal);
    }
    expect(script.journal().filter((line) => line.includes('no key'))).toEqual([]);
    expect(script.journal()).toContain('shortcut 0x7b flags 0x40000');
  }); // prettier-ignore
});
