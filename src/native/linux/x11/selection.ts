import { createEmitter } from '../../../base/emitter.js';
import { DesktopError } from '../../desktop.js';
import type { XConnection } from './connection.js';
import { type OwnedSelection, createSelectionServer, type ServedRequest } from './selection-server.js';
import type { SelectionData, SelectionOffer } from '../offer.js';
import { words } from './properties.js';
import {
  saveToManager,
  listenForOtherOwners,
  createSelectionContext,
  serverTime,
  transfer,
} from './selection-transfer.js';
import { message } from '../../../messages/index.js';

/** One X selection. It reads one transfer at a time, and answers any number of requests while this program owns it. */
export interface Selection {
  /** The window by which this program owns it. */
  readonly window: number;
  /** The server's time now. */
  time(): Promise<number>;
  /** Window that owns it; 0 for none. */
  owner(): Promise<number>;
  isOurs(): Promise<boolean>;
  /** Names of the offered targets; empty where nobody owns the selection. */
  targets(signal: AbortSignal): Promise<string[]>;
  /** null where the owner refuses. Rejects with `not_responding` when the owner does not answer. */
  fetch(target: string, signal: AbortSignal): Promise<SelectionData | null>;
  /** Takes ownership. `mayRead` decides for each requesting window; `onServed` is called after each answered request. */
  own(
    offer: SelectionOffer,
    mayRead?: (requestor: number) => Promise<boolean>,
    onServed?: (request: ServedRequest) => void,
  ): Promise<void>;
  disown(): Promise<void>;
  /** What this program offers now, if it still owns the selection. */
  ownOffer(): Promise<SelectionOffer | null>;
  /** Called when another program takes or gives up ownership; false where the server cannot report it. */
  onOtherOwner(listener: () => void): Promise<boolean>;
  /** Asks the clipboard manager, where there is one, to keep the content when this program ends. */
  saveToManager(): Promise<void>;
  close(): Promise<void>;
}

export async function openSelection(x: XConnection, name = 'CLIPBOARD'): Promise<Selection> {
  const context = await createSelectionContext(x, name);
  const { clipboard, atomType, window } = context;
  const serve = createSelectionServer(x, clipboard);
  let held: OwnedSelection | null = null;
  let busy: Promise<unknown> = Promise.resolve();
  let owning: Promise<unknown> = Promise.resolve();
  const others = createEmitter<void>();

  const owner = (): Promise<number> => x.query<number>((r) => x.client.GetSelectionOwner(clipboard, r));
  const ownOffer = async () => ((await owner()) === window ? (held?.offer ?? null) : null);

  const fetch = async (target: string, signal: AbortSignal): Promise<SelectionData | null> => {
    const mine = await ownOffer();
    if (mine !== null) return mine.get(target) ?? null;
    const work = busy.then(() => transfer(context, target, signal));
    busy = work.catch(() => {});
    return work;
  };

  const targets = async (signal: AbortSignal): Promise<string[]> => {
    const mine = await ownOffer();
    if (mine !== null) return [...mine.keys()];
    if ((await owner()) === 0) return [];
    const content = await fetch('TARGETS', signal);
    if (content === null) return ['UTF8_STRING', 'STRING'];
    const property = { type: atomType, format: content.format, bytesAfter: 0, data: content.data };
    return Promise.all(words(property).map((atom) => x.atomName(atom)));
  };

  /** The event of a loss may arrive after ownership has been taken again. */
  const releaseIfLost = async (before: OwnedSelection | null): Promise<void> => {
    if ((await owner()) !== window && held === before) held = null;
  };

  const take = async (
    offer: SelectionOffer,
    mayRead: OwnedSelection['mayRead'],
    onServed: OwnedSelection['onServed'],
  ): Promise<void> => {
    const time = await serverTime(context);
    held = { offer, time, mayRead, onServed };
    await x.send((done) => x.client.SetSelectionOwner(window, clipboard, time, done));
    if ((await owner()) === window) return;
    held = null;
    throw new DesktopError('failed', message('native.clipboard_taken'));
  };

  const stop = x.onEvent((event) => {
    if (event.name === 'SelectionClear' && event.owner === window) releaseIfLost(held).catch(() => {});
    // The core protocol and XFIXES both have an event of this name; only the one of XFIXES has an owner.
    if (event.name === 'SelectionNotify' && event.selection === clipboard && (event.owner ?? window) !== window)
      others.emit();
    // The requestor may be gone by now.
    if (event.name === 'SelectionRequest' && event.owner === window) serve(event, held).catch(() => {});
  });

  return {
    window,
    time: () => serverTime(context),
    owner,
    onOtherOwner: (listener) => listenForOtherOwners(context, others, listener),
    isOurs: async () => held !== null && (await owner()) === window,
    targets,
    fetch,
    own: (offer, mayRead = () => Promise.resolve(true), onServed = () => {}) => {
      const work = owning.then(() => take(offer, mayRead, onServed));
      owning = work.catch(() => {});
      return work;
    },
    disown: async () => {
      if ((await owner()) === window) await x.send((done) => x.client.SetSelectionOwner(0, clipboard, 0, done));
      held = null;
    },
    ownOffer,
    saveToManager: () => saveToManager(context, ownOffer),
    close: async () => {
      stop();
      held = null;
      await x.send((done) => x.client.DestroyWindow(window, done));
    },
  };
}
