/** What lies in the record of a clipboard that was given away. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createTestPipeline } from '../../support/pipeline.js';

const SECRET = 'correct horse battery staple';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('the evidence says what kind it was, how much and which, and holds no copy of it', async () => {
  const pipeline = createTestPipeline();
  const picture = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#345' } }).png().toBuffer(); // prettier-ignore
  pipeline.world.setClipboard({ text: SECRET, html: `<b>${SECRET}</b>`, files: [`/tmp/${SECRET}`], png: picture });
  const read = await pipeline.run('get_clipboard', {});
  expect(read.value).toMatchObject({ text: SECRET, html: `<b>${SECRET}</b>`, files: [`/tmp/${SECRET}`] });
  const record = pipeline.records.at(-1);
  expect(JSON.stringify(record)).not.toContain(SECRET);
  expect(record?.end?.result).toMatchObject({
    types: ['text', 'html', 'image', 'files'],
    text: { characters: SECRET.length, sha256: sha256(SECRET) },
    html: { characters: SECRET.length + 7, sha256: sha256(`<b>${SECRET}</b>`) },
    files: { count: 1, sha256: sha256(`/tmp/${SECRET}`) },
  });
  expect(record?.files).toEqual([]);
  expect(record?.traces).toContainEqual(expect.objectContaining({ step: 'picture', width: 8, height: 6 }));
});

test('of the history as well', async () => {
  const pipeline = createTestPipeline();
  await pipeline.run('get_clipboard_history', {});
  pipeline.world.setClipboard({ text: SECRET });
  const read = await pipeline.run('get_clipboard_history', {});
  expect(read.value).toMatchObject({ entries: [{ text: SECRET }] });
  const record = pipeline.records.at(-1);
  expect(JSON.stringify(record)).not.toContain(SECRET);
  const entries = [{ types: ['text'], text: { characters: SECRET.length, sha256: sha256(SECRET) } }];
  expect(record?.end?.result).toMatchObject({ total: 1, entries });
});
