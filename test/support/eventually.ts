import { expect } from 'vitest';

/** Waits until something is so, however slow the machine. */
export function eventually<T>(look: () => T | Promise<T>): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, { timeout: 50_000 });
}
