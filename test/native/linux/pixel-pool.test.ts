import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPixelPool } from '../../../src/native/linux/x11/pixel-reader.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A picture with one colour in it. */
function drawn(pool: ReturnType<typeof createPixelPool>, bytes: number, colour: number) {
  const pixels = pool.take(bytes);
  pixels.fill(colour);
  return pixels;
}

it('gives released memory to a picture of about the same size, and only to one', () => {
  const pool = createPixelPool();
  drawn(pool, 300, 7).release?.();
  expect([...new Set(pool.take(200))]).toEqual([7]);
  expect([...new Set(pool.take(200))]).toEqual([0]);
});

it('leaves who still has a released picture with nothing', () => {
  const pool = createPixelPool();
  const pixels = drawn(pool, 300, 7);
  const copy = new Uint8Array(pixels);
  pixels.release?.();
  drawn(pool, 300, 9);
  expect(pixels.length).toBe(0);
  expect([...new Set(copy)]).toEqual([7]);
});

it('releases a picture once, however often it is told', () => {
  const pool = createPixelPool();
  const pixels = drawn(pool, 300, 7);
  pixels.release?.();
  const next = drawn(pool, 300, 8);
  pixels.release?.();
  drawn(pool, 300, 9);
  expect([...new Set(next)]).toEqual([8]);
});

it.each([100, 1_000])('takes new memory for a picture of quite another size: %i bytes', (bytes) => {
  const pool = createPixelPool();
  drawn(pool, 300, 7).release?.();
  expect([...new Set(pool.take(bytes))]).toEqual([0]);
});

it('keeps the memory of two pictures at most, and none once there have been no pictures for a second', () => {
  const pool = createPixelPool();
  const release = () => [1, 2, 3].map((colour) => drawn(pool, 300, colour)).forEach((one) => one.release?.());
  const taken = () => [1, 2, 3].map(() => [...new Set(pool.take(300))]);
  release();
  expect(taken()).toEqual([[3], [2], [0]]);
  release();
  vi.advanceTimersByTime(1_000);
  expect(taken()).toEqual([[0], [0], [0]]);
});
