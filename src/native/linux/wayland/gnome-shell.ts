/** Chaperone's extension in GNOME Shell, over the session bus. Comes in: calls. Goes out: what it answers, and notice of changes. */
import { createClient, type Message as BusMessage, type MessageBus } from 'dbus-native';
import { createEmitter } from '../../../base/emitter.js';
import { errno } from '../../../base/type-guards.js';
import { message, textOf, type Message } from '../../../messages/index.js';
import { DesktopError, type DesktopErrorCode, type Point } from '../../desktop.js';

const SHELL = 'org.gnome.Shell';
const EXTENSION = { destination: SHELL, path: '/dev/chaperone/Desktop', interface: 'dev.chaperone.Desktop' };
const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' };
const ERROR = 'dev.chaperone.Error.';
const CALL_MS = 10_000;
const SIGNAL = 4;

/** Of the calls below, as the extension counts it too. */
const PROTOCOL = 1;

type Argument = string | number | boolean | Uint8Array;

export class GnomeShell {
  readonly #bus: MessageBus;
  readonly #losses = createEmitter<Message>();
  readonly #changes = createEmitter<void>();
  readonly #copies = createEmitter<void>();
  readonly #moves = createEmitter<Point>();
  #closed = false;

  private constructor(bus: MessageBus) {
    this.#bus = bus;
    bus.connection.on('message', (one) => this.#heard(one));
    bus.connection.on('error', (error) => this.#lost(error.message));
    bus.connection.on('close', () => this.#lost(message('display.connection_ended')));
  }

  /** Rejects with `unsupported` and what to do where the extension is not there, or serves another program. */
  static async open(busAddress: string): Promise<{ shell: GnomeShell; version: string }> {
    const shell = new GnomeShell(createClient({ busAddress, timeout: CALL_MS }));
    try {
      await shell.#bus.addMatch(`type='signal',sender='${BUS.destination}',member='NameOwnerChanged',arg0='${SHELL}'`);
      return { shell, version: await shell.#begin() };
    } catch (error) {
      await shell.close();
      throw error;
    }
  }

  /** Whether this session bus is one of GNOME. */
  static async runsOn(busAddress: string): Promise<boolean> {
    const bus = createClient({ busAddress, timeout: CALL_MS });
    bus.connection.on('error', () => {});
    try {
      const found: unknown = await bus.invoke({ ...BUS, member: 'NameHasOwner', signature: 's', body: [SHELL] });
      return found === true;
    } catch {
      return false;
    } finally {
      await bus.close().catch(() => {});
    }
  }

  readonly onLost = this.#losses.on;
  readonly onChange = this.#changes.on;
  readonly onCopy = this.#copies.on;
  readonly onPersonMove = this.#moves.on;

  /** After the screen was locked, or the extension was off, it begins again. */
  async call(member: string, signature = '', ...body: readonly Argument[]): Promise<unknown> {
    try {
      return await this.#invoke(member, signature, body);
    } catch (error) {
      if (!isNotOpened(error)) throw error;
      await this.#begin();
      return this.#invoke(member, signature, body);
    }
  }

  async text(member: string, signature = '', ...body: readonly Argument[]): Promise<string> {
    const answer = await this.call(member, signature, ...body);
    if (typeof answer !== 'string') throw new DesktopError('failed', message('display.compositor_silent'));
    return answer;
  }

  /** What it answers in JSON. */
  async json(member: string): Promise<unknown> {
    const parsed: unknown = JSON.parse(await this.text(member));
    return parsed;
  }

  async bytes(member: string, signature: string, ...body: readonly Argument[]): Promise<Uint8Array> {
    const answer = await this.call(member, signature, ...body);
    if (!(answer instanceof Uint8Array)) throw new DesktopError('failed', message('display.compositor_silent'));
    return answer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const emitter of [this.#losses, this.#changes, this.#copies, this.#moves]) emitter.clear();
    await this.#bus.close().catch(() => {});
  }

  /** The version of the shell. */
  async #begin(): Promise<string> {
    const said: unknown = JSON.parse(String(await this.#invoke('Open', '', [])));
    if (!isRecord(said) || said['protocol'] !== PROTOCOL)
      throw new DesktopError('unsupported', message('display.gnome_other_version'));
    return String(said['shell']);
  }

  async #invoke(member: string, signature: string, body: readonly Argument[]): Promise<unknown> {
    try {
      const given = signature === '' ? {} : { signature, body: [...body] };
      return await this.#bus.invoke({ ...EXTENSION, member, ...given });
    } catch (error) {
      throw translate(error);
    }
  }

  #heard({ type, interface: name, member = '', sender, body = [] }: BusMessage): void {
    if (type !== SIGNAL) return;
    if (sender === BUS.destination && member === 'NameOwnerChanged' && body[0] === SHELL && body[2] === '')
      return this.#lost(message('display.connection_ended'));
    if (name !== EXTENSION.interface) return;
    if (member === 'Changed') this.#changes.emit();
    if (member === 'Copied') this.#copies.emit();
    const [x, y]: unknown[] = body;
    if (member === 'Person' && typeof x === 'number' && typeof y === 'number') this.#moves.emit({ x, y });
  }

  #lost(why: string | Message): void {
    if (this.#closed) return;
    this.#losses.emit(message('display.wayland_gone', { display: 'GNOME', why }));
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isNotOpened = (error: unknown): boolean => error instanceof DesktopError && error.details['reason'] === 'closed';

/** The words of the extension for what it refuses. */
const REFUSALS: ReadonlyMap<string, () => DesktopError> = new Map([
  ['permission', () => new DesktopError('permission', message('display.gnome_other_program'))],
  ['not_found', () => new DesktopError('not_found', message('native.window_gone'))],
  ['closed', () => new DesktopError('failed', message('display.gnome_extension_off'), { reason: 'closed' })],
]);

function translate(error: unknown): DesktopError {
  const named = error instanceof Error && 'dbusName' in error ? String(error.dbusName) : '';
  const refused = named.startsWith(ERROR) ? REFUSALS.get(named.slice(ERROR.length)) : undefined;
  if (refused !== undefined) return refused();
  if (/Unknown(Object|Method|Interface)$/.test(named)) return missing('unsupported', 'display.gnome_extension_off');
  if (/ServiceUnknown$|NameHasNoOwner$/.test(named)) return missing('lost', 'display.gnome_extension_off');
  if (errno(error) === 'ETIMEDOUT' || named.endsWith('NoReply'))
    return missing('not_responding', 'display.compositor_silent');
  return new DesktopError('failed', message('native.request_refused', { why: textOf(error) }));
}

const missing = (
  code: DesktopErrorCode,
  text: 'display.gnome_extension_off' | 'display.compositor_silent',
): DesktopError => new DesktopError(code, message(text));
