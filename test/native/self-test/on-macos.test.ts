/** The program of `chaperone doctor --self-test` on the macOS backend over stand-in libraries. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testDesktop } from '../../../src/main/host/self-test.js';
import { METHODS } from '../../../src/native/methods.js';
import type { Row } from '../../../src/native/self-test/index.js';
import { RUNTIMES } from '../../support/macos/standin.js';
import { createSelfTestMac, STANDIN_ACTORS, type SelfTestMac } from '../../support/macos/self-test.js';

const { signal } = new AbortController();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chap-self-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const run = async (mac: SelfTestMac) => {
  const rows: Row[] = [];
  await mac.witness.copy('of the person');
  const place = {
    ...{ platform: 'darwin', open: mac.open, witness: mac.witness, actors: STANDIN_ACTORS, folder },
    now: () => new Date('2026-11-23T00:00:00Z'),
  };
  const result = await testDesktop(place, (row) => rows.push(row), signal);
  const copied = mac.copied();
  await mac.close();
  return { ...result, rows, copied };
};

it.each(RUNTIMES)(
  '[req:MT-ST-6] [req:DS-9-8] exercises every member of the macOS backend, each judged by a second witness, and saves the table: on the runtime %s',
  async (runtime) => {
    const { rows, file, verdict, copied } = await run(createSelfTestMac(runtime));
    expect(
      rows
        .filter(({ result }) => result !== 'right')
        .map(({ member, result, told }) => [member, result, ...(result === 'unsupported' ? [] : [told])]),
    ).toEqual([
      ['dropFiles', 'unsupported'],
      ['windowPaint', 'unsupported'],
      ['untilApplication', 'unsupported'],
    ]);
    expect(rows.map(({ member }) => member).toSorted()).toEqual(Object.keys(METHODS).toSorted());
    expect(verdict).toBe('passed');
    expect(copied).toBe('of the person');
    expect(await readFile(file, 'utf8')).toContain('| onLost | right |');
  },
);
