import { createEmitter } from '../../../base/emitter.js';
import {
  type ClipboardContent,
  type ClipboardReading,
  DesktopError,
  type InputGuard,
  type PasteResult,
} from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import type { Clipboard as SharedClipboard } from '../display-server.js';
import type { XConnection } from './connection.js';
import type { Keyboard } from './keyboard.js';
import {
  CONCEALED,
  type SelectionData,
  fromOffer,
  isConcealed,
  isMeta,
  type SelectionOffer,
  otherTargets,
  toOffer,
  usefulTargets,
} from '../offer.js';
import { type ServedRequest, openSelection, type Selection } from './selection.js';
import type { Windows } from '../windows.js';
import { message } from '../../../messages/index.js';

export interface Clipboard extends SharedClipboard {
  /** False where other programs' copies cannot be noticed. */
  readonly watches: boolean;
  close(): Promise<void>;
}

const PASTE_TIMEOUT_MS = 3000;
const READ_TIMEOUT_MS = 1000;
/** Applications that request a paste twice do so within this time. */
const REPEATED_REQUEST_MS = 60;
const MAX_SAVED_BYTES = 32 * 1024 * 1024;
/** Here both take the next key as it is, so that Enter ends no line. */
const NEVER_PASTES = /^(?:u?xterm|u?rxvt)$/i;
/** In these, Ctrl+V is a control character. */
const PASTES_WITH_SHIFT = /^(.*terminal.*|konsole|kitty|alacritty|terminator|tilix|wezterm|foot|st-256color)$/i;

export async function openClipboard(x: XConnection, windows: Windows, keyboard: Keyboard): Promise<Clipboard> {
  const selection = await openSelection(x);
  const changes = createEmitter<ClipboardContent | null>();
  const watches = await selection.onOtherOwner(() => changes.emit(null));

  const belongsToProcess = async (requestor: number, pid: number): Promise<boolean> => {
    const ownPid = await windows.pidOf(requestor);
    if (ownPid !== 0) return ownPid === pid;
    // Hidden windows often have no pid property; ids of one range belong to one connection.
    const range = (xid: number): number => (xid & ~x.display.resource_mask) >>> 0;
    return (await windows.list()).some((window) => window.pid === pid && range(window.id) === range(requestor));
  };

  const marksSecret = async (targets: readonly string[], signal: AbortSignal): Promise<boolean> =>
    targets.includes(CONCEALED) && isConcealed(await selection.fetch(CONCEALED, signal));

  const read = async (signal: AbortSignal): Promise<ClipboardReading> => {
    const offer = new Map<string, SelectionData>();
    const targets = await selection.targets(signal);
    if (await marksSecret(targets, signal)) return { concealed: true };
    for (const target of usefulTargets(targets)) {
      const content = await selection.fetch(target, signal);
      if (content !== null) offer.set(target, content);
    }
    // Another program may have copied a secret since the targets were told.
    if (await marksSecret(await selection.targets(signal), signal)) return { concealed: true };
    const others = otherTargets(targets);
    return { ...fromOffer(offer), ...(others.length === 0 ? {} : { others }) };
  };

  const restore = async (saved: Saved): Promise<boolean> => {
    if (!(await selection.isOurs())) return false;
    if (saved.offer.size === 0) await selection.disown();
    else await selection.own(saved.offer);
    return saved.whole;
  };

  const paste = async (text: string, pid: number, guard: InputGuard, signal: AbortSignal): Promise<PasteResult> => {
    const active = await windows.front();
    if (NEVER_PASTES.test(active?.className ?? ''))
      throw new DesktopError('unsupported', message('native.no_paste_key'));
    const saved = await saveContents(selection, signal);
    const requests: ServedRequest[] = [];
    let lastRequestAt = 0;
    const served = (request: ServedRequest): void => {
      if (isMeta(request.target)) return;
      requests.push(request);
      lastRequestAt = Date.now();
    };
    await selection.own(toOffer({ text }), (requestor) => belongsToProcess(requestor, pid), served);
    let restored = false;
    try {
      const keys = PASTES_WITH_SHIFT.test(active?.className ?? '') ? ['ctrl', 'shift', 'v'] : ['ctrl', 'v'];
      await keyboard.chord(keys, guard, signal);
      await poll(() => Promise.resolve(requests[0] ?? null), PASTE_TIMEOUT_MS, signal);
      const allRead = async (): Promise<true | null> => {
        if (Date.now() - lastRequestAt < REPEATED_REQUEST_MS) return null;
        return (await Promise.all(requests.map((request) => isRead(x, request)))).every(Boolean) ? true : null;
      };
      if (requests.length > 0) await poll(allRead, READ_TIMEOUT_MS, signal);
    } finally {
      restored = await restore(saved);
    }
    if (requests.length > 0) return { restored };
    throw new DesktopError('failed', message('native.paste_not_taken'), {
      restored,
    });
  };

  return {
    watches,
    read,
    write: async (content) => {
      await selection.own(toOffer(content));
      changes.emit(content);
    },
    onChange: changes.on,
    paste,
    close: async () => {
      changes.clear();
      const offer = await selection.ownOffer().catch(() => null);
      // Under X11 the contents end with their owner, unless a clipboard manager keeps them.
      if (offer !== null && offer.size > 0 && !offer.has(CONCEALED)) await selection.saveToManager().catch(() => {});
      await selection.close();
    },
  };
}

/** The requestor deletes the property once it has read it. */
async function isRead(x: XConnection, { requestor, property }: ServedRequest): Promise<boolean> {
  const state = await x
    .query<{ type: number }>((r) => x.client.GetProperty(0, requestor, property, 0, 0, 0, r))
    .catch(() => ({ type: 0 }));
  return state.type === 0;
}

interface Saved {
  offer: SelectionOffer;
  /** False when something on the clipboard could not be kept. */
  whole: boolean;
}

async function saveContents(selection: Selection, signal: AbortSignal): Promise<Saved> {
  const own = await selection.ownOffer();
  if (own !== null) return { offer: own, whole: true };
  const offer = new Map<string, SelectionData>();
  let whole = true;
  let size = 0;
  try {
    for (const target of await selection.targets(signal)) {
      if (isMeta(target)) continue;
      const content = size < MAX_SAVED_BYTES ? await selection.fetch(target, signal) : null;
      if (content === null) whole = false;
      else offer.set(target, content);
      size += content?.data.length ?? 0;
    }
    if (!offer.has(CONCEALED) && (await selection.targets(signal)).includes(CONCEALED)) {
      offer.clear();
      whole = false;
    }
  } catch (error) {
    if (!(error instanceof DesktopError) || error.code !== 'not_responding') throw error;
    whole = false;
  }
  return { offer, whole };
}
