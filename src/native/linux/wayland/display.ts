/** A Wayland compositor as the backend's display: the protocols of wlroots for input, pictures and clipboard, and sway's own socket for windows. */
import { createEmitter } from '../../../base/emitter.js';
import { join } from 'node:path';
import { DesktopError, type Provision, type Rect } from '../../desktop.js';
import type { DisplayServer, InputEvents } from '../display-server.js';
import { restWithin } from '../process-rest.js';
import { releaseButtons } from '../release-buttons.js';
import { DataControlClipboard, DATA_CONTROL } from './clipboard.js';
import { FrameSource, SCREENCOPY, SHM, Outputs } from './frames.js';
import { KEYBOARD_MANAGER, VirtualKeyboard } from './keyboard.js';
import { POINTER_MANAGER, VirtualPointer } from './pointer.js';
import { ScreenPictures } from './screen-pictures.js';
import { openBackgroundStart, openSwayActs, versionIn, SwayWindows } from './sway-windows.js';
import { SwayIpc, swaySocket } from './sway-ipc.js';
import { Registry, WireConnection } from './wire.js';
import { message, type Message } from '../../../messages/index.js';

type Environment = Readonly<Record<string, string | undefined>>;

const SEAT = 'wl_seat';
const KEYBOARD_CAPABILITY = 2;
const READ_MS = 1000;
/** Each with the version that is used at most. */
const NEEDED = new Map([[SEAT, 5], [SHM, 1], [SCREENCOPY, 3], [KEYBOARD_MANAGER, 1], [POINTER_MANAGER, 1], [DATA_CONTROL, 1]]); // prettier-ignore

/** The path of the compositor's socket; null where the environment names none. */
export function waylandSocket(env: Environment): string | null {
  const name = env['WAYLAND_DISPLAY'] ?? '';
  if (name === '') return null;
  return name.startsWith('/') ? name : join(env['XDG_RUNTIME_DIR'] ?? '/run', name);
}

/** Rejects with `unsupported` and what is missing where this compositor cannot be served. */
export async function openWayland(env: Environment): Promise<DisplayServer> {
  const path = waylandSocket(env);
  if (path === null) throw new DesktopError('unsupported', message('display.not_set'));
  const wire = new WireConnection(path);
  const opened: { ipc: SwayIpc | null } = { ipc: null };
  try {
    const globals = await bindAll(wire);
    const socket = await swaySocket(env);
    if (socket === null) throw new DesktopError('unsupported', message('display.unknown_compositor'));
    opened.ipc = await SwayIpc.open(socket);
    return await openOn(wire, opened.ipc, globals);
  } catch (error) {
    opened.ipc?.close();
    wire.close();
    throw error;
  }
}

type Globals = Awaited<ReturnType<typeof bindAll>>;

async function bindAll(wire: WireConnection) {
  const registry = await Registry.read(wire);
  const missing = [...NEEDED.keys()].filter((kind) => !registry.has(kind));
  if (missing.length > 0)
    throw new DesktopError('unsupported', message('display.protocols_missing', { missing: missing.join(', ') }));
  const seat = { capabilities: 0 };
  const bound = [...NEEDED].map(([kind, version]) =>
    registry.bind(kind, version, (opcode, event) => {
      if (kind === SEAT && opcode === 0) seat.capabilities = event.uint();
    }),
  );
  await wire.roundtrip();
  const objects = new Map([...NEEDED.keys()].map((kind, index) => [kind, bound[index] ?? { id: 0, version: 0 }]));
  const object = (kind: string) => objects.get(kind) ?? { id: 0, version: 0 };
  return { registry, object, hasKeyboard: (seat.capabilities & KEYBOARD_CAPABILITY) !== 0 };
}

async function openOn(wire: WireConnection, ipc: SwayIpc, { registry, object, hasKeyboard }: Globals) {
  const seat = object(SEAT).id;
  await ipc.subscribe(['window', 'workspace']);
  const windows = new SwayWindows(ipc);
  const outputs = await Outputs.read(wire, registry);
  const synthetic = createEmitter<void>();
  const shared = { wire, seat, sent: () => synthetic.emit() };
  const keyboard = new VirtualKeyboard({
    ...shared,
    manager: object(KEYBOARD_MANAGER).id,
    isFirst: !hasKeyboard,
    isForX: async () => (await windows.front())?.isX ?? false,
  });
  const screen = (): Promise<Rect> => windows.screen();
  const pointer = new VirtualPointer({ ...shared, manager: object(POINTER_MANAGER).id, screen });
  const clipboard = new DataControlClipboard(wire, object(DATA_CONTROL).id, seat);
  const frames = new FrameSource(wire, { shm: object(SHM).id, screencopy: object(SCREENCOPY) });
  await wire.roundtrip();
  const name = `sway ${versionIn(await ipc.version())}, Wayland`;
  const inputEvents = ownInputOnly(synthetic.on);
  return displayOf({ name, wire, ipc, windows, outputs, keyboard, pointer, clipboard, frames, inputEvents });
}

const given = (ability: Provision['ability'], by: string): Provision => ({ ability, by, lacks: null, command: null });

/** How sway gives each ability. */
const SWAY: readonly Provision[] = [
  given('windows', 'sway IPC'),
  given('screenshots', SCREENCOPY),
  given('pointer', POINTER_MANAGER),
  given('keys', KEYBOARD_MANAGER),
  given('clipboard', DATA_CONTROL),
  { ability: 'person', by: null, lacks: message('display.wayland_limits'), command: null },
];

interface Parts extends Pick<DisplayServer, 'name' | 'inputEvents'> {
  wire: WireConnection;
  ipc: SwayIpc;
  windows: SwayWindows;
  outputs: Outputs;
  keyboard: VirtualKeyboard;
  pointer: VirtualPointer;
  clipboard: DataControlClipboard;
  frames: FrameSource;
}

function displayOf({ name, inputEvents, wire, ipc, outputs, frames, ...parts }: Parts): DisplayServer {
  const { windows, keyboard, pointer, clipboard } = parts;
  const acts = openSwayActs(ipc, windows);
  const losses = createEmitter<Message>();
  const ended = message('display.wayland_gone', { display: 'sway', why: message('display.connection_ended') });
  wire.onLost(losses.emit);
  ipc.onLost(() => losses.emit(ended));
  const release: DisplayServer['release'] = async (keep) => {
    // A modifier first: with it, Escape would be another command.
    await keyboard.release(keep?.keys).catch(() => {});
    await releaseButtons(parts, keep?.buttons);
  };
  return {
    ...{ name, provides: SWAY, inputEvents, windows, acts, pointer, keyboard, clipboard, release },
    pictures: new ScreenPictures(windows, outputs, frames),
    dropFiles: () => Promise.reject(new DesktopError('unsupported', message('native.no_drops'))),
    hasRead: async (id, signal) => {
      await wire.roundtrip(signal);
      const pid = await windows.pidOf(id);
      return pid === 0 ? null : restWithin(pid, READ_MS, signal);
    },
    watchWindows: (changed) => {
      const stop = windows.onChange(() => changed(true));
      return { stop: async () => stop() };
    },
    prepareBackgroundStart: () => openBackgroundStart(windows, acts),
    onLost: losses.on,
    close: async () => {
      await release().catch(() => {});
      losses.clear();
      for (const part of [windows, outputs, frames, clipboard, ipc, wire]) part.close();
    },
  };
}

/** Compositors tell no program of the input that others get: neither the person's, nor that of other programs. */
const ownInputOnly = (onSynthetic: InputEvents['onSynthetic']): InputEvents => ({
  onPerson: () => () => {},
  onSynthetic,
  flush: () => Promise.reject(new DesktopError('unsupported', message('display.no_input_events_wayland'))),
});
