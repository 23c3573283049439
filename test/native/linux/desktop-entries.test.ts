import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDesktopEntries } from '../../../src/native/linux/apps.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chaperone-entries-'));
  for (const place of ['own', 'system']) await mkdir(join(folder, place, 'applications'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (place: 'own' | 'system', name: string, exec: string) =>
  writeFile(
    join(folder, place, 'applications', `${name}.desktop`),
    `[Desktop Entry]\nType=Application\nName=Keys\nExec=${exec}\n`,
  );
const open = () => openDesktopEntries({ XDG_DATA_HOME: join(folder, 'own'), XDG_DATA_DIRS: join(folder, 'system') });

test('[req:ID-2] a program keeps the id of its system entry where a user’s file of the same name starts another', async () => {
  await write('system', 'org.example.Keys', '/usr/bin/keyring');
  await write('own', 'org.example.Keys', '/usr/bin/true');
  const entries = open();
  expect(await entries.find('org.example.Keys')).toMatchObject({ exec: '/usr/bin/true' });
  const match = { entry: null, candidates: ['org.example.Keys'] };
  expect(await entries.match('', '', '/usr/bin/keyring')).toEqual(match);
  expect(await entries.match('', '', '/usr/bin/keyring')).toEqual(match);
});
