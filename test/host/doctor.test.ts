import { expect, it } from 'vitest';
import { checkPictures } from '../../src/main/host/doctor.js';
import { inEnglish } from '../../src/messages/index.js';

it('[req:AP-H-1] a library for pictures that does not load is found, and what mends it is said', async () => {
  expect(await checkPictures()).toMatchObject({ name: 'pictures', ok: true, fix: null });
  const found = await checkPictures(() => Promise.reject(new Error('Could not load "sharp"\nPossible solutions: …')));
  expect(found).toMatchObject({ name: 'pictures', ok: false, fix: { code: 'doctor.install_again' } });
  expect(inEnglish.format(found.seen)).toMatch(/screenshots do not work: Could not load "sharp"$/);
});
