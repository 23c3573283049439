/** The self-test inside the app: only a person’s press starts it, and its helpers are the app’s. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { selfTestInApp } from '../../src/main/app/self-test.js';
import { thisMac } from '../../src/main/host/self-test.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { createElectron } from '../support/electron/index.js';
import { createMachine } from '../support/electron/machine.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chap-self-test-'));
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = 0;
  await rm(folder, { recursive: true, force: true });
});

async function run(answer: string) {
  const machine = { ...createMachine(null), answer };
  const { electron, app, told } = createElectron(machine);
  const started: boolean[] = [];
  await selfTestInApp(electron, pino({ level: 'silent' }), (log, signal, ask, startHelper) => {
    started.push(startHelper !== undefined);
    const place = thisMac(log, signal, ask, startHelper);
    const witness = { ...place.witness, prepare: () => Promise.reject(new Error('not a Mac')), cleanUp: async () => undefined }; // prettier-ignore
    return { ...place, open: async () => openSimulated(), witness, folder };
  });
  return { started, told: told.boxes, code: await app.exited, files: await readdir(folder) };
}

test('[req:MT-ST-8] runs with helpers of the app once the person presses Start', async () => {
  const { started, code, files } = await run('Start');
  expect([started, code, files.length]).toEqual([[true], 4, 1]);
});

test.each(['Cancel', 'closed'])('[req:MT-ST-8] does nothing after %s', async (answer) => {
  const { started, told, code, files } = await run(answer);
  expect([started, files, told]).toEqual([[], [], ['Test Chaperone on this Mac?']]);
  expect(code).not.toBe(0);
});
