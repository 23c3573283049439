/** The socket by which sway tells of its windows and takes commands, see sway-ipc(7). Comes in: commands. Goes out: answers and events. */
import { connect, type Socket } from 'node:net';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createEmitter } from '../../../base/emitter.js';
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';

const MAGIC = Buffer.from('i3-ipc');
const HEADER_BYTES = MAGIC.length + 8;
const MAX_BYTES = 64 * 1024 * 1024;
const TYPE = { command: 0, subscribe: 2, outputs: 3, tree: 4, version: 7, seats: 101 };
const EVENT_BIT = 0x8000_0000;
const ANSWER_MS = 5000;

type Environment = Readonly<Record<string, string | undefined>>;

/** The socket of the session; null where there is none, or it cannot be told which one. */
export async function swaySocket(env: Environment): Promise<string | null> {
  const named = env['SWAYSOCK'];
  if (named !== undefined && named !== '') return named;
  const folder = env['XDG_RUNTIME_DIR'] ?? '';
  const names = await readdir(folder).catch(() => []);
  const found = names.filter((name) => /^sway-ipc\..*\.sock$/.test(name));
  return found.length === 1 && found[0] !== undefined ? join(folder, found[0]) : null;
}

export class SwayIpc {
  readonly #socket: Socket;
  readonly #waiting: { resolve: (answer: unknown) => void; reject: (why: DesktopError) => void }[] = [];
  readonly #events = createEmitter<void>();
  readonly #losses = createEmitter<void>();
  #rest: Buffer = Buffer.alloc(0);
  #ended = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#read(bytes));
    socket.on('error', () => this.#end());
    socket.on('close', () => this.#end());
  }

  /** Rejects with `lost` where nobody answers there. */
  static open(path: string): Promise<SwayIpc> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      socket.once('error', (error) =>
        reject(new DesktopError('lost', message('display.cannot_open_wayland', { display: path, why: error.message }))),
      );
      socket.once('connect', () => resolve(new SwayIpc(socket)));
    });
  }

  get onEvent(): (listener: () => void) => () => void {
    return this.#events.on;
  }

  get onLost(): (listener: () => void) => () => void {
    return this.#losses.on;
  }

  tree = (): Promise<unknown> => this.#ask(TYPE.tree, '');
  outputs = (): Promise<unknown> => this.#ask(TYPE.outputs, '');
  version = (): Promise<unknown> => this.#ask(TYPE.version, '');
  seats = (): Promise<unknown> => this.#ask(TYPE.seats, '');
  subscribe = (names: readonly string[]): Promise<unknown> => this.#ask(TYPE.subscribe, JSON.stringify(names));

  /** Rejects with `failed` and sway's reason where it does not do it. */
  async run(command: string): Promise<void> {
    const results = await this.#ask(TYPE.command, command);
    const failed = Array.isArray(results) ? results.find((one: unknown) => !isSuccess(one)) : results;
    if (failed === undefined) return;
    const why = typeof failed === 'object' && failed !== null && 'error' in failed ? String(failed.error) : '';
    throw new DesktopError('failed', message('native.request_refused', { why }));
  }

  close(): void {
    this.#losses.clear();
    this.#events.clear();
    this.#socket.destroy();
    this.#end();
  }

  #ask(type: number, payload: string): Promise<unknown> {
    if (this.#ended) return Promise.reject(gone());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new DesktopError('not_responding', message('display.compositor_silent')));
        // Later answers would be taken for those of other questions.
        this.#socket.destroy();
      }, ANSWER_MS);
      const settle =
        <T>(done: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(timer);
          done(value);
        };
      this.#waiting.push({ resolve: settle(resolve), reject: settle(reject) });
      this.#socket.write(frame(type, Buffer.from(payload)));
    });
  }

  #read(bytes: Buffer): void {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (rest.length >= HEADER_BYTES) {
      const length = rest.readUInt32LE(MAGIC.length);
      if (length > MAX_BYTES || !rest.subarray(0, MAGIC.length).equals(MAGIC)) return void this.#socket.destroy();
      if (rest.length < HEADER_BYTES + length) break;
      const type = rest.readUInt32LE(MAGIC.length + 4);
      const body = rest.subarray(HEADER_BYTES, HEADER_BYTES + length).toString('utf8');
      rest = rest.subarray(HEADER_BYTES + length);
      if (type >= EVENT_BIT) this.#events.emit();
      else this.#answer(body);
    }
    this.#rest = rest;
  }

  #answer(body: string): void {
    const next = this.#waiting.shift();
    try {
      next?.resolve(JSON.parse(body));
    } catch {
      next?.reject(new DesktopError('failed', message('display.compositor_silent')));
    }
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const { reject } of this.#waiting.splice(0)) reject(gone());
    this.#losses.emit();
  }
}

const gone = (): DesktopError =>
  new DesktopError(
    'lost',
    message('display.wayland_gone', { display: 'sway', why: message('display.connection_ended') }),
  );

const isSuccess = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'success' in result && result.success === true;

function frame(type: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(payload.length, 0);
  header.writeUInt32LE(type, 4);
  return Buffer.concat([MAGIC, header, payload]);
}
