/** Names of keys as X, xdotool, KeyboardEvent, Playwright and macOS spell them. */
import { createRequire } from 'node:module';
import { describe, expect, it, test } from 'vitest';
import { chordFrom, modifiersOn, pressableOn } from '../../src/main/desktop/key-names.js';
import { KEY_NAMES } from '../../src/native/desktop.js';
import { KEYSYMS } from '../../src/native/linux/keysyms.js';
import table from '../../src/main/desktop/key-names.json' with { type: 'json' };

const keyOf = (name: string) => {
  const { modifiers, keys } = chordFrom(name, []);
  return [...modifiers, ...keys].join('+');
};
const failure = (name: string): string => {
  try {
    return keyOf(name);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : '';
  }
};
const keysyms = createRequire(import.meta.url)('x11/lib/keysyms.js') as Record<string, { code: number }>;

test('[req:KB-3] the table has a row for each key, and says nothing twice', () => {
  expect(Object.keys(table.keys).toSorted()).toEqual([...KEY_NAMES].toSorted());
  const spellings = Object.entries(table.keys).flatMap(([key, names]) => [key, ...names.split(' ').filter(Boolean)]);
  expect(spellings.filter((one, index) => spellings.indexOf(one) !== index)).toEqual([]);
});

test('[req:KB-3] every name that X has for a key there is means that key, by its number', () => {
  const known = new Map([...KEYSYMS].map(([key, code]) => [code, key]));
  const others = ['VoidSymbol', 'Meta_L', 'Meta_R', 'L', 'R'];
  const wrong = Object.entries(keysyms).flatMap(([name, { code }]) => {
    const [x, key] = [name.slice(3), known.get(code)];
    if (key === undefined || others.includes(x) || /^[LR]\d+$/.test(x)) return [];
    return keyOf(x) === key ? [] : [`${x}: ${keyOf(x)} for ${key}`];
  });
  expect(wrong).toEqual([]);
});

describe('[req:KB-3] a name', () => {
  it.each(
    Object.entries({
      pageup: 'Prior Page_Up PageUp page-up PgUp KP_Prior NSPageUpFunctionKey kVK_PageUp',
      pagedown: 'Next Page_Down PageDown PgDn KP_Next KP_Page_Down XK_Next',
      nexttrack: 'MediaTrackNext XF86AudioNext AudioNext',
      enter: 'Return Enter RETURN kVK_Return XK_Return',
      kpenter: 'KP_Enter NumpadEnter kVK_ANSI_KeypadEnter',
      delete: 'Delete Del ForwardDelete kVK_ForwardDelete',
      backspace: 'BackSpace Backspace kVK_Delete',
      up: 'Up ArrowUp UpArrow kVK_UpArrow NSUpArrowFunctionKey KP_Up',
      menu: 'Menu ContextMenu',
      printscreen: 'Print PrintScreen Sys_Req',
      super: 'Super_L Meta MetaLeft OSLeft Win',
      ctrl: 'Control_R ControlLeft Control kVK_Control',
      alt: 'Alt_L AltRight Option kVK_RightOption',
      altgr: 'AltGraph ISO_Level3_Shift',
      kp7: 'KP_7 Numpad7 kVK_ANSI_Keypad7',
      volumeup: 'AudioVolumeUp XF86AudioRaiseVolume kVK_VolumeUp',
      pause: 'Pause Break',
      a: 'KeyA kVK_ANSI_A a XK_a',
      '5': 'Digit5 5',
      '-': 'Minus minus hyphen',
      '`': 'Backquote grave quoteleft',
      ä: 'adiaeresis U00E4 U+00E4',
      Ä: 'Adiaeresis',
      '€': 'EuroSign U20AC',
      я: 'Cyrillic_ya',
      '^': 'asciicircum caret',
    }),
  )('of %s: %s', (key, names) => {
    expect(names.split(' ').map(keyOf)).toEqual(names.split(' ').map(() => key));
  });

  it('that is none is refused with the nearest', () => {
    expect(failure('Pagedwn')).toContain('Did you mean pagedown');
    expect(failure('Retrun')).toContain('Did you mean enter');
    expect(failure('volumup')).toContain('Did you mean volumeup');
    for (const none of ['', 'U0007', 'UD800', 'U110000', 'dead_acute', 'Terminate_Server', 'XF86Switch_VT_1'])
      expect(failure(none), none).toMatch(/isn’t a valid key/);
  });
});

test('[req:KB-3] Command is Control on Linux, and Super is Command on macOS', () => {
  const pressed = (platform: 'linux' | 'macos', name: string) => pressableOn(platform, chordFrom(name, [])).label;
  expect(['cmd+a', 'Command+a', 'ControlOrMeta+a', 'shift+cmd+z'].map((name) => pressed('linux', name))).toEqual(['ctrl+A', 'ctrl+A', 'ctrl+A', 'shift+ctrl+Z']); // prettier-ignore
  expect(['cmd', 'super+a', 'Meta+a'].map((name) => pressed('linux', name))).toEqual(['super', 'super+A', 'super+A']);
  expect(['cmd+a', 'super+a', 'Meta+a', 'ControlOrMeta+a'].map((name) => pressed('macos', name))).toEqual(Array.from({ length: 4 }, () => 'cmd+A')); // prettier-ignore
  expect(() => pressed('linux', 'ctrl+cmd+q')).toThrow(/cmd/);
  expect(modifiersOn('linux', ['cmd', 'shift'])).toEqual(['ctrl', 'shift']);
});
