import type { XEvent, XProperty } from 'x11';
import { DesktopError } from '../../desktop.js';
import type { XConnection } from './connection.js';
import type { Form, Offer } from './offer.js';
import { whenMissing, words } from './properties.js';

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
  ours(): Offer | null;
  close(): Promise<void>;
}

export interface Served {
  target: string;
  requestor: number;
  property: number;
}

interface Held {
  offer: Offer;
  time: number;
  mayHave: (requestor: number) => Promise<boolean>;
  served: (request: Served) => void;
}

const PATIENCE = 2000;
const CHUNK = 200_000;
const LARGEST = 64 * 1024 * 1024;
const PROPERTY_CHANGE = 0x400000;
const [REPLACE, APPEND] = [0, 2];
const META_TARGETS = ['TARGETS', 'TIMESTAMP'];

export async function openSelection(x: XConnection, name = 'CLIPBOARD'): Promise<Selection> {
  const [clipboard, landing, incr, atomType, integer] = (await Promise.all(
    [name, 'CHAPERONE_SELECTION', 'INCR', 'ATOM', 'INTEGER'].map((name) => x.atom(name)),
  )) as [number, number, number, number, number];
  const window = x.client.AllocID();
  await x.tell((done) =>
    x.client.CreateWindow(window, x.root, 0, 0, 1, 1, 0, 0, 1, 0, { eventMask: PROPERTY_CHANGE }, done),
  );
  let held: Held | null = null;
  let busy: Promise<unknown> = Promise.resolve();

  const owner = (): Promise<number> => x.ask<number>((r) => x.client.GetSelectionOwner(clipboard, r));

  /** The server's time, from an empty change to a property of ours. */
  const timestamp = async (): Promise<number> => {
    const stamp = await x.atom('CHAPERONE_TIME');
    const event = expectEvent(x, (one) => one.name === 'PropertyNotify' && one.wid === window && one.atom === stamp);
    await x.tell((done) => x.client.ChangeProperty(APPEND, window, stamp, integer, 32, [], done));
    return (await event.next(AbortSignal.timeout(PATIENCE))).time ?? 0;
  };

  const take = (): Promise<XProperty> =>
    x.ask<XProperty>((r) => x.client.GetProperty(1, window, landing, 0, 0, 0x1fffffff, r));

  const pieces = async (changes: Expected, signal: AbortSignal): Promise<XProperty> => {
    const parts: Buffer[] = [];
    for (let size = 0; ;) {
      await changes.next(signal);
      const part = await take();
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
      let property = await take();
      if (property.type === incr) property = await pieces(changes, signal);
      return { type: await x.atomName(property.type), format: property.format, data: Buffer.from(property.data) };
    } finally {
      answer.stop();
      changes.stop();
    }
  };

  const fetch = (target: string, signal: AbortSignal): Promise<Form | null> => {
    const mine = held?.offer.get(target);
    if (mine !== undefined) return Promise.resolve(mine);
    const work = busy.then(() => transfer(target, signal));
    busy = work.catch(() => {});
    return work;
  };

  const targets = async (signal: AbortSignal): Promise<string[]> => {
    if (held !== null) return [...held.offer.keys()];
    if ((await owner()) === 0) return [];
    const form = await fetch('TARGETS', signal);
    if (form === null) return ['UTF8_STRING', 'STRING'];
    const property = { type: atomType, format: form.format, bytesAfter: 0, data: form.data };
    return Promise.all(words(property).map((atom) => x.atomName(atom)));
  };

  const deliver = async (requestor: number, property: number, form: Form): Promise<boolean> => {
    const type = await x.atom(form.type);
    let from = 0;
    do {
      // Larger requests than the server takes are refused, so the value grows piece by piece.
      const part = form.data.subarray(from, from + CHUNK);
      const mode = from === 0 ? REPLACE : APPEND;
      const sent = await x
        .tell((done) => x.client.ChangeProperty(mode, requestor, property, type, form.format, part, done))
        .then(() => true, whenMissing);
      if (sent !== true) return false;
      from += CHUNK;
    } while (from < form.data.length);
    return true;
  };

  const formFor = async (target: string, now: Held): Promise<Form | null> => {
    if (target === 'TIMESTAMP') return { type: 'INTEGER', format: 32, data: uint32([now.time]) };
    if (target !== 'TARGETS') return now.offer.get(target) ?? null;
    const atoms = await Promise.all([...META_TARGETS, ...now.offer.keys()].map((name) => x.atom(name)));
    return { type: 'ATOM', format: 32, data: uint32(atoms) };
  };

  const answer = async (event: XEvent): Promise<void> => {
    const { requestor = 0, target = 0, time = 0 } = event;
    const property = event.property === undefined || event.property === 0 ? target : event.property;
    const now = held;
    const name = await x.atomName(target);
    const form = now !== null && (await now.mayHave(requestor)) ? await formFor(name, now) : null;
    if (form !== null && !META_TARGETS.includes(name)) {
      const mask = { eventMask: PROPERTY_CHANGE };
      await x.tell((done) => x.client.ChangeWindowAttributes(requestor, mask, done)).catch(whenMissing);
    }
    const given = form !== null && (await deliver(requestor, property, form));
    const reply = Buffer.alloc(32);
    reply[0] = 31;
    [time, requestor, clipboard, target, given ? property : 0].forEach((value, index) =>
      reply.writeUInt32LE(value >>> 0, 4 + index * 4),
    );
    await x.tell((done) => x.client.SendEvent(requestor, 0, 0, reply, done)).catch(whenMissing);
    if (given && now !== null) now.served({ target: name, requestor, property });
  };

  const stop = x.onEvent((event) => {
    if (event.name === 'SelectionClear' && event.owner === window) held = null;
    // A requestor that vanishes in between is no concern of ours.
    if (event.name === 'SelectionRequest' && event.owner === window) answer(event).catch(() => {});
  });

  return {
    window,
    time: timestamp,
    owner,
    isOurs: async () => held !== null && (await owner()) === window,
    targets,
    fetch,
    own: async (offer, mayHave = () => Promise.resolve(true), served = () => {}) => {
      const time = await timestamp();
      held = { offer, time, mayHave, served };
      await x.tell((done) => x.client.SetSelectionOwner(window, clipboard, time, done));
      if ((await owner()) === window) return;
      held = null;
      throw new DesktopError('failed', 'Another application took the clipboard at the same moment. Try again.');
    },
    disown: async () => {
      if ((await owner()) === window) await x.tell((done) => x.client.SetSelectionOwner(0, clipboard, 0, done));
      held = null;
    },
    ours: () => held?.offer ?? null,
    close: async () => {
      stop();
      held = null;
      await x.tell((done) => x.client.DestroyWindow(window, done));
    },
  };
}

interface Expected {
  next(signal: AbortSignal): Promise<XEvent>;
  forget(): void;
  stop(): void;
}

/** Collects matching events from now on, so that none is missed between two waits. */
function expectEvent(x: XConnection, fits: (event: XEvent) => boolean): Expected {
  const queue: XEvent[] = [];
  let wake: () => void = () => {};
  const stop = x.onEvent((event) => {
    if (!fits(event)) return;
    queue.push(event);
    wake();
  });
  const next = (signal: AbortSignal): Promise<XEvent> =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        wake = () => {};
        settle();
      };
      const abort = (): void => finish(() => reject(signal.reason));
      const timer = setTimeout(
        () =>
          finish(() =>
            reject(new DesktopError('not_responding', 'The application that owns the clipboard does not answer.')),
          ),
        PATIENCE,
      );
      wake = () => {
        const event = queue.shift();
        if (event !== undefined) finish(() => resolve(event));
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      wake();
    });
  return { next, forget: () => void queue.splice(0), stop };
}

function uint32(values: number[]): Buffer {
  const data = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => data.writeUInt32LE(value >>> 0, index * 4));
  return data;
}
