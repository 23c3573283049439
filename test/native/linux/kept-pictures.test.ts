/** How long pictures are kept, and what becomes of their memory. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createKeptPictures } from '../../../src/native/linux/x11/screen-capture.js';
import { createPixelPool } from '../../../src/native/linux/x11/pixel-reader.js';
import type { Capture } from '../../../src/native/desktop.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MEGABYTE = 1024 * 1024;

const pictureOf = (rgb: Capture['rgb']): Capture => ({
  width: rgb.length / 3,
  height: 1,
  rgb,
  origin: { x: 0, y: 0 },
  scale: 1,
});

it('are found by name and generation, in the place of an older one', () => {
  const kept = createKeptPictures();
  const first = kept.keep('a', '1', pictureOf(new Uint8Array(3)));
  expect(kept.find('a', '1')).toBe(first);
  expect(kept.find('a', '2')).toBeNull();
  expect(kept.find('b', '1')).toBeNull();
  const next = kept.keep('a', '2', pictureOf(new Uint8Array(3)));
  expect(kept.find('a', '1')).toBeNull();
  expect(kept.find('a', '2')).toBe(next);
});

it('[req:PI-6] are bounded by bytes: those that nobody asked for the longest go first, and one that is too large is never kept', () => {
  const kept = createKeptPictures();
  for (const name of ['a', 'b', 'c']) kept.keep(name, '', pictureOf(new Uint8Array(6 * MEGABYTE)));
  expect(kept.find('a', '')).not.toBeNull();
  kept.keep('d', '', pictureOf(new Uint8Array(13 * MEGABYTE)));
  expect(['a', 'b', 'c', 'd'].filter((name) => kept.find(name, '') !== null)).toEqual(['a', 'd']);
  kept.keep('e', '', pictureOf(new Uint8Array(30 * MEGABYTE)));
  expect(['a', 'd', 'e'].filter((name) => kept.find(name, '') !== null)).toEqual(['a', 'd']);
});

it('[req:PI-6] are dropped once nobody has asked for pictures for a second', () => {
  const idle = vi.fn();
  const kept = createKeptPictures(idle);
  kept.keep('a', '', pictureOf(new Uint8Array(3)));
  vi.advanceTimersByTime(700);
  expect(kept.find('b', '')).toBeNull();
  vi.advanceTimersByTime(700);
  expect(kept.find('a', '')).not.toBeNull();
  expect(idle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(idle).toHaveBeenCalledTimes(1);
  expect(kept.find('a', '')).toBeNull();
});

it('give their memory back once they are dropped, and released as often as they were given out', () => {
  const pool = createPixelPool();
  const kept = createKeptPictures();
  const own = pool.take(300);
  own.fill(7);
  const first = kept.keep('a', '', pictureOf(own));
  const second = kept.find('a', '');
  first.rgb.release?.();
  kept.dropWhere(() => true);
  expect(second?.rgb).toHaveLength(300);
  expect([...new Set(pool.take(300))]).toEqual([0]);
  second?.rgb.release?.();
  expect(second?.rgb).toHaveLength(0);
  expect([...new Set(pool.take(300))]).toEqual([7]);
});

it('are still there for the next one where everybody has released them', () => {
  const pool = createPixelPool();
  const kept = createKeptPictures();
  const own = pool.take(300);
  own.fill(7);
  kept.keep('a', '', pictureOf(own)).rgb.release?.();
  expect([...new Set(kept.find('a', '')?.rgb)]).toEqual([7]);
});
