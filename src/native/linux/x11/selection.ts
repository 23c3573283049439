import { createEmitter } from '../../../base/emitter.js';
import { DesktopError } from '../../desktop.js';
import type { XConnection } from './connection.js';
import { type Held, openAnswers, type Served } from './answering.js';
import type { Form, Offer } from './offer.js';
import { words } from './properties.js';
import { handOver, listenForOthers, openParts, serverTime, transfer } from './selection-transfer.js';

/** One selection. One transfer at a time in, any number out. */
export interface Selection {
  /** The window that owns it while it is ours. */
  readonly window: number;
  /** The server's time now. */
  time(): Promise<number>;
  /** Window that owns it; 0 for none. */
  owner(): Promise<number>;
  isOurs(): Promise<boolean>;
  /** Names of what is on offer; empty where nobody owns it. */
  targets(signal: AbortSignal): Promise<string[]>;
  /** null where the owner refuses. Rejects with `not_responding` when the owner does not answer. */
  fetch(target: string, signal: AbortSignal): Promise<Form | null>;
  /** Takes ownership. `mayHave` decides per asking window; `served` hears what was handed over. */
  own(
    offer: Offer,
    mayHave?: (requestor: number) => Promise<boolean>,
    served?: (request: Served) => void,
  ): Promise<void>;
  disown(): Promise<void>;
  /** What this program offers now, if it still owns the selection. */
  ours(): Promise<Offer | null>;
  /** Hears of every new owner but this one, and of its end; false where the server cannot tell. */
  onOthers(listener: () => void): Promise<boolean>;
  /** Asks the clipboard manager, where there is one, to keep what this program offers after its end. */
  handOver(): Promise<void>;
  close(): Promise<void>;
}

export async function openSelection(x: XConnection, name = 'CLIPBOARD'): Promise<Selection> {
  const parts = await openParts(x, name);
  const { clipboard, atomType, window } = parts;
  const answer = openAnswers(x, clipboard);
  let held: Held | null = null;
  let busy: Promise<unknown> = Promise.resolve();
  let owning: Promise<unknown> = Promise.resolve();
  const others = createEmitter<void>();

  const owner = (): Promise<number> => x.ask<number>((r) => x.client.GetSelectionOwner(clipboard, r));
  const ours = async (): Promise<Offer | null> => ((await owner()) === window ? (held?.offer ?? null) : null);

  const fetch = async (target: string, signal: AbortSignal): Promise<Form | null> => {
    const mine = await ours();
    if (mine !== null) return mine.get(target) ?? null;
    const work = busy.then(() => transfer(parts, target, signal));
    busy = work.catch(() => {});
    return work;
  };

  const targets = async (signal: AbortSignal): Promise<string[]> => {
    const mine = await ours();
    if (mine !== null) return [...mine.keys()];
    if ((await owner()) === 0) return [];
    const form = await fetch('TARGETS', signal);
    if (form === null) return ['UTF8_STRING', 'STRING'];
    const property = { type: atomType, format: form.format, bytesAfter: 0, data: form.data };
    return Promise.all(words(property).map((atom) => x.atomName(atom)));
  };

  /** Word of a loss may come after we took it back. */
  const lost = async (before: Held | null): Promise<void> => {
    if ((await owner()) !== window && held === before) held = null;
  };

  const take = async (offer: Offer, mayHave: Held['mayHave'], served: Held['served']): Promise<void> => {
    const time = await serverTime(parts);
    held = { offer, time, mayHave, served };
    await x.tell((done) => x.client.SetSelectionOwner(window, clipboard, time, done));
    if ((await owner()) === window) return;
    held = null;
    throw new DesktopError('failed', 'Another application took the clipboard at the same moment. Try again.');
  };

  const stop = x.onEvent((event) => {
    if (event.name === 'SelectionClear' && event.owner === window) lost(held).catch(() => {});
    // Both the core protocol and XFIXES have an event of this name; only theirs names an owner.
    if (event.name === 'SelectionNotify' && event.selection === clipboard && (event.owner ?? window) !== window)
      others.emit();
    // A requestor that vanishes in between is no concern of ours.
    if (event.name === 'SelectionRequest' && event.owner === window) answer(event, held).catch(() => {});
  });

  return {
    window,
    time: () => serverTime(parts),
    owner,
    onOthers: (listener) => listenForOthers(parts, others, listener),
    isOurs: async () => held !== null && (await owner()) === window,
    targets,
    fetch,
    own: (offer, mayHave = () => Promise.resolve(true), served = () => {}) => {
      const work = owning.then(() => take(offer, mayHave, served));
      owning = work.catch(() => {});
      return work;
    },
    disown: async () => {
      if ((await owner()) === window) await x.tell((done) => x.client.SetSelectionOwner(0, clipboard, 0, done));
      held = null;
    },
    ours,
    handOver: () => handOver(parts, ours),
    close: async () => {
      stop();
      held = null;
      await x.tell((done) => x.client.DestroyWindow(window, done));
    },
  };
}
