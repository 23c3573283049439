import type { XProperty } from 'x11';
import type { Emitter } from '../../../base/emitter.js';
import { DesktopError } from '../../desktop.js';
import { uint32 } from './answering.js';
import type { XConnection } from './connection.js';
import { type Expected, expectEvent } from './expecting.js';
import type { Form, Offer } from './offer.js';

/** The connection, the window that owns the selection, and the atoms that transfers need. */
export interface SelectionParts {
  x: XConnection;
  window: number;
  clipboard: number;
  landing: number;
  incr: number;
  atomType: number;
  integer: number;
}

const PATIENCE = 2000;
const HAND_OVER = 1000;
const LARGEST = 64 * 1024 * 1024;
const PROPERTY_CHANGE = 0x400000;
const [REPLACE, APPEND] = [0, 2];

export async function openParts(x: XConnection, name: string): Promise<SelectionParts> {
  const [clipboard, landing, incr, atomType, integer] = (await Promise.all(
    [name, 'CHAPERONE_SELECTION', 'INCR', 'ATOM', 'INTEGER'].map((name) => x.atom(name)),
  )) as [number, number, number, number, number];
  const window = x.client.AllocID();
  await x.tell((done) =>
    x.client.CreateWindow(window, x.root, 0, 0, 1, 1, 0, 0, 1, 0, { eventMask: PROPERTY_CHANGE }, done),
  );
  return { x, window, clipboard, landing, incr, atomType, integer };
}

/** The server's time, from an empty change to a property of ours. */
export async function serverTime({ x, window, integer }: SelectionParts): Promise<number> {
  const stamp = await x.atom('CHAPERONE_TIME');
  const event = expectEvent(x, (one) => one.name === 'PropertyNotify' && one.wid === window && one.atom === stamp);
  await x.tell((done) => x.client.ChangeProperty(APPEND, window, stamp, integer, 32, [], done));
  return (await event.next(AbortSignal.timeout(PATIENCE))).time ?? 0;
}

const landed = ({ x, window, landing }: SelectionParts): Promise<XProperty> =>
  x.ask<XProperty>((r) => x.client.GetProperty(1, window, landing, 0, 0, 0x1fffffff, r));

async function pieces(parts: SelectionParts, changes: Expected, signal: AbortSignal): Promise<XProperty> {
  const read: Buffer[] = [];
  for (let size = 0; ;) {
    await changes.next(signal);
    const part = await landed(parts);
    if (part.data.length === 0) return { ...part, data: Buffer.concat(read) };
    read.push(part.data);
    size += part.data.length;
    if (size > LARGEST) throw new DesktopError('failed', 'The clipboard holds more than 64 MiB, which is not read.');
  }
}

/** null where the owner refuses. */
export async function transfer(parts: SelectionParts, target: string, signal: AbortSignal): Promise<Form | null> {
  const { x, window, clipboard, landing, incr } = parts;
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
    const time = await serverTime(parts);
    await x.tell((done) => x.client.ConvertSelection(window, clipboard, wanted, landing, time, done));
    if ((await answer.next(signal)).property !== landing) return null;
    changes.forget();
    let property = await landed(parts);
    if (property.type === incr) property = await pieces(parts, changes, signal);
    return { type: await x.atomName(property.type), format: property.format, data: Buffer.from(property.data) };
  } finally {
    answer.stop();
    changes.stop();
  }
}

export async function listenForOthers(
  { x, window, clipboard }: SelectionParts,
  others: Emitter<void>,
  listener: () => void,
): Promise<boolean> {
  const fixes = await x.extension('fixes');
  if (fixes === null) return false;
  const masks = fixes.SelectionEventMask;
  const all = masks.SetSelectionOwner | masks.SelectionWindowDestroy | masks.SelectionClientClose;
  fixes.SelectSelectionInput(window, clipboard, all);
  others.on(listener);
  await x.sync();
  return true;
}

export async function handOver(parts: SelectionParts, ours: () => Promise<Offer | null>): Promise<void> {
  const { x, window, landing, atomType } = parts;
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
    const time = await serverTime(parts);
    await x.tell((done) => x.client.ConvertSelection(window, manager, save, landing, time, done));
    await kept.next(AbortSignal.timeout(HAND_OVER));
  } finally {
    kept.stop();
  }
}
