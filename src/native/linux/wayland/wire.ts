/**
 * The Wayland protocol over its socket: objects, requests and events. Comes in: the path of a compositor's socket. Goes out: a connection
 * on which the other files of this folder make objects. Numbers of requests and events are those of the protocol's XML files.
 */
import { closeSync } from 'node:fs';
import { createEmitter } from '../../../base/emitter.js';
import { abortable } from '../../../base/poll.js';
import { DesktopError } from '../../desktop.js';
import { connectFdSocket } from './fd-socket.js';
import { message, verbatim, type Message } from '../../../messages/index.js';

/** A string, a whole number or object (0 for none), an array of bytes, a number with a fraction, or a descriptor. */
export type Argument = number | string | Buffer | { fixed: number } | { fd: number };
export type EventHandler = (opcode: number, event: EventReader) => void;

const DISPLAY = 1;
const HEADER_BYTES = 8;
const MAX_SIZE = 4096;
const ROUNDTRIP_MS = 5000;

/** The arguments of an event, read one after another. */
export class EventReader {
  #at = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly takeFd: () => number,
  ) {}

  uint(): number {
    return this.bytes.readUInt32LE((this.#at += 4) - 4);
  }

  int(): number {
    return this.bytes.readInt32LE((this.#at += 4) - 4);
  }

  string(): string {
    const bytes = this.array();
    return bytes.subarray(0, Math.max(0, bytes.length - 1)).toString('utf8');
  }

  array(): Buffer {
    const length = this.uint();
    const found = this.bytes.subarray(this.#at, this.#at + length);
    this.#at += Math.ceil(length / 4) * 4;
    return found;
  }

  /** The reader's to close. */
  fd(): number {
    return this.takeFd();
  }
}

export class WireConnection {
  readonly #handlers = new Map<number, EventHandler>();
  readonly #free: number[] = [];
  readonly #waiting = new Set<(why: DesktopError) => void>();
  readonly #losses = createEmitter<Message>();
  readonly #name: string;
  readonly #socket;
  #fds: number[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #next = DISPLAY + 1;
  #lost: DesktopError | null = null;

  /** Throws `lost` where nobody answers. */
  constructor(path: string) {
    this.#name = path;
    this.#handlers.set(DISPLAY, (opcode, event) => this.#ofDisplay(opcode, event));
    try {
      this.#socket = connectFdSocket(path, {
        data: (bytes, fds) => this.#read(bytes, fds),
        ended: () => this.#lose(message('display.connection_ended')),
      });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new DesktopError('lost', message('display.cannot_open_wayland', { display: path, why }));
    }
  }

  get onLost(): (listener: (reason: Message) => void) => () => void {
    return this.#losses.on;
  }

  /** A new object, named in the request that makes it. */
  newObject(handler: EventHandler = () => {}): number {
    const id = this.#free.pop() ?? this.#next++;
    this.#handlers.set(id, handler);
    return id;
  }

  /** An object that the compositor made, named in an event. */
  adopt(id: number, handler: EventHandler): void {
    this.#handlers.set(id, handler);
  }

  send(object: number, opcode: number, ...given: readonly Argument[]): void {
    if (this.#lost !== null) throw this.#lost;
    const fds = given.flatMap((one) => (typeof one === 'object' && 'fd' in one ? [one.fd] : []));
    const body = Buffer.concat(given.map(encode));
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(object, 0);
    header.writeUInt32LE((((HEADER_BYTES + body.length) << 16) | opcode) >>> 0, 4);
    this.#socket.send(Buffer.concat([header, body]), fds);
  }

  /** Resolves once the compositor has done all that was sent, and all its events are read. */
  async roundtrip(signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = this.#expectation<void>();
    const done = this.newObject(() => resolve());
    this.send(DISPLAY, 0, done);
    const timer = setTimeout(
      () => reject(new DesktopError('not_responding', message('display.compositor_silent'))),
      ROUNDTRIP_MS,
    );
    try {
      await (signal === undefined ? promise : abortable(promise, signal));
    } finally {
      clearTimeout(timer);
    }
  }

  /** A promise that is rejected where the connection is lost. */
  expect<T>(start: (resolve: (value: T) => void, reject: (error: DesktopError) => void) => void): Promise<T> {
    const { promise, resolve, reject } = this.#expectation<T>();
    start(resolve, reject);
    return promise;
  }

  close(): void {
    if (this.#lost !== null) return;
    this.#socket.close();
    this.#end(new DesktopError('lost', message('display.closed')));
  }

  #expectation<T>() {
    let settle: { resolve: (value: T) => void; reject: (why: DesktopError) => void } = {
      resolve: () => {},
      reject: () => {},
    };
    const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
    const { reject, resolve } = settle;
    if (this.#lost !== null) reject(this.#lost);
    this.#waiting.add(reject);
    const done = (): void => void this.#waiting.delete(reject);
    promise.then(done, done);
    return { promise, resolve, reject };
  }

  #lose(why: Message): void {
    if (this.#lost !== null) return;
    this.#socket.close();
    const lost = new DesktopError('lost', message('display.wayland_gone', { display: this.#name, why }));
    this.#end(lost);
    this.#losses.emit(lost.text);
  }

  #end(why: DesktopError): void {
    this.#lost = why;
    for (const reject of [...this.#waiting]) reject(why);
    this.#fds.splice(0).forEach((fd) => closeSync(fd));
    this.#handlers.clear();
  }

  #read(bytes: Buffer, fds: number[]): void {
    this.#fds.push(...fds);
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (rest.length >= HEADER_BYTES && this.#lost === null) {
      const size = rest.readUInt32LE(4) >>> 16;
      if (size < HEADER_BYTES || size > MAX_SIZE * 16) return this.#lose(message('display.malformed_event'));
      if (rest.length < size) break;
      this.#handle(rest.readUInt32LE(0), rest.readUInt32LE(4) & 0xffff, rest.subarray(HEADER_BYTES, size));
      rest = rest.subarray(size);
    }
    this.#rest = rest;
  }

  #handle(object: number, opcode: number, body: Buffer): void {
    const takeFd = (): number => {
      const fd = this.#fds.shift();
      if (fd === undefined) throw new Error('no descriptor came with it');
      return fd;
    };
    try {
      this.#handlers.get(object)?.(opcode, new EventReader(body, takeFd));
    } catch (error) {
      this.#lose(verbatim(error instanceof Error ? error.message : String(error)));
    }
  }

  #ofDisplay(opcode: number, event: EventReader): void {
    if (opcode === 1) {
      const id = event.uint();
      this.#handlers.delete(id);
      this.#free.push(id);
      return;
    }
    const [object, code] = [event.uint(), event.uint()];
    this.#lose(message('display.protocol_error', { object: `${object}`, code: `${code}`, said: event.string() }));
  }
}

function encode(given: Argument): Buffer {
  if (Buffer.isBuffer(given)) return withLength(given);
  if (typeof given === 'string') return withLength(Buffer.from(`${given}\0`));
  if (typeof given === 'object' && 'fd' in given) return Buffer.alloc(0);
  const word = Buffer.alloc(4);
  if (typeof given === 'object') word.writeInt32LE(Math.round(given.fixed * 256));
  else word.writeUInt32LE(given >>> 0);
  return word;
}

function withLength(bytes: Buffer): Buffer {
  const found = Buffer.alloc(4 + Math.ceil(bytes.length / 4) * 4);
  found.writeUInt32LE(bytes.length, 0);
  bytes.copy(found, 4);
  return found;
}

interface Global {
  name: number;
  version: number;
}

/** What the compositor offers, kept current. */
export class Registry {
  readonly #offered = new Map<string, Global[]>();
  readonly #changes = createEmitter<void>();
  readonly #id: number;

  private constructor(private readonly wire: WireConnection) {
    this.#id = wire.newObject((opcode, event) => {
      const name = event.uint();
      if (opcode === 0) this.#add(name, event.string(), event.uint());
      else
        for (const [kind, all] of this.#offered)
          this.#offered.set(
            kind,
            all.filter((one) => one.name !== name),
          );
      this.#changes.emit();
    });
    wire.send(DISPLAY, 1, this.#id);
  }

  static async read(wire: WireConnection): Promise<Registry> {
    const registry = new Registry(wire);
    await wire.roundtrip();
    return registry;
  }

  /** Called when something is offered, or no longer. */
  get onChange(): (listener: () => void) => () => void {
    return this.#changes.on;
  }

  has(kind: string): boolean {
    return this.all(kind).length > 0;
  }

  all(kind: string): readonly Global[] {
    return this.#offered.get(kind) ?? [];
  }

  /** null where it is not offered. */
  bind(
    kind: string,
    version: number,
    handler?: EventHandler,
    global = this.all(kind)[0],
  ): { id: number; version: number } | null {
    if (global === undefined) return null;
    const used = Math.min(version, global.version);
    const id = this.wire.newObject(handler);
    this.wire.send(this.#id, 0, global.name, kind, used, id);
    return { id, version: used };
  }

  #add(name: number, kind: string, version: number): void {
    this.#offered.set(kind, [...this.all(kind), { name, version }]);
  }
}
