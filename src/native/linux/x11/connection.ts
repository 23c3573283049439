/**
 * One X connection. Comes in: a display name. Goes out: requests as promises, events, and notice when it is lost.
 * Called by every other file of this folder.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import x11, {
  type XClient,
  type XDisplay,
  type XDone,
  type XEvent,
  type XExtensions,
  type XProtocolError,
  type XReply,
  type XScreen,
  type XProperty,
} from 'x11';
import { createEmitter } from '../../../base/emitter.js';
import { DesktopError } from '../../desktop.js';
import { message, verbatim, type Message } from '../../../messages/index.js';
import { decodeText } from '../encoded-text.js';

export interface XConnection {
  readonly client: XClient;
  readonly display: XDisplay;
  readonly screen: XScreen;
  readonly root: number;
  /** Sends a request that has a reply. Rejects with the X error, or with `lost`. */
  query<T>(start: (reply: XReply<T>) => void): Promise<T>;
  /** Sends a request that has no reply; resolves once the server has carried it out. */
  send(start: (done: XDone) => void): Promise<void>;
  /** Resolves when the server has done everything sent before. */
  sync(): Promise<void>;
  atom(name: string): Promise<number>;
  atomName(atom: number): Promise<string>;
  /** null where the server lacks the extension. */
  extension<K extends keyof XExtensions>(name: K): Promise<XExtensions[K] | null>;
  onEvent(listener: (event: XEvent) => void): () => void;
  onLost(listener: (reason: Message) => void): () => void;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5000;
const DISCONNECT_TIMEOUT_MS = 1000;

/** Rejects with `lost` when the display does not answer, `permission` when it refuses us. */
export async function connectX(display: string, auth: Cookie, log: (message: string) => void): Promise<XConnection> {
  const { client, info } = await open(display, auth);
  const screen = screenOf(client, info, display);

  const pending = new Set<(error: Error) => void>();
  const lossEmitter = createEmitter<Message>();
  const events = createEmitter<XEvent>();
  const atoms = new Map<string, Promise<number>>();
  const names = new Map<number, Promise<string>>();
  const extensions = new Map<string, Promise<unknown>>();
  let lost: DesktopError | null = null;
  let closing = false;
  let resolveClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));

  const lose = (why: Message): void => {
    resolveClosed();
    if (lost !== null) return;
    lost = new DesktopError('lost', message('display.gone', { display, why }));
    for (const reject of pending) reject(lost);
    pending.clear();
    if (!closing) lossEmitter.emit(lost.text);
  };
  listenForLoss(client, lose, log);
  client.on('event', events.emit);

  const { sendSoon, confirmSoon } = sendTogether(client, () => lost === null && !closing);

  const request = <T>(start: (settle: (error: Error | null | undefined, value: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      if (lost !== null) return reject(lost);
      pending.add(reject);
      try {
        start((error, value) => {
          pending.delete(reject);
          if (error) reject(error);
          else resolve(value);
        });
      } catch (error) {
        pending.delete(reject);
        reject(lost ?? error);
      }
    });
  const query = <T>(start: (reply: XReply<T>) => void): Promise<T> =>
    request<T>((settle) => {
      start((error, value) => {
        settle(error, value);
        return true;
      });
      sendSoon();
    });
  const send = (start: (done: XDone) => void): Promise<void> =>
    request<void>((settle) => {
      start((error) => {
        settle(error, undefined);
        return true;
      });
      confirmSoon();
    });
  return {
    client,
    display: info,
    screen,
    root: screen.root,
    query,
    send,
    sync: async () => void (await query<{ focus: number }>((reply) => client.GetInputFocus(reply))),
    atom: (name) => cached(atoms, name, () => query((reply) => client.InternAtom(false, name, reply))),
    atomName: (atom) => cached(names, atom, () => query((reply) => client.GetAtomName(atom, reply))),
    extension: <K extends keyof XExtensions>(name: K) =>
      cached(extensions, name, () =>
        request<XExtensions[K] | null>((settle) =>
          client.require(name, (error, ext) => settle(null, error ? null : ext)),
        ),
      ) as Promise<XExtensions[K] | null>,
    onEvent: events.on,
    onLost: lossEmitter.on,
    close: async () => {
      closing = true;
      if (lost !== null) return;
      client.terminate();
      // A server that is stopped never confirms the end.
      const force = setTimeout(() => client.stream.destroy(), DISCONNECT_TIMEOUT_MS);
      await closed;
      clearTimeout(force);
    },
  };
}

/**
 * Requests of the same moment leave in one write, before anything else is heard: each write wakes the server. `confirmSoon` is for a
 * request without a reply: it is known to be done once the reply to a later one is there.
 */
function sendTogether(client: XClient, isOpen: () => boolean): { sendSoon(): void; confirmSoon(): void } {
  let scheduled = false;
  let unconfirmed = false;
  const flush = (): void => {
    scheduled = false;
    if (!isOpen()) return;
    if (unconfirmed) client.GetInputFocus(() => true);
    unconfirmed = false;
    client.pack_stream.flush();
  };
  const schedule = (): void => {
    if (!scheduled) process.nextTick(flush);
    scheduled = true;
  };
  return {
    sendSoon() {
      unconfirmed = false;
      schedule();
    },
    confirmSoon() {
      unconfirmed = true;
      schedule();
    },
  };
}

function screenOf(client: XClient, info: XDisplay, display: string): XScreen {
  const screen = info.screen[Number(/\.(\d+)$/.exec(display)?.[1] ?? 0)];
  if (screen !== undefined) return screen;
  client.terminate();
  throw new DesktopError('unsupported', message('native.no_such_screen', { display }));
}

function listenForLoss(client: XClient, lose: (why: Message) => void, log: (message: string) => void): void {
  client.on('end', () => lose(message('display.server_closed')));
  client.stream.on('close', () => lose(message('display.connection_ended')));
  client.on('error', (error: XProtocolError) => {
    if (error.error === undefined) lose(verbatim(error.message));
    else log(`X error ${error.message} (request ${error.majorOpcode ?? '?'})`);
  });
}

function cached<K, V>(map: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  made.catch(() => map.delete(key));
  return made;
}

function open(display: string, auth: Cookie): Promise<{ client: XClient; info: XDisplay }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(timer);
      // A server that refuses closes the connection, often before its reason has been read.
      const refused = /authori[sz]ation|protocol specified|EPIPE|ECONNRESET|before setup/i.test(error.message);
      reject(
        new DesktopError(
          refused ? 'permission' : 'lost',
          message('display.cannot_open', { display, why: error.message.trim() }),
        ),
      );
    };
    const timer = setTimeout(() => {
      client.stream?.destroy();
      fail(new Error('it did not answer'));
    }, CONNECT_TIMEOUT_MS);
    const client = x11.createClient({ display, auth, bufferRequests: { flushOnReply: false } }, (error, info) => {
      if (error) return fail(error);
      clearTimeout(timer);
      // The library keeps one table of atoms for all connections, but atom numbers differ between servers.
      client.atoms = Object.create(null);
      client.atom_names = Object.create(null);
      client.removeListener('error', fail);
      resolve({ client, info });
    });
    client.on('error', fail);
  });
}

/** A cookie as node-x11 takes it: both as latin1 strings. */
interface Cookie {
  name: string;
  data: string;
}

const NO_COOKIE: Cookie = { name: '', data: '' };
const FAMILY_WILD = 65535;
const FAMILY_LOCAL = 256;
const COOKIE_NAME = 'MIT-MAGIC-COOKIE-1';

interface Entry {
  family: number;
  address: string;
  number: string;
  name: string;
  data: string;
}

/** The cookie for `display` from the Xauthority file that `env` names, or an empty one: some servers want none. */
export async function readCookie(display: string, env: Record<string, string | undefined>): Promise<Cookie> {
  const path = env['XAUTHORITY'] ?? join(env['HOME'] ?? '/', '.Xauthority');
  const content = await readFile(path).catch(() => null);
  if (content === null) return NO_COOKIE;
  const wanted = /:(\d+)/.exec(display)?.[1] ?? '0';
  const fits = (entry: Entry): boolean =>
    entry.name === COOKIE_NAME &&
    (entry.number === '' || entry.number === wanted) &&
    (entry.family === FAMILY_WILD || (entry.family === FAMILY_LOCAL && entry.address === hostname()));
  const entry = entries(content).find(fits);
  return entry === undefined ? NO_COOKIE : { name: entry.name, data: entry.data };
}

function entries(content: Buffer): Entry[] {
  const found: Entry[] = [];
  let at = 0;
  const text = (): string => {
    const length = content.readUInt16BE(at);
    const value = content.toString('latin1', at + 2, at + 2 + length);
    at += 2 + length;
    return value;
  };
  try {
    while (at < content.length) {
      const family = content.readUInt16BE(at);
      at += 2;
      found.push({ family, address: text(), number: text(), name: text(), data: text() });
    }
  } catch (error) {
    // A cut file still gives the entries before the cut.
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

/** Writes a file with one cookie for any address and any display number, readable by its owner only. */
export async function writeCookieFile(path: string, secret: Buffer): Promise<void> {
  const counted = (value: Buffer): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(value.length);
    return Buffer.concat([length, value]);
  };
  const family = Buffer.from([0xff, 0xff]);
  const empty = counted(Buffer.alloc(0));
  const content = Buffer.concat([family, empty, empty, counted(Buffer.from(COOKIE_NAME)), counted(secret)]);
  await writeFile(path, content, { mode: 0o600, flag: 'wx' });
}

/** Names of the X protocol for what a connection asks events of. */
export const {
  PropertyChange: PROPERTY_CHANGE,
  StructureNotify: STRUCTURE_NOTIFY,
  SubstructureNotify: SUBSTRUCTURE_NOTIFY,
  SubstructureRedirect: SUBSTRUCTURE_REDIRECT,
} = x11.eventMask;

const ANY_TYPE = 0;
const WHOLE_PROPERTY = 0x1fffffff;
/** In units of four bytes. A program may give its window a title of megabytes. */
const MAX_TEXT_WORDS = 1024;

/** Property reads of other clients' windows: a missing window or property is null, never an error. */
export type Properties = ReturnType<typeof readProperties>;

export function readProperties(x: XConnection) {
  const read = async (window: number, name: string, maxWords: number): Promise<XProperty | null> => {
    const atom = await x.atom(name);
    const property = await x
      .query<XProperty>((reply) => x.client.GetProperty(0, window, atom, ANY_TYPE, 0, maxWords, reply))
      .catch(whenMissing);
    return property === null || property.type === 0 ? null : property;
  };
  const raw = (window: number, name: string): Promise<XProperty | null> => read(window, name, WHOLE_PROPERTY);
  return {
    raw,
    /** 32-bit values: cardinals, windows or atoms. */
    numbers: async (window: number, name: string): Promise<number[]> => words(await raw(window, name)),
    /** The first 4 KB of it. */
    text: async (window: number, name: string): Promise<string | null> => {
      const property = await read(window, name, MAX_TEXT_WORDS);
      if (property === null) return null;
      return decodeText(await x.atomName(property.type), property.data);
    },
  };
}

export function words(property: XProperty | null): number[] {
  if (property === null || property.format !== 32) return [];
  const values: number[] = [];
  for (let at = 0; at + 4 <= property.data.length; at += 4) values.push(property.data.readUInt32LE(at));
  return values;
}

/** For `catch`: null for the X errors of a window or drawable that is gone; other errors are thrown again. */
export function whenMissing(error: unknown): null {
  if (error instanceof Error && 'error' in error && typeof error.error === 'number') return null;
  throw error;
}
