import type { XProperty } from 'x11';
import { createEmitter } from '../../../base/emitter.js';
import { DesktopError } from '../../desktop.js';
import type { XConnection } from './connection.js';
import { type Held, openAnswers, type Served, uint32 } from './answering.js';
import { type Expected, expectEvent } from './expecting.js';
import type { Form, Offer } from './offer.js';
import { words } from './properties.js';

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

const PATIENCE = 2000;
const HAND_OVER = 1000;
const LARGEST = 64 * 1024 * 1024;
const PROPERTY_CHANGE = 0x400000;
const [REPLACE, APPEND] = [0, 2];

export async function openSelection(x: XConnection, name = 'CLIPBOARD'): Promise<Selection> {
  const [clipboard, landing, incr, atomType, integer] = (await Promise.all(
    [name, 'CHAPERONE_SELECTION', 'INCR', 'ATOM', 'INTEGER'].map((name) => x.atom(name)),
  )) as [number, number, number, number, number];
  const window = x.client.AllocID();
  await x.tell((done) =>
    x.client.CreateWindow(window, x.root, 0, 0, 1, 1, 0, 0, 1, 0, { eventMask: PROPERTY_CHANGE }, done),
  );
  const answer = openAnswers(x, clipboard);
  let held: Held | null = null;
  let busy: Promise<unknown> = Promise.resolve();
  let owning: Promise<unknown> = Promise.resolve();
  const others = createEmitter<void>();

  const owner = (): Promise<number> => x.ask<number>((r) => x.client.GetSelectionOwner(clipboard, r));
  const ours = async (): Promise<Offer | null> => ((await owner()) === window ? (held?.offer ?? null) : null);

  /** The server's time, from an empty change to a property of ours. */
  const timestamp = async (): Promise<number> => {
    const stamp = await x.atom('CHAPERONE_TIME');
    const event = expectEvent(x, (one) => one.name === 'PropertyNotify' && one.wid === window && one.atom === stamp);
    await x.tell((done) => x.client.ChangeProperty(APPEND, window, stamp, integer, 32, [], done));
    return (await event.next(AbortSignal.timeout(PATIENCE))).time ?? 0;
  };

  const landed = (): Promise<XProperty> =>
    x.ask<XProperty>((r) => x.client.GetProperty(1, window, landing, 0, 0, 0x1fffffff, r));

  const pieces = async (changes: Expected, signal: AbortSignal): Promise<XProperty> => {
    const parts: Buffer[] = [];
    for (let size = 0; ;) {
      await changes.next(signal);
      const part = await landed();
      if (part.data.length === 0) return { ...part, data: Buffer.concat(parts) };
      parts.push(part.data);
      size += part.data.length;
      if (size > LARGEST) throw new DesktopError('failed', 'The clipboard holds more than 64 MiB, which is not read.');
    }
  };

  const transfer = async (target: string, signal: AbortSignal): Promise<Form | null> => {
    const wanted = await x.atom(target);
    const answer = expectEvent(
      x,
      (event) => event.name === 'SelectionNotify' && event.requestor === window && event.target === wanted,
    );
    const changes = expectEvent(
      x,
      (event) => event.name === 'PropertyNotify' && event.wid === window && event.atom === landing && event.state === 0,
    );
    try {
      const time = await timestamp();
      await x.tell((done) => x.client.ConvertSelection(window, clipboard, wanted, landing, time, done));
      if ((await answer.next(signal)).property !== landing) return null;
      changes.forget();
      let property = await landed();
      if (property.type === incr) property = await pieces(changes, signal);
      return { type: await x.atomName(property.type), format: property.format, data: Buffer.from(property.data) };
    } finally {
      answer.stop();
      changes.stop();
    }
  };

  const fetch = async (target: string, signal: AbortSignal): Promise<Form | null> => {
    const mine = await ours();
    if (mine !== null) return mine.get(target) ?? null;
    const work = busy.then(() => transfer(target, signal));
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
    const time = await timestamp();
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

  const onOthers = async (listener: () => void): Promise<boolean> => {
    const fixes = await x.extension('fixes');
    if (fixes === null) return false;
    const masks = fixes.SelectionEventMask;
    const all = masks.SetSelectionOwner | masks.SelectionWindowDestroy | masks.SelectionClientClose;
    fixes.SelectSelectionInput(window, clipboard, all);
    others.on(listener);
    await x.sync();
    return true;
  };

  const handOver = async (): Promise<void> => {
    const [manager, save] = await Promise.all([x.atom('CLIPBOARD_MANAGER'), x.atom('SAVE_TARGETS')]);
    if ((await x.ask<number>((r) => x.client.GetSelectionOwner(manager, r))) === 0) return;
    const kept = expectEvent(
      x,
      (event) => event.name === 'SelectionNotify' && event.requestor === window && event.target === save,
    );
    try {
      const names = [...((await ours())?.keys() ?? [])];
      const wanted = uint32(await Promise.all(names.map((target) => x.atom(target))));
      await x.tell((done) => x.client.ChangeProperty(REPLACE, window, landing, atomType, 32, wanted, done));
      const time = await timestamp();
      await x.tell((done) => x.client.ConvertSelection(window, manager, save, landing, time, done));
      await kept.next(AbortSignal.timeout(HAND_OVER));
    } finally {
      kept.stop();
    }
  };

  return {
    window,
    time: timestamp,
    owner,
    onOthers,
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
    handOver,
    close: async () => {
      stop();
      held = null;
      await x.tell((done) => x.client.DestroyWindow(window, done));
    },
  };
}
