/** GNOME as the backend's display: everything through Chaperone's extension in the shell, which tells places and takes input. */
import { createEmitter } from '../../../base/emitter.js';
import { DesktopError, type Provision } from '../../desktop.js';
import type { DisplayServer, InputEvents } from '../display-server.js';
import { restWithin } from '../process-rest.js';
import { releaseButtons } from '../release-buttons.js';
import { GnomeClipboard } from './gnome-clipboard.js';
import { GnomeKeyboard, GnomePointer } from './gnome-input.js';
import { GnomePictures } from './gnome-pictures.js';
import { GnomeShell } from './gnome-shell.js';
import { GnomeWindows, openGnomeActs } from './gnome-windows.js';
import { openBackgroundStart } from './sway-windows.js';
import { message } from '../../../messages/index.js';

type Environment = Readonly<Record<string, string | undefined>>;

const READ_MS = 1000;

const EXTENSION = 'chaperone@chaperone.dev';
const given = (ability: Provision['ability'], by: string): Provision => ({ ability, by, lacks: null, command: null });
const PROVIDES: readonly Provision[] = [
  ...(['windows', 'screenshots', 'pointer', 'keys', 'clipboard'] as const).map((one) => given(one, EXTENSION)),
  { ability: 'person', by: EXTENSION, lacks: message('display.gnome_person'), command: null },
];

/** By what the session says of itself, e.g. `ubuntu:GNOME`, or by who is on its bus. */
export async function isGnome(env: Environment, busAddress: string): Promise<boolean> {
  const names = (env['XDG_CURRENT_DESKTOP'] ?? '').split(':').filter(Boolean);
  return names.length === 0 ? GnomeShell.runsOn(busAddress) : names.includes('GNOME');
}

/** Rejects with `unsupported` and what to do where the extension is missing. */
export async function openGnome(busAddress: string): Promise<DisplayServer> {
  const { shell, version } = await GnomeShell.open(busAddress);
  const windows = new GnomeWindows(shell);
  const acts = openGnomeActs(shell, windows);
  const synthetic = createEmitter<void>();
  const options = {
    shell,
    screen: () => windows.screen(),
    sent: () => synthetic.emit(),
    rest: async (signal: AbortSignal) => {
      const pid = (await windows.front())?.pid ?? 0;
      if (pid !== 0) await restWithin(pid, READ_MS, signal);
    },
  };
  const parts = { windows, pointer: new GnomePointer(options), keyboard: new GnomeKeyboard(options) };
  const clipboard = new GnomeClipboard(shell);
  const release: DisplayServer['release'] = async (keep) => {
    // A modifier first: with it, Escape would be another command.
    await parts.keyboard.release(keep?.keys).catch(() => {});
    await releaseButtons(parts, keep?.buttons);
  };
  return {
    ...{ name: `GNOME ${version}, Wayland`, provides: PROVIDES, ...parts, acts, clipboard, release },
    pictures: new GnomePictures(shell, windows),
    inputEvents: inputEventsOf(shell, synthetic.on),
    dropFiles: () => Promise.reject(new DesktopError('unsupported', message('native.no_drops'))),
    hasRead: async (id, signal) => {
      const pid = await windows.pidOf(id);
      return pid === 0 ? null : restWithin(pid, READ_MS, signal);
    },
    watchWindows: (changed) => {
      const stop = windows.onChange(() => changed(true));
      return { stop: async () => stop() };
    },
    prepareBackgroundStart: () => openBackgroundStart(windows, acts),
    onLost: shell.onLost,
    close: async () => {
      await release().catch(() => {});
      windows.close();
      clipboard.close();
      await shell.close();
    },
  };
}

/** The shell tells of moves of the pointer that the host did not ask for; of no keys and buttons. */
const inputEventsOf = (shell: GnomeShell, onSynthetic: InputEvents['onSynthetic']): InputEvents => ({
  onPerson: (listener) => shell.onPersonMove(listener),
  onSynthetic,
  flush: () => Promise.reject(new DesktopError('unsupported', message('display.no_input_events_wayland'))),
});
