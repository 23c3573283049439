/** The pointer and the keyboard of a GNOME session, through devices that the extension made in the shell. */
import { delay } from '../../../base/poll.js';
import { readTypable } from '../../../base/text.js';
import { DesktopError, type InputGuard, type MouseButton, type Point, type Rect } from '../../desktop.js';
import type { Keyboard, Pointer } from '../display-server.js';
import { KEYSYMS, keysymOf } from '../keysyms.js';
import { PressTimes } from '../release-buttons.js';
import type { GnomeShell } from './gnome-shell.js';
import { keysymsOfLayout } from './xkb-layout.js';
import { message } from '../../../messages/index.js';

interface InputOptions {
  shell: GnomeShell;
  /** All displays together. */
  screen(): Promise<Rect>;
  sent(): void;
  /** Resolves once the application in front has read what came before. */
  rest(signal: AbortSignal): Promise<void>;
}

/** As Clutter counts them. */
const BUTTONS: ReadonlyMap<MouseButton, number> = new Map([
  ['left', 1], ['middle', 2], ['right', 3], ['back', 8], ['forward', 9],
]); // prettier-ignore
/** Directions of Clutter: up, down, left, right. */
const AXES = [['y', 0, 1], ['x', 2, 3]] as const; // prettier-ignore

export class GnomePointer implements Pointer {
  readonly #options: InputOptions;
  readonly #held = new Map<MouseButton, Point>();
  readonly #times = new PressTimes<MouseButton>();
  /** Where it was moved to last. */
  #at: Point = { x: 0, y: 0 };

  constructor(options: InputOptions) {
    this.#options = options;
  }

  async position(): Promise<Point> {
    const said: unknown = JSON.parse(await this.#options.shell.text('Pointer'));
    const [x, y]: unknown[] = Array.isArray(said) ? said : [];
    if (typeof x === 'number' && typeof y === 'number') return { x, y };
    throw new DesktopError('unsupported', message('native.pointer_untold'));
  }

  async move(to: Point, signal: AbortSignal): Promise<void> {
    const screen = await this.#options.screen();
    signal.throwIfAborted();
    const [x, y] = [clamp(to.x, screen.x, screen.width), clamp(to.y, screen.y, screen.height)];
    this.#options.sent();
    this.#at = { x, y };
    await this.#options.shell.call('Move', 'dd', x, y);
  }

  async button(button: MouseButton, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> {
    await this.#times.lasted(button, signal);
    await guard();
    signal.throwIfAborted();
    await this.#set(button, down);
  }

  async scroll(delta: Point, guard: InputGuard, signal: AbortSignal): Promise<void> {
    for (const [side, back, forward] of AXES) {
      const direction = delta[side] < 0 ? back : forward;
      for (let line = Math.round(Math.abs(delta[side])); line > 0; line -= 1) {
        await guard();
        signal.throwIfAborted();
        this.#options.sent();
        await this.#options.shell.call('Scroll', 'u', direction);
      }
    }
  }

  async release(keep: readonly MouseButton[] = []): Promise<void> {
    for (const button of [...this.#held.keys()]) if (!keep.includes(button)) await this.#set(button, false);
  }

  /** Where the first held button that is not in `keep` was pressed; null where none is held. */
  pressedAt(keep: readonly MouseButton[] = []): Point | null {
    return [...this.#held].find(([button]) => !keep.includes(button))?.[1] ?? null;
  }

  async #set(button: MouseButton, down: boolean): Promise<void> {
    if (down) this.#held.set(button, this.#at);
    else this.#held.delete(button);
    this.#times.changed(button);
    this.#options.sent();
    await this.#options.shell.call('Button', 'ub', BUTTONS.get(button) ?? 0, down);
  }
}

const clamp = (value: number, from: number, length: number): number =>
  Math.floor(Math.min(Math.max(value, from), from + length - 1));

/** A game looks at keys once in a frame: one that is pressed for it stays down so long. */
const FRAMES_MS = 60;
/** Where no layout can be read, all text goes the other way. */
const NO_KEYS: ReadonlySet<number> = new Set();
/** Given to a field together: Wayland carries 4,000 bytes. */
const COMMIT_CHARS = 200;
const [ENTER, TAB] = ['\n', '\t'];

export class GnomeKeyboard implements Keyboard {
  readonly #options: InputOptions;
  readonly #held = new Map<string, number>();
  readonly #times = new PressTimes<string>();
  #layout = { name: '', keysyms: NO_KEYS };

  constructor(options: InputOptions) {
    this.#options = options;
  }

  async key(name: string, down: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> {
    if (!down && !this.#held.has(name)) return;
    await this.#times.lasted(name, signal);
    const keysym = await this.#keysymOf(name);
    await guard();
    signal.throwIfAborted();
    if (down !== this.#held.has(name)) await this.#set(name, keysym, down);
  }

  /** Presses and releases keys together. */
  async chord(keys: readonly string[], guard: InputGuard, signal: AbortSignal): Promise<void> {
    const named = await Promise.all(keys.map(async (name) => [name, await this.#keysymOf(name)] as const));
    await guard();
    signal.throwIfAborted();
    const pressed = named.filter(([name]) => !this.#held.has(name));
    for (const [name, keysym] of pressed) await this.#set(name, keysym, true);
    for (const [name, keysym] of pressed.toReversed()) await this.#set(name, keysym, false);
  }

  /** By keys where the layout has them all; else as an input method gives text, which only text fields take. */
  async typeText(text: string, hold: boolean, guard: InputGuard, signal: AbortSignal): Promise<void> {
    const { characters, untypable } = readTypable(text);
    if (untypable !== null)
      throw new DesktopError('unsupported', message('native.untypable', { character: untypable }));
    const keys = await this.#keysyms();
    const hasKey = (one: string): boolean => one === ENTER || one === TAB || keys.has(keysymOf(one));
    const foreign = characters.find((one) => !hasKey(one));
    let pending = '';
    const commit = async (): Promise<void> => {
      if (pending !== '') await this.#commit(pending, foreign ?? '', signal);
      pending = '';
    };
    for (const character of characters) {
      await guard();
      signal.throwIfAborted();
      const isKey = foreign === undefined || character === ENTER || character === TAB;
      if (isKey || pending.length >= COMMIT_CHARS) await commit();
      if (isKey) await this.#tap(character, hold, signal);
      else pending += character;
    }
    await guard();
    signal.throwIfAborted();
    await commit();
  }

  async release(keep: readonly string[] = []): Promise<void> {
    for (const [name, keysym] of [...this.#held].toReversed())
      if (!keep.includes(name)) await this.#set(name, keysym, false);
  }

  /** A field drops text that comes before the shell knows what it answered to the text or key before. */
  async #commit(text: string, foreign: string, signal: AbortSignal): Promise<void> {
    await this.#options.rest(signal);
    signal.throwIfAborted();
    this.#options.sent();
    if ((await this.#options.shell.call('Commit', 's', text)) === true) return;
    throw new DesktopError('unsupported', message('native.layout_has_no', { character: JSON.stringify(foreign) }));
  }

  async #tap(character: string, hold: boolean, signal: AbortSignal): Promise<void> {
    const keysym = keysymOf(character);
    await this.#send(keysym, true);
    try {
      if (hold) await delay(FRAMES_MS, signal);
    } finally {
      await this.#send(keysym, false);
    }
    if (hold) await delay(FRAMES_MS, signal);
  }

  /** Of the layout that the person has chosen now. */
  async #keysyms(): Promise<ReadonlySet<number>> {
    const name = await this.#options.shell.text('Layout');
    if (name !== this.#layout.name) this.#layout = { name, keysyms: readLayout(name) };
    return this.#layout.keysyms;
  }

  async #keysymOf(name: string): Promise<number> {
    const known = KEYSYMS.get(name);
    if (known !== undefined) return known;
    const keysym = [...name].length === 1 ? keysymOf(name) : 0;
    if (keysym !== 0 && (await this.#keysyms()).has(keysym)) return keysym;
    throw new DesktopError('unsupported', message('native.no_such_key', { key: JSON.stringify(name) }));
  }

  async #set(name: string, keysym: number, down: boolean): Promise<void> {
    if (down) this.#held.set(name, keysym);
    else this.#held.delete(name);
    this.#times.changed(name);
    await this.#send(keysym, down);
  }

  async #send(keysym: number, down: boolean): Promise<void> {
    this.#options.sent();
    await this.#options.shell.call('Key', 'ub', keysym, down);
  }
}

function readLayout(name: string): ReadonlySet<number> {
  try {
    return keysymsOfLayout(name);
  } catch {
    return NO_KEYS;
  }
}
