/** The keyboard of a session, as `setxkbmap` and the library Xlib see and change it. */
import { execFileSync } from 'node:child_process';

type Env = Record<string, string | undefined>;

export interface KeyboardState {
  group: number;
  locked: number;
}

const PROGRAM = `
import ctypes, sys
x = ctypes.CDLL('libX11.so.6')
x.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x.XOpenDisplay(None))
for name, value in zip(sys.argv[1::2], sys.argv[2::2]):
    if name == 'group': x.XkbLockGroup(display, 0x100, int(value))
    else: x.XkbLockModifiers(display, 0x100, 0xff, int(value))
x.XSync(display, 0)
state = (ctypes.c_ubyte * 18)()
x.XkbGetState(display, 0x100, state)
print(state[0], state[9])
`;

/** The state, after these changes. */
export function keyboardState(env: Env, change: Partial<KeyboardState> = {}): KeyboardState {
  const args = Object.entries(change).flatMap(([name, value]) => [name, String(value)]);
  const [group = 0, locked = 0] = execFileSync('/usr/bin/python3', ['-c', PROGRAM, ...args], { env, encoding: 'utf8' }).split(' ').map(Number); // prettier-ignore
  return { group, locked };
}

export function setLayouts(env: Env, layouts: string, options = ''): void {
  execFileSync('setxkbmap', ['-layout', layouts, '-option', '', ...(options === '' ? [] : ['-option', options])], {
    env,
  });
}
