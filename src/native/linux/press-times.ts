import { delay } from '../../base/poll.js';

/** Games and emulators look at keys and buttons once in a frame, and at no events: two frames of the slowest, as a busy machine leaves one out. */
const FRAMES_MS = 60;

/** When keys or buttons went down and up, so that every program sees each press, and two presses as two. */
export class PressTimes<Key> {
  readonly #changedAt = new Map<Key, number>();

  changed(key: Key): void {
    this.#changedAt.set(key, performance.now());
  }

  /** Resolves once it has been down, or up, long enough. */
  async lasted(key: Key, signal: AbortSignal): Promise<void> {
    const left = (this.#changedAt.get(key) ?? -Infinity) + FRAMES_MS - performance.now();
    if (left > 0) await delay(left, signal);
  }
}
