/** What lies in the record of a clipboard that was given away, and which picture is put on it. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALLOWED, CALLER, createTestPipeline, failure } from '../../support/pipeline.js';

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

describe('[req:RF-1] the picture that goes to the clipboard', () => {
  let workspace: string;
  beforeAll(async () => void (workspace = await mkdtemp(join(tmpdir(), 'chaperone-pictures-'))));
  afterAll(() => rm(workspace, { recursive: true, force: true }));
  const png = (background: string) => sharp({ create: { width: 4, height: 4, channels: 3, background } }).png().toBuffer(); // prettier-ignore

  test('is the one of its id, and no file of that name where it is kept no more', async () => {
    const [bytes, other] = await Promise.all([png('white'), png('black')]);
    const kept = { mimeType: 'image/png', width: 4, height: 4, scale: 0, origin: { x: 0, y: 0 }, bytes, native: { width: 4, height: 4, scale: 0 }, marks: [] }; // prettier-ignore
    let whileAsked = () => {};
    const pipeline = createTestPipeline(async () => {
      whileAsked();
      return ALLOWED;
    });
    const { id } = pipeline.images.put(kept, CALLER.agent.id);
    await pipeline.run('write_clipboard', { type: 'image', image: `image:${id}` }, { workspace });
    expect(pipeline.world.clipboard()).toEqual({ png: new Uint8Array(bytes) });
    pipeline.world.setClipboard({});
    whileAsked = () => {
      writeFileSync(join(workspace, id), other);
      for (let more = 0; more < 100; more += 1) pipeline.images.put(kept, CALLER.agent.id);
    };
    const error = await failure(pipeline.run('write_clipboard', { type: 'image', image: id }, { workspace }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(pipeline.world.clipboard()).toEqual({});
  });

  test('is what was read, also where the file is as before again right after', async () => {
    const [bytes, other] = await Promise.all([png('white'), png('black')]);
    const path = join(workspace, 'chart.png');
    await writeFile(path, bytes);
    const pipeline = createTestPipeline();
    // After the comparison the file is read, then compared once more.
    pipeline.events.on(({ kind }) => {
      if (kind === 'acting') writeFileSync(path, other);
    });
    pipeline.deps.waitWhilePressing = async () => writeFileSync(path, bytes);
    const error = await failure(pipeline.run('write_clipboard', { type: 'image', image: 'chart.png' }, { workspace }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(pipeline.world.clipboard()).toEqual({});
  });
});
