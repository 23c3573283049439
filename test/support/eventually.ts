import { expect, vi } from 'vitest';

/** Waits until something is so, however slow the machine. */
export function eventually<T>(look: () => T | Promise<T>): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, { timeout: 50_000 });
}

/** Tries until it does not throw. On its own, vitest would give up after a second. */
export const waitFor = <T>(attempt: () => T | Promise<T>, interval = 50): Promise<T> =>
  vi.waitFor(attempt, { timeout: 50_000, interval });
