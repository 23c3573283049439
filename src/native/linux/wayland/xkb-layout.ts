/** Which characters a keyboard layout has, as libxkbcommon knows it, which every desktop with Wayland has. Comes in: its name, e.g. `de+nodeadkeys`. */
import koffi from 'koffi';
import { modernKeysym } from '../keysyms.js';

const LIBRARY = 'libxkbcommon.so.0';
/** Only what is typed with no key, Shift or AltGr. */
const LEVELS = 4;

function load() {
  const library = koffi.load(LIBRARY);
  const names = koffi.struct({ rules: 'str', model: 'str', layout: 'str', variant: 'str', options: 'str' });
  return {
    newContext: library.func('xkb_context_new', 'void *', ['int']),
    endContext: library.func('xkb_context_unref', 'void', ['void *']),
    newKeymap: library.func('xkb_keymap_new_from_names', 'void *', ['void *', koffi.pointer(names), 'int']),
    endKeymap: library.func('xkb_keymap_unref', 'void', ['void *']),
    first: library.func('xkb_keymap_min_keycode', 'uint32_t', ['void *']),
    last: library.func('xkb_keymap_max_keycode', 'uint32_t', ['void *']),
    symbols: library.func('xkb_keymap_key_get_syms_by_level', 'int', [
      ...['void *', 'uint32_t', 'uint32_t', 'uint32_t'],
      koffi.out(koffi.pointer('void *')),
    ]),
  };
}

/** The keysyms of its keys, as `keysymOf` names them. Throws where there is no such layout, or no library. */
export function keysymsOfLayout(name: string): ReadonlySet<number> {
  const calls = load();
  const [layout = '', variant = ''] = name.split('+');
  const context: unknown = calls.newContext(0);
  const keymap: unknown = calls.newKeymap(context, { rules: 'evdev', model: 'pc105', layout, variant, options: '' }, 0);
  if (keymap === null) throw new Error(`no layout ${name}`);
  const found = new Set<number>();
  for (let code: number = calls.first(keymap), end: number = calls.last(keymap); code <= end; code += 1) {
    for (let level = 0; level < LEVELS; level += 1) {
      const out: unknown[] = [null];
      const count: number = calls.symbols(keymap, code, 0, level, out);
      if (count === 1) found.add(modernKeysym(Number(koffi.decode(out[0], 'uint32_t'))));
    }
  }
  calls.endKeymap(keymap);
  calls.endContext(context);
  return found;
}
