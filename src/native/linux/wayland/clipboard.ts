/** The clipboard, through zwlr_data_control. Comes in: contents. Goes out: what is on offer, and notice of what other programs copy. */
import { createEmitter } from '../../../base/emitter.js';
import { type ClipboardContent, type ClipboardReading, DesktopError, type PasteResult } from '../../desktop.js';
import type { Clipboard } from '../display-server.js';
import {
  CONCEALED,
  fromOffer,
  isConcealed,
  otherTargets,
  type SelectionData,
  toOffer,
  usefulTargets,
  type SelectionOffer,
} from '../offer.js';
import { openPipe, readAllFrom, writeAllTo } from './fd-socket.js';
import type { EventReader, WireConnection } from './wire.js';
import { message } from '../../../messages/index.js';

export const DATA_CONTROL = 'zwlr_data_control_manager_v1';
const DEVICE_EVENT = { offer: 0, selection: 1, finished: 2, primary: 3 };
const SOURCE_EVENT = { send: 0, cancelled: 1 };
const [SET_SELECTION, DESTROY_OFFER] = [0, 1];
const MAX_BYTES = 64 * 1024 * 1024;
const READ_TIMEOUT_MS = 5000;

interface Offer {
  id: number;
  types: string[];
}

interface Source {
  id: number;
  offer: SelectionOffer;
}

export class DataControlClipboard implements Clipboard {
  readonly #wire: WireConnection;
  readonly #manager: number;
  readonly #device: number;
  readonly #offers = new Map<number, Offer>();
  readonly #changes = createEmitter<ClipboardContent | null>();
  #current: Offer | null = null;
  #own: Source | null = null;
  /** Each of our own sources is told as a selection, too. */
  #expected = 0;
  #begun = false;

  constructor(wire: WireConnection, manager: number, seat: number) {
    this.#wire = wire;
    this.#manager = manager;
    this.#device = wire.newObject((opcode, event) => this.#heard(opcode, event));
    wire.send(manager, 1, this.#device, seat);
    // What is on it already is told at once, and is no change.
    wire.roundtrip().then(
      () => (this.#begun = true),
      () => {},
    );
  }

  get onChange(): Clipboard['onChange'] {
    return this.#changes.on;
  }

  async read(given: AbortSignal): Promise<ClipboardReading> {
    await this.#wire.roundtrip(given);
    if (this.#own !== null) return readingOf(this.#own.offer, [...this.#own.offer.keys()]);
    const current = this.#current;
    if (current === null) return {};
    const signal = AbortSignal.any([given, AbortSignal.timeout(READ_TIMEOUT_MS)]);
    const fetch = (type: string) => this.#fetch(current, type, signal);
    try {
      if (current.types.includes(CONCEALED) && isConcealed(await fetch(CONCEALED))) return { concealed: true };
      const offer = new Map<string, SelectionData>();
      for (const type of usefulTargets(current.types)) {
        const content = await fetch(type);
        if (content !== null) offer.set(type, content);
      }
      return readingOf(offer, current.types);
    } catch (error) {
      given.throwIfAborted();
      if (error instanceof DesktopError) throw error;
      throw new DesktopError('not_responding', message('native.clipboard_owner_silent'));
    }
  }

  async write(content: ClipboardContent): Promise<void> {
    const offer = toOffer(content);
    this.#expected += 1;
    if (offer.size === 0) this.#wire.send(this.#device, SET_SELECTION, 0);
    else this.#wire.send(this.#device, SET_SELECTION, this.#sourceOf(offer));
    await this.#wire.roundtrip();
    this.#changes.emit(content);
  }

  /** Whoever has the focus may read what is copied, and every clipboard manager does: it cannot be lent to one process only. */
  paste(): Promise<PasteResult> {
    return Promise.reject(new DesktopError('unsupported', message('native.no_bound_paste')));
  }

  close(): void {
    this.#changes.clear();
  }

  #sourceOf(offer: SelectionOffer): number {
    const source: Source = { id: 0, offer };
    source.id = this.#wire.newObject((opcode, event) => {
      if (opcode === SOURCE_EVENT.send) {
        const type = event.string();
        writeAllTo(event.fd(), offer.get(type)?.data ?? Buffer.alloc(0));
      }
      if (opcode !== SOURCE_EVENT.cancelled) return;
      this.#wire.send(source.id, 1);
      if (this.#own === source) this.#own = null;
    });
    this.#wire.send(this.#manager, 0, source.id);
    for (const type of offer.keys()) this.#wire.send(source.id, 0, type);
    this.#own = source;
    return source.id;
  }

  async #fetch({ id }: Offer, type: string, signal: AbortSignal): Promise<SelectionData | null> {
    const { from, to } = openPipe();
    this.#wire.send(id, 0, type, { fd: to });
    const data = await readAllFrom(from, MAX_BYTES, signal);
    return data === null ? null : { type, format: 8, data };
  }

  #heard(opcode: number, event: EventReader): void {
    if (opcode === DEVICE_EVENT.offer) {
      const offer: Offer = { id: event.uint(), types: [] };
      this.#offers.set(offer.id, offer);
      this.#wire.adopt(offer.id, (_, told) => void offer.types.push(told.string()));
    }
    if (opcode === DEVICE_EVENT.selection) this.#selected(event.uint());
    if (opcode === DEVICE_EVENT.primary) this.#drop(event.uint());
  }

  #selected(id: number): void {
    const before = this.#current;
    this.#current = this.#offers.get(id) ?? null;
    if (before !== null && before.id !== id) this.#drop(before.id);
    const isOurs = this.#expected > 0;
    if (isOurs) this.#expected -= 1;
    else this.#own = null;
    if (!isOurs && this.#begun) this.#changes.emit(null);
  }

  #drop(id: number): void {
    if (!this.#offers.delete(id)) return;
    this.#wire.send(id, DESTROY_OFFER);
  }
}

function readingOf(offer: SelectionOffer, types: readonly string[]): ClipboardReading {
  if (offer.has(CONCEALED) && isConcealed(offer.get(CONCEALED) ?? null)) return { concealed: true };
  const others = otherTargets(types);
  return { ...fromOffer(offer), ...(others.length === 0 ? {} : { others }) };
}
