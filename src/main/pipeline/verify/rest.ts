/**
 * Tells early that an act shows nothing: once its application has read the input, rests, and has painted nothing for two frames. It may
 * still have a timer, or wait for a server: what is known then is "nothing so far".
 */
import type { DesktopReader, Window, WindowPaint } from '../../../native/desktop.js';
import { delay } from '../../../base/poll.js';

/** Two frames of a screen at 60 Hz. */
export const TWO_FRAMES_MS = 33;

type Watched = Pick<DesktopReader, 'windowPaint' | 'untilApplication'>;

export class Rest {
  readonly #desktop: Watched;
  readonly #window: Window;
  /** The last one before the act; null: no paint can be told of. */
  readonly #paint: WindowPaint | null;
  readonly #ended = new AbortController();
  readonly #whenRead: Promise<void>;
  #answer: 'read' | 'unread' | 'untold' = 'unread';
  #readAt = Infinity;
  #lookingAt = -Infinity;

  /** To be made right after the act. */
  constructor(desktop: Watched, window: Window, paint: WindowPaint | null, signal: AbortSignal) {
    this.#desktop = desktop;
    this.#window = window;
    this.#paint = paint;
    const either = AbortSignal.any([signal, this.#ended.signal]);
    this.#whenRead = desktop.untilApplication(window.id, 'read', either).then(
      (read) => {
        this.#answer = read === null ? 'untold' : read ? 'read' : 'unread';
        if (read === true) this.#readAt = performance.now();
      },
      () => undefined,
    );
  }

  end = (): void => this.#ended.abort();

  /** Resolves once the input was read, after `mostMs` in any case. */
  async beginLooking(mostMs: number, signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const late = delay(mostMs, AbortSignal.any([signal, enough.signal])).catch(() => undefined);
    await Promise.race([this.#whenRead, late]).finally(() => enough.abort());
    signal.throwIfAborted();
    this.#lookingAt = performance.now();
  }

  /** The system cannot tell. */
  isUntold = (): boolean => this.#answer === 'untold';
  /** The application has not read the input yet. */
  isUnread = (): boolean => this.#answer === 'unread';
  /** It had read the input before it was looked at. */
  wasReadFirst = (): boolean => this.#readAt <= this.#lookingAt;

  /** As `reached`, two frames after the input was read, whatever the application does then. */
  async settled(lookBegan: number, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#sawInputRead(lookBegan))) return false;
    await this.#sinceRead(TWO_FRAMES_MS, signal).catch(never);
    return true;
  }

  /** See {@link EarlyEnd}: true at rest with nothing painted for `quietMs`, false where the look began before the input was read. */
  async reached(lookBegan: number, signal: AbortSignal, quietMs = TWO_FRAMES_MS): Promise<boolean> {
    if (!(await this.#sawInputRead(lookBegan))) return false;
    if (this.#paint === null) return never();
    return (await this.#rests(signal, quietMs).catch(() => false)) || never();
  }

  /** Whether the look saw what the application made of the input. Resolves once that was read, if ever. */
  async #sawInputRead(lookBegan: number): Promise<boolean> {
    await this.#whenRead;
    return this.#answer === 'read' ? lookBegan >= this.#readAt : never();
  }

  async #rests(signal: AbortSignal, quietMs: number): Promise<boolean> {
    const { id } = this.#window;
    const frames = this.#sinceRead(quietMs, signal);
    const [rests] = await Promise.all([this.#desktop.untilApplication(id, 'rest', signal), frames]);
    const paint = await this.#desktop.windowPaint(id, null, signal);
    return rests === true && paint !== null && paint.unpaintedMs >= quietMs;
  }

  /** At once where they have passed: a paint comes no sooner. */
  async #sinceRead(ms: number, signal: AbortSignal): Promise<void> {
    const left = this.#readAt + ms - performance.now();
    if (left > 0) await delay(left, signal);
  }

  /** Whether the window was painted since before the act. */
  async isPainted(signal: AbortSignal): Promise<boolean> {
    const now = await this.#desktop.windowPaint(this.#window.id, null, signal).catch(() => null);
    return now === null || now.generation !== this.#paint?.generation;
  }
}

const never = (): Promise<never> => new Promise(() => undefined);
