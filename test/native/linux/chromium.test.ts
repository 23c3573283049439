import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inEnglish } from '../../../src/messages/index.js';
import { isChromium, missingElementsError } from '../../../src/native/linux/missing-elements.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chaperone-programs-'));
  const put = async (path: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), '#!/bin/sh\n');
    await chmod(join(folder, path), 0o755);
  };
  for (const path of [
    'editor/editor',
    'editor/chrome_100_percent.pak',
    'editor/bin/editor',
    'chat/chat',
    'chat/resources/app.asar',
    'plain/plain',
    'plain/resources/icon.png',
  ])
    await put(path);
  await mkdir(join(folder, 'usr/bin'), { recursive: true });
  await symlink(join(folder, 'editor/bin/editor'), join(folder, 'usr/bin/edit'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('programs built on Chromium', () => {
  test('are browsers by their names', async () => {
    for (const name of ['/usr/bin/chromium', 'google-chrome-stable', 'brave-browser', '/opt/microsoft-edge'])
      expect(await isChromium(name), name).toBe(true);
    for (const name of ['/usr/bin/firefox', 'chromium-look-alike', 'galculator'])
      expect(await isChromium(name, '/usr/bin'), name).toBe(false);
  });

  test('are known by the files beside them, also behind a link or a launcher in bin', async () => {
    for (const path of ['editor/editor', 'editor/bin/editor', 'chat/chat', 'usr/bin/edit'])
      expect(await isChromium(join(folder, path)), path).toBe(true);
    expect(await isChromium('edit', `/nowhere:${join(folder, 'usr/bin')}`)).toBe(true);
    expect(await isChromium(join(folder, 'plain/plain'))).toBe(false);
    expect(await isChromium(join(folder, 'gone/gone'))).toBe(false);
  });

  test('a process without elements is told of as what it is', async () => {
    const plain = await missingElementsError(process.pid);
    expect(inEnglish.format(plain.text)).toContain('does not support accessibility');
    // Nothing that this program has loaded could ever show any.
    expect(plain.details).toEqual({ reason: 'no_toolkit' });
    const ended = await missingElementsError(2 ** 22 + 1);
    expect(inEnglish.format(ended.text)).toContain('has ended');
    expect(ended.details).toMatchObject({ reason: 'ended', next: expect.stringContaining('open_application') });
  });
});
