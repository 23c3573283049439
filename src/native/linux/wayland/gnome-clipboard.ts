/** The clipboard of a GNOME session, through the extension in the shell. Comes in: contents. Goes out: what is on it, and notice of copies. */
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
} from '../offer.js';
import type { GnomeShell } from './gnome-shell.js';
import { message } from '../../../messages/index.js';

/** The one type that each kind of content is offered as. */
const TYPES: readonly (readonly [keyof ClipboardContent, string])[] = [
  ['text', 'text/plain;charset=utf-8'],
  ['html', 'text/html'],
  ['png', 'image/png'],
  ['files', 'text/uri-list'],
];

export class GnomeClipboard implements Clipboard {
  readonly #shell: GnomeShell;
  readonly #changes = createEmitter<ClipboardContent | null>();
  readonly #stop: () => void;

  constructor(shell: GnomeShell) {
    this.#shell = shell;
    this.#stop = shell.onCopy(() => this.#changes.emit(null));
  }

  get onChange(): Clipboard['onChange'] {
    return this.#changes.on;
  }

  async read(signal: AbortSignal): Promise<ClipboardReading> {
    const said: unknown = JSON.parse(await this.#shell.text('Types'));
    const types = Array.isArray(said) ? said.filter((one): one is string => typeof one === 'string') : [];
    if (types.includes(CONCEALED) && isConcealed(await this.#fetch(CONCEALED))) return { concealed: true };
    const offer = new Map<string, SelectionData>();
    for (const type of usefulTargets(types)) {
      signal.throwIfAborted();
      offer.set(type, await this.#fetch(type));
    }
    const others = otherTargets(types);
    return { ...fromOffer(offer), ...(others.length === 0 ? {} : { others }) };
  }

  /** Scripts of the shell can offer one type at a time. */
  async write(content: ClipboardContent): Promise<void> {
    const given = TYPES.filter(([kind]) => content[kind] !== undefined);
    const [, type] = given[0] ?? [null, ''];
    if (given.length > 1) throw new DesktopError('unsupported', message('native.one_kind_copied'));
    const data = toOffer(content).get(type)?.data ?? toOffer(content).get('text/plain')?.data ?? Buffer.alloc(0);
    await this.#shell.call('Write', 'say', type, data);
    this.#changes.emit(content);
  }

  /** Whoever has the focus may read what is copied: it cannot be lent to one process only. */
  paste(): Promise<PasteResult> {
    return Promise.reject(new DesktopError('unsupported', message('native.no_bound_paste')));
  }

  close(): void {
    this.#stop();
    this.#changes.clear();
  }

  async #fetch(type: string): Promise<SelectionData> {
    const data = await this.#shell.bytes('Read', 's', type);
    return { type, format: 8, data: Buffer.from(data) };
  }
}
