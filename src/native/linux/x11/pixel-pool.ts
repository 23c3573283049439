import type { Pixels } from '../../desktop.js';

/** Memory of pictures. What is released is used again, instead of being cleared by the system for each picture. */
export interface PixelPool {
  /** Not cleared. */
  take(bytes: number): Pixels;
  close(): void;
}

/** Two pictures are encoded at once on two processors. */
const MAX_UNUSED = 2;
/** Without pictures for so long, the memory goes back to the system. */
const IDLE_MS = 1_000;

export function createPixelPool(): PixelPool {
  let unused: ArrayBuffer[] = [];
  let idle: NodeJS.Timeout | null = null;

  const close = (): void => {
    if (idle !== null) clearTimeout(idle);
    idle = null;
    unused = [];
  };

  const release = (used: ArrayBuffer): void => {
    if (used.byteLength === 0) return;
    // Whoever still has the old pixels has nothing of the next picture.
    const moved = structuredClone(used, { transfer: [used] });
    unused = [moved, ...unused].slice(0, MAX_UNUSED);
    if (idle === null) idle = setTimeout(close, IDLE_MS).unref();
    else idle.refresh();
  };

  return {
    take(bytes) {
      const found = unused.find(({ byteLength }) => byteLength >= bytes && byteLength <= 2 * bytes);
      unused = unused.filter((one) => one !== found);
      const buffer = found ?? new ArrayBuffer(bytes);
      return Object.assign(new Uint8Array(buffer, 0, bytes), { release: () => release(buffer) });
    },
    close,
  };
}
