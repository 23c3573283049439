/** Text arrives as written whichever layout is in use, of up to four; CHAPERONE_ALL_LAYOUTS=1 takes sixteen layouts in place of a few. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputGuard } from '../../../src/native/desktop.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../../support/linux-desktop.js';
import { keyboardState, setLayouts } from '../../support/keyboard-state.js';
import { KITS, startTyped, type TypedApp } from '../../support/typed-apps.js';

const free: InputGuard = () => Promise.resolve();
const signal = new AbortController().signal;
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join('');
const TEXT = `${ASCII}5€ µ « æ x²`;

const ALL = process.env['CHAPERONE_ALL_LAYOUTS'] === '1';
/** With the numbers of those that are used in turn. */
const LAYOUTS: readonly [layouts: string, groups: readonly number[]][] = ALL
  ? [
      ['us,de,fr,es', [0, 1, 2, 3]],
      ['gb,it,pl,ru', [0, 1, 2, 3]],
      ['cz,gr,tr,il', [0, 1, 2, 3]],
      ['br,se,ua,ch', [0, 1, 2, 3]],
    ]
  : [
      ['us,de', [0, 1]],
      ['gb,ru,fr', [1, 2]],
      ['pl,gr,il,es', [3]],
    ];

let linux: LinuxDesktop;
beforeAll(async () => {
  linux = await openLinuxDesktop();
});
afterAll(() => linux.close());

describe.each(KITS)('%s', (kit) => {
  let app: TypedApp;
  let times = 0;
  beforeAll(async () => {
    app = await startTyped(linux, kit);
    const { id } = await eventually(async () => {
      const found = (await linux.desktop.windows(signal)).find(({ title }) => title === app.title);
      if (found === undefined) throw new Error(`no window ${app.title}`);
      return found;
    });
    await linux.desktop.focusWindow(id, signal);
    // The window is there before its text has the keyboard.
    await eventually(async () => {
      await linux.desktop.typeText('.', free, signal);
      expect(await app.text()).toMatch(/\.$/);
    });
  }, 120_000);
  afterAll(() => app.end());

  it.each(LAYOUTS)(
    '[req:KB-1] takes all characters of the keyboard and others with %s',
    { timeout: 120_000 },
    async (layouts, groups) => {
      setLayouts(linux.session.env, layouts);
      for (const group of groups) {
        expect(keyboardState(linux.session.env, { group })).toEqual({ group, locked: 0 });
        await linux.desktop.typeText(TEXT, free, signal);
        times += 1;
        await eventually(async () => expect((await app.text()).replace(/^\.+/, '')).toBe(TEXT.repeat(times)));
      }
    },
  );
});
