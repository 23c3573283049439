import { expect, it } from 'vitest';
import { createImages } from '../../src/main/calls/images.js';

const MEGABYTE = 1024 * 1024;
const picture = (bytes: number) => ({
  mimeType: 'image/png' as const,
  width: 10,
  height: 10,
  scale: 1,
  origin: { x: 0, y: 0 },
  bytes: new Uint8Array(bytes),
  native: { width: 10, height: 10, scale: 1 },
  marks: [],
});

it('[req:ME-1] pictures given to agents are bounded by bytes: the oldest go first, and one that is too large is not kept', () => {
  const images = createImages();
  const put = (bytes: number) => images.put(picture(bytes), 'a').id;
  const [first, ...more] = [put(8 * MEGABYTE), put(8 * MEGABYTE), put(8 * MEGABYTE)];
  const last = put(MEGABYTE);
  expect(images.list('a').map(({ id }) => id)).toEqual([...more, last]);
  expect(images.get(first ?? '', 'a')).toBeNull();
  put(30 * MEGABYTE);
  expect(images.list('a').map(({ id }) => id)).toEqual([...more, last]);
});

it('[req:ME-1] many small ones are bounded by number', () => {
  const images = createImages();
  for (let count = 0; count < 100; count += 1) images.put(picture(1), 'a');
  expect(images.list('a')).toHaveLength(64);
});
