/** The backend: every member of the desktop's interface, each by the helper process that it belongs to. */
import { DesktopError, type DesktopBackend } from '../desktop.js';
import { withTimeout } from '../../base/poll.js';
import { message } from '../../messages/index.js';
import type { WokenApp } from './accessibility/woken-apps.js';
import type { LibraryPaths } from './calls/libraries.js';
import { type HelperOptions, openHelpers, type Helpers, openHelperClient, type HelperClient } from './helper/client.js';
import { forkHelper, HELPER_ENTRY, type HelperProcess } from './helper/process.js';
import { createListening } from './watching/listening.js';
import {
  createMaximizing,
  createServed,
  createServedCapture,
  createServedClipboard,
  createServedInput,
  createServedPaste,
} from './helper/served.js';

export interface MacOptions {
  /** Starts a helper process from its script; by default under Node. Electron has utility processes for it. */
  start?: (entry: string) => HelperProcess;
  /** Of stand-ins, in tests. */
  libraries?: LibraryPaths;
}

const VERSION_LIMIT_MS = 10_000;
/** Letting go of what is held waits for nothing but helpers. */
const RELEASE_LIMIT_MS = 5000;

/** Rejects with `lost` where no helper can work here. */
export async function openMacos({ start = forkHelper, libraries }: MacOptions = {}): Promise<DesktopBackend> {
  const options = { start: () => start(HELPER_ENTRY), ...(libraries === undefined ? {} : { libraries }) };
  const helpers = openHelpers(options);
  try {
    const never = new AbortController().signal;
    const version = await helpers.elements.call('systemVersion', [], VERSION_LIMIT_MS, never);
    return assemble(helpers, options, `macOS ${version}`);
  } catch (thrown) {
    helpers.close();
    throw thrown;
  }
}

function assemble(helpers: Helpers, options: HelperOptions, version: string): DesktopBackend {
  const clipboard = createServedClipboard(helpers.clipboard);
  const input = createServedInput(helpers.events, helpers.elements);
  const { shortcut, ...injected } = input;
  // What the one before held stays pressed in the system.
  const stopReleasing = helpers.events.onReady((again) => void (again && input.releaseAll()));
  const listening = createListening(helpers.changes, helpers.events);
  const letSleep = rememberWoken(helpers);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    stopReleasing();
    await withTimeout(Promise.all([input.releaseAll(), letSleep()]), RELEASE_LIMIT_MS);
    clipboard.close();
    listening.close();
    helpers.close();
  };
  return {
    platform: 'macos',
    version,
    ...createServed(helpers.elements),
    ...createMaximizing(helpers.elements),
    ...createPermissions(helpers.elements, options, helpers.renew),
    ...injected,
    ...createServedPaste(helpers.elements, clipboard, shortcut),
    ...createServedCapture(helpers.pictures),
    readClipboard: clipboard.readClipboard,
    writeClipboard: clipboard.writeClipboard,
    onClipboardChange: clipboard.onClipboardChange,
    dropFiles: async (_paths, _windowId, _guard, signal) => {
      signal.throwIfAborted();
      throw new DesktopError('unsupported', message('native.no_drops'));
    },
    onChange: listening.onChange,
    onPersonInput: listening.onPersonInput,
    onPersonPress: listening.onPersonPress,
    onSyntheticInput: listening.onSyntheticInput,
    flushInputEvents: listening.flushInputEvents,
    onLost: helpers.onLost,
    close: () => (closing ??= close()),
  };
}

/** Whichever helper has asked an application for its pages, it is put back at the end: a helper that is killed puts back nothing. */
function rememberWoken({ all, elements }: Helpers): () => Promise<void> {
  const woken: WokenApp[] = [];
  for (const helper of all) helper.onTold((told) => told.kind === 'woken' && woken.push(told.app));
  return async () => {
    if (woken.length === 0) return;
    await elements.call('letSleep', [woken], RELEASE_LIMIT_MS, new AbortController().signal).catch(() => undefined);
  };
}

// Permissions as the host asks for them: a change is seen by a new process only, so one is asked where something is
// not granted.

/** Several applications are asked, each as long as it may take. */
const LIMIT_MS = 8000;

/** `renewed` is called where a new process is allowed something else: only new helpers profit from it. */
export function createPermissions(
  client: HelperClient,
  options: HelperOptions,
  renewed: () => void,
): Pick<DesktopBackend, 'permissions' | 'automation'> {
  return {
    automation: (signal) => client.call('automation', [], LIMIT_MS, signal),
    async permissions(signal) {
      const known = await client.call('permissions', [], LIMIT_MS, signal);
      if (Object.values(known).every((state) => state === 'granted')) return known;
      const fresh = openHelperClient(options);
      try {
        const now = await fresh.call('permissions', [], LIMIT_MS, signal);
        if (now.accessibility !== known.accessibility || now.screenRecording !== known.screenRecording) renewed();
        return now;
      } finally {
        fresh.close();
      }
    },
  };
}
