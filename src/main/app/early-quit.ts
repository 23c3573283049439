import type { EventEmitter } from 'node:events';

type Emitter = Pick<EventEmitter, 'on' | 'removeListener'>;

/**
 * A quit while the host is being opened waits until that is done, and then ends it in order: a process that ends in between leaves a
 * half-open host behind, which may still write. A system that shuts down is not held up.
 */
export class EarlyQuit {
  #asked = false;
  #leaving = false;
  readonly #stop: () => void;

  constructor(app: Emitter, power: Emitter) {
    const hold = (event: { preventDefault(): void }): void => {
      this.#asked = true;
      if (!this.#leaving) event.preventDefault();
    };
    const leave = (): void => void (this.#leaving = true);
    app.on('before-quit', hold);
    power.on('shutdown', leave);
    this.#stop = () => {
      app.removeListener('before-quit', hold);
      power.removeListener('shutdown', leave);
    };
  }

  /** No quit is held from here on. True where one was. */
  release(): boolean {
    this.#stop();
    return this.#asked;
  }
}
