import { mkdir, mkdtemp, realpath, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALLOWED, createTestPipeline, failure } from '../support/pipeline.js';

let folder: string;
let secret: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-links-')));
  await mkdir(join(folder, 'private'));
  secret = join(folder, 'private', 'key');
  await writeFile(secret, 'key');
  await writeFile(join(folder, 'plain.txt'), 'plain');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function linked(name: string, to: string): Promise<string> {
  const path = join(folder, name);
  await symlink(to, path);
  return path;
}

describe('a link with a harmless name', () => {
  test.each([
    ['drag_files', (files: string[]) => ({ file_paths: files })],
    ['write_clipboard', (files: string[]) => ({ type: 'files', files })],
  ])('%s: the person reads where it leads, and nothing more of what is no link', async (tool, input) => {
    const given = createTestPipeline(async () => ALLOWED);
    const link = await linked(`${tool}.png`, secret);
    const plain = join(folder, 'plain.txt');
    const target = tool === 'drag_files' ? { element_id: await given.refer('note') } : {};
    await given.run(tool, { ...input([plain, link]), ...target }).catch(() => undefined);
    expect(given.asked[0]?.plan?.text).toBe(`${plain}\n${link}\n  → ${secret}`);
  });

  test('that is put somewhere else while the person decides is no longer what they allowed', async () => {
    const link = await linked('turned.txt', join(folder, 'plain.txt'));
    const given = createTestPipeline(async () => {
      await unlink(link);
      await symlink(secret, link);
      return ALLOWED;
    });
    const error = await failure(given.run('write_clipboard', { type: 'files', files: [link] }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(given.world.clipboard()).toEqual({});
  });

  test('and with nothing at its other end is no name to save under', async () => {
    const given = createTestPipeline(async () => ALLOWED);
    const link = await linked('new.txt', join(folder, 'private', 'autostart'));
    const error = await failure(given.run('automate_save_file_dialog', { file_path: link }));
    expect(error.details['reason']).toBe('dangling_link');
    expect(given.asked).toEqual([]);
  });

  test('a path of several lines is no path', async () => {
    const given = createTestPipeline(async () => ALLOWED);
    const files = [`${folder}/plain.txt\n${secret}`];
    expect((await failure(given.run('write_clipboard', { type: 'files', files }))).code).toBe('DESKTOP_INVALID_REQUEST'); // prettier-ignore
    expect(given.asked).toEqual([]);
  });
});
