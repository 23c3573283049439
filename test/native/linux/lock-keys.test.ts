/** Locks and modifiers wherever a person has put them: text and shortcuts arrive as written, and every lock stays as it was; CHAPERONE_ALL_LAYOUTS=1 takes more options. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InputGuard } from '../../../src/native/desktop.js';
import { eventually, openLinuxDesktop, type FixtureApp, type LinuxDesktop } from '../../support/linux-desktop.js';
import { keyboardState, setLayouts } from '../../support/keyboard-state.js';

const free: InputGuard = () => Promise.resolve();
const signal = new AbortController().signal;
const TEXT = 'aA zZ 1! €@ ſ世';
const [SHIFT, CAPS, NUM, LEVEL_3] = [1, 2, 16, 128];

let linux: LinuxDesktop;
let app: FixtureApp;
beforeAll(async () => {
  linux = await openLinuxDesktop();
  app = await linux.fixture();
  await eventually(async () => expect((await linux.desktop.focusedElement(signal))?.title).toBe('Name'));
});
afterAll(() => linux.close());

const text = async () => (await app.journal()).findLast(({ control }) => control === 'entry')?.value ?? '';
const press = async (...keys: string[]) => {
  for (const key of keys) await linux.desktop.key(key, true, free, signal);
  for (const key of keys.toReversed()) await linux.desktop.key(key, false, free, signal);
};

/** Empties the field by keys, and types: neither may leave anything else. */
async function typesAll(): Promise<void> {
  await linux.desktop.typeText('x', free, signal);
  await press('ctrl', 'a');
  await press('backspace');
  await eventually(async () => expect(await text()).toBe(''));
  await linux.desktop.typeText(TEXT, free, signal);
  await press('b');
  await press('shift', 'c');
  await press('shift', 'left');
  await linux.desktop.typeText('D', free, signal);
  await eventually(async () => expect(await text()).toBe(`${TEXT}bD`));
}

const OPTIONS = [
  'caps:escape caps:shiftlock caps:internal caps:ctrl_modifier ctrl:nocaps ctrl:lctrl_meta shift:both_capslock shift:breaks_caps',
  'grp:lshift_toggle grp:shifts_toggle grp:lctrl_toggle grp:caps_toggle compose:ralt compose:caps lv3:caps_switch lv3:ralt_alt',
  'altwin:swap_alt_win keypad:pointerkeys',
];
const MORE_OPTIONS =
  'caps:none caps:shift_nocancel caps:swapescape ctrl:swapcaps shift:both_shiftlock grp:ctrl_shift_toggle grp:toggle compose:lctrl';
const ALL = process.env['CHAPERONE_ALL_LAYOUTS'] === '1';

it.each([...OPTIONS, ...(ALL ? [MORE_OPTIONS] : [])].join(' ').split(' '))(
  '[req:KB-2] types with the option %s, whatever is locked',
  { timeout: 60_000 },
  async (option) => {
    setLayouts(linux.session.env, 'de,us', option);
    for (const [group, locked] of [
      [0, CAPS],
      [1, CAPS | NUM | SHIFT | LEVEL_3],
    ] as const) {
      keyboardState(linux.session.env, { group, locked });
      await typesAll();
      expect(keyboardState(linux.session.env)).toEqual({ group, locked });
    }
  },
);

it('[req:KB-2] does not switch the layout where Alt and Shift together do', async () => {
  setLayouts(linux.session.env, 'us,ru', 'grp:alt_shift_toggle');
  expect(keyboardState(linux.session.env, { group: 0, locked: 0 })).toEqual({ group: 0, locked: 0 });
  await press('alt', 'shift', 'b');
  await press('shift', 'alt', 'b');
  expect(keyboardState(linux.session.env)).toEqual({ group: 0, locked: 0 });
});

it('[req:KB-2] turns a lock where it is asked to press that key', async () => {
  setLayouts(linux.session.env, 'us');
  keyboardState(linux.session.env, { group: 0, locked: 0 });
  await press('capslock');
  expect(keyboardState(linux.session.env).locked).toBe(CAPS);
  await press('capslock');
  expect(keyboardState(linux.session.env).locked).toBe(0);
});
