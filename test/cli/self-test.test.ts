import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { selfTest, selfTestHere } from '../../src/main/cli/self-test.js';
import type { SelfTestPlace } from '../../src/main/host/self-test.js';
import { inEnglish } from '../../src/messages/index.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { MAC_ACTORS, createMacWitness } from '../../src/native/self-test/index.js';

const { signal } = new AbortController();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chap-self-test-'));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = 0;
  await rm(folder, { recursive: true, force: true });
});

/** A witness that is asked by another system and never agrees: what is right in the table would be wrong. */
const place = (): SelfTestPlace => ({
  open: async () => openSimulated(),
  witness: {
    ...createMacWitness(
      async () => 'null',
      signal,
      () => undefined,
      () => null,
    ),
    openDocument: async () => ({ pid: 1, title: 'none' }),
    openRows: async () => ({ pid: 1, title: 'none', row: 'a', folding: 'b', last: 'c' }),
    openPassword: async () => ({ x: 0, y: 0, width: 1, height: 1 }),
    cleanUp: async () => undefined,
  },
  actors: MAC_ACTORS,
  folder,
  now: () => new Date('2026-11-23T00:00:00Z'),
});

it('[req:MT-ST-4] saves its table, and ends well only after a whole run without a fault', async () => {
  await selfTest({ ...place(), limits: { agreeMs: 1, personMs: 1, limitMs: 1000 } }, inEnglish, signal);
  expect(process.exitCode).toBe(1);
  const [file = ''] = await readdir(folder);
  expect(file).toBe('chaperone-self-test-2026-11-23.md');
  const table = await readFile(join(folder, file), 'utf8');
  expect(table).toMatch(/^- chaperone: .+\n- system: Simulated desktop\n/);
  expect(table).toContain('| onPersonInput | wrong |');
});

it('closes the desktop where the person stops it, and saves no table', async () => {
  let closed = 0;
  const desktop = openSimulated();
  const close = async () => void ((closed += 1), await desktop.close());
  const { witness, ...rest } = place();
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error('stopped'));
  const failing = { ...witness, openDocument: async () => (stop(), Promise.reject(new Error('no TextEdit'))) };
  const given = { ...rest, witness: failing, open: async () => ({ ...desktop, close }) };
  await expect(selfTest(given, inEnglish, stopping.signal)).rejects.toThrow('stopped');
  expect([closed, await readdir(folder)]).toEqual([1, []]);
});

it('in the packaged program, which cannot fork, starts the app for it and runs nothing in the command', async () => {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  Object.defineProperty(process.versions, 'electron', { value: '45.4.1', configurable: true });
  try {
    // Here is no library of macOS by which the app could answer for itself.
    await expect(selfTestHere(inEnglish)).rejects.toThrow('to this terminal too');
  } finally {
    Object.defineProperty(process, 'platform', { value: platform });
    Reflect.deleteProperty(process.versions, 'electron');
  }
});

it('runs nothing elsewhere than on Linux and on a Mac', async () => {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'win32' });
  try {
    await expect(selfTestHere(inEnglish)).rejects.toThrow(/only on Linux and on a Mac/);
  } finally {
    Object.defineProperty(process, 'platform', { value: platform });
  }
});
