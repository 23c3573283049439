import type { XEvent, XProperty } from 'x11';
import type { XConnection } from './connection.js';
import type { SelectionData, SelectionOffer } from '../offer.js';
import { whenMissing, words } from './properties.js';

/** The selection while this program owns it. `mayRead` decides for each requesting window; `onServed` is called after each answered request. */
export interface OwnedSelection {
  offer: SelectionOffer;
  time: number;
  mayRead: (requestor: number) => Promise<boolean>;
  onServed: (request: ServedRequest) => void;
}

export interface ServedRequest {
  target: string;
  requestor: number;
  property: number;
}

const CHUNK_BYTES = 200_000;
const [REPLACE, APPEND] = [0, 2];
const META_TARGETS = ['TARGETS', 'TIMESTAMP', 'MULTIPLE'];
const WHOLE_PROPERTY = 0x1fffffff;
/** Far more targets than any program requests at once. */
const MAX_PAIRS = 1000;

/** Answers the requests of other programs for a selection that this program owns. */
export function createSelectionServer(
  x: XConnection,
  selection: number,
): (event: XEvent, now: OwnedSelection | null) => Promise<void> {
  const writeProperty = async (requestor: number, property: number, content: SelectionData): Promise<boolean> => {
    const type = await x.atom(content.type);
    let from = 0;
    do {
      // The server refuses requests over its size limit, so a long value is appended in parts.
      const part = content.data.subarray(from, from + CHUNK_BYTES);
      const mode = from === 0 ? REPLACE : APPEND;
      const sent = await x
        .send((done) => x.client.ChangeProperty(mode, requestor, property, type, content.format, part, done))
        .then(() => true, whenMissing);
      if (sent !== true) return false;
      from += CHUNK_BYTES;
    } while (from < content.data.length);
    return true;
  };

  const dataFor = async (target: string, now: OwnedSelection): Promise<SelectionData | null> => {
    if (target === 'TIMESTAMP') return { type: 'INTEGER', format: 32, data: uint32([now.time]) };
    if (target !== 'TARGETS') return now.offer.get(target) ?? null;
    const atoms = await Promise.all([...META_TARGETS, ...now.offer.keys()].map((name) => x.atom(name)));
    return { type: 'ATOM', format: 32, data: uint32(atoms) };
  };

  const answerTarget = async (
    requestor: number,
    target: number,
    property: number,
    now: OwnedSelection,
  ): Promise<boolean> => {
    const name = await x.atomName(target);
    const content = await dataFor(name, now);
    if (content === null || property === 0) return false;
    const written = await writeProperty(requestor, property, content);
    if (written) now.onServed({ target: name, requestor, property });
    return written;
  };

  /** MULTIPLE: a list of pairs of target and property. ICCCM: the property of a target that is refused becomes 0. */
  const answerMultiple = async (requestor: number, property: number, now: OwnedSelection): Promise<boolean> => {
    const list = await x
      .query<XProperty>((r) => x.client.GetProperty(0, requestor, property, 0, 0, WHOLE_PROPERTY, r))
      .catch(whenMissing);
    const atoms = words(list).slice(0, 2 * MAX_PAIRS);
    if (atoms.length < 2) return false;
    for (let at = 0; at + 1 < atoms.length; at += 2)
      if (!(await answerTarget(requestor, atoms[at] ?? 0, atoms[at + 1] ?? 0, now))) atoms[at + 1] = 0;
    return writeProperty(requestor, property, { type: 'ATOM_PAIR', format: 32, data: uint32(atoms) });
  };

  return async ({ requestor = 0, target = 0, time = 0, property: asked = 0 }, now) => {
    const property = asked === 0 ? target : asked;
    const multiple = (await x.atomName(target)) === 'MULTIPLE';
    const allowed = now !== null && (await now.mayRead(requestor));
    const served =
      allowed &&
      (await (multiple ? answerMultiple(requestor, asked, now) : answerTarget(requestor, target, property, now)));
    const reply = Buffer.alloc(32);
    reply[0] = 31;
    [time, requestor, selection, target, served ? property : 0].forEach((value, index) =>
      reply.writeUInt32LE(value >>> 0, 4 + index * 4),
    );
    await x.send((done) => x.client.SendEvent(requestor, 0, 0, reply, done)).catch(whenMissing);
  };
}

export function uint32(values: number[]): Buffer {
  const data = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => data.writeUInt32LE(value >>> 0, index * 4));
  return data;
}
