/** The oracle: a window that writes down every event it gets, and a watch over the whole display. Neither asks the driver anything. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectToDisplay } from './x-connection.js';

type Env = Record<string, string>;

export interface RawEvent {
  event:
    | 'press'
    | 'double'
    | 'triple'
    | 'release'
    | 'motion'
    | 'scroll'
    | 'keydown'
    | 'keyup'
    | 'focus'
    | 'blur'
    | 'drop'
    | 'dragleave';
  x?: number;
  y?: number;
  button?: number;
  /** Buttons held during a motion. */
  held?: number[];
  modifiers?: string[];
  key?: string;
  text?: string;
  direction?: 'up' | 'down' | 'left' | 'right';
  uris?: string[];
}

export interface RawWindow {
  pid: number;
  title: string;
  /** Everything since it started, or since `forget`. */
  events(...kinds: RawEvent['event'][]): Promise<RawEvent[]>;
  forget(): Promise<void>;
  close(): Promise<void>;
}

export interface RawWindowOptions {
  title?: string;
  place?: { x: number; y: number };
  size?: { width: number; height: number };
  /** Takes dropped files. */
  drops?: boolean;
}

const PROGRAM = join(import.meta.dirname, 'apps/raw-events.py');

/** The caller waits until its window is there, by whatever means it trusts. */
export async function openRawWindow(env: Env, options: RawWindowOptions = {}): Promise<RawWindow> {
  const { title = 'Raw events', place = { x: 60, y: 60 }, size = { width: 400, height: 300 }, drops = false } = options;
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-raw-'));
  const file = join(folder, 'journal.jsonl');
  await writeFile(file, '');
  const args = ['--journal', file, '--title', title, '--place', `${place.x},${place.y}`];
  args.push('--size', `${size.width},${size.height}`, ...(drops ? ['--drops'] : []));
  const child = spawn('/usr/bin/python3', [PROGRAM, ...args], {
    env: { ...env, PATH: '/usr/bin:/bin' },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let from = 0;
  const all = async (): Promise<RawEvent[]> =>
    // What follows the last line break is still being written.
    (await readFile(file, 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as RawEvent);
  return {
    pid: child.pid ?? 0,
    title,
    events: async (...kinds) =>
      (await all()).slice(from).filter(({ event }) => kinds.length === 0 || kinds.includes(event)),
    forget: async () => void (from = (await all()).length),
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Disturbances {
  /** Real or injected, wherever it went. */
  motions: number;
  presses: number;
  keys: number;
  /** The pointer is elsewhere, also when no device moved it. */
  moved: boolean;
  /** How often another window became the active one. */
  activations: number;
}

export interface DisplayWatch {
  /** Since the watch began, or since `forget`. */
  disturbances(): Promise<Disturbances>;
  forget(): Promise<void>;
  close(): Promise<void>;
}

const PROPERTY_CHANGE = 0x400000;
const RAW: ReadonlyMap<string, 'motions' | 'presses' | 'keys'> = new Map([
  ['XIRawMotion', 'motions'],
  ['XIRawButtonPress', 'presses'],
  ['XIRawKeyPress', 'keys'],
]);

/** Hears every event of every device, and every change of the active window, on a connection of its own. */
export async function watchDisplay(env: Env): Promise<DisplayWatch> {
  const x = await connectToDisplay(env);
  const input = await x.extension('xinput');
  if (input === null) throw new Error('the X server has no XInput2');
  const active = await x.atom('_NET_ACTIVE_WINDOW');
  const none = (): Disturbances => ({ motions: 0, presses: 0, keys: 0, moved: false, activations: 0 });
  const place = async () => {
    const { rootX, rootY } = await x.query<{ rootX: number; rootY: number; keyMask: number; child: number }>((r) =>
      x.client.QueryPointer(x.root, r),
    );
    return `${rootX},${rootY}`;
  };
  let seen = none();
  x.onEvent((event) => {
    const kind = RAW.get(event.name);
    if (kind !== undefined) seen[kind] += 1;
    if (event.name === 'PropertyNotify' && event.atom === active) seen.activations += 1;
  });
  const masks = input.EventMask;
  const mask = masks.RawKeyPress | masks.RawButtonPress | masks.RawMotion;
  input.XISelectEvents(x.root, [{ deviceId: input.AllMasterDevices, mask }]);
  await x.send((done) => x.client.ChangeWindowAttributes(x.root, { eventMask: PROPERTY_CHANGE }, done));
  let before = await place();
  return {
    async disturbances() {
      const moved = (await place()) !== before;
      return { ...seen, moved };
    },
    async forget() {
      before = await place();
      seen = none();
    },
    close: () => x.close(),
  };
}
