import type { XEvent, XProperty } from 'x11';
import type { XConnection } from './connection.js';
import type { Form, Offer } from './offer.js';
import { whenMissing, words } from './properties.js';

/** What is offered now. `mayHave` decides per asking window; `served` hears what was handed over. */
export interface Held {
  offer: Offer;
  time: number;
  mayHave: (requestor: number) => Promise<boolean>;
  served: (request: Served) => void;
}

export interface Served {
  target: string;
  requestor: number;
  property: number;
}

const CHUNK = 200_000;
const PROPERTY_CHANGE = 0x400000;
const [REPLACE, APPEND] = [0, 2];
const META_TARGETS = ['TARGETS', 'TIMESTAMP', 'MULTIPLE'];
const WHOLE = 0x1fffffff;
/** Far more forms than anybody offers. */
const MOST_PAIRS = 1000;

/** Answers what other programs ask of a selection that is ours. */
export function openAnswers(x: XConnection, selection: number): (event: XEvent, now: Held | null) => Promise<void> {
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

  const give = async (requestor: number, target: number, property: number, now: Held): Promise<boolean> => {
    const name = await x.atomName(target);
    const form = await formFor(name, now);
    if (form === null || property === 0) return false;
    if (!META_TARGETS.includes(name)) {
      const mask = { eventMask: PROPERTY_CHANGE };
      await x.tell((done) => x.client.ChangeWindowAttributes(requestor, mask, done)).catch(whenMissing);
    }
    const given = await deliver(requestor, property, form);
    if (given) now.served({ target: name, requestor, property });
    return given;
  };

  /** A list of pairs, target and property; the property of one that cannot be given becomes 0. */
  const giveEach = async (requestor: number, property: number, now: Held): Promise<boolean> => {
    const list = await x
      .ask<XProperty>((r) => x.client.GetProperty(0, requestor, property, 0, 0, WHOLE, r))
      .catch(whenMissing);
    const atoms = words(list).slice(0, 2 * MOST_PAIRS);
    if (atoms.length < 2) return false;
    for (let at = 0; at + 1 < atoms.length; at += 2)
      if (!(await give(requestor, atoms[at] ?? 0, atoms[at + 1] ?? 0, now))) atoms[at + 1] = 0;
    return deliver(requestor, property, { type: 'ATOM_PAIR', format: 32, data: uint32(atoms) });
  };

  return async ({ requestor = 0, target = 0, time = 0, property: asked = 0 }, now) => {
    const property = asked === 0 ? target : asked;
    const many = (await x.atomName(target)) === 'MULTIPLE';
    const may = now !== null && (await now.mayHave(requestor));
    const given = may && (await (many ? giveEach(requestor, asked, now) : give(requestor, target, property, now)));
    const reply = Buffer.alloc(32);
    reply[0] = 31;
    [time, requestor, selection, target, given ? property : 0].forEach((value, index) =>
      reply.writeUInt32LE(value >>> 0, 4 + index * 4),
    );
    await x.tell((done) => x.client.SendEvent(requestor, 0, 0, reply, done)).catch(whenMissing);
  };
}

export function uint32(values: number[]): Buffer {
  const data = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => data.writeUInt32LE(value >>> 0, index * 4));
  return data;
}
