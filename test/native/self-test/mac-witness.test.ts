/** What of the Mac's witness runs elsewhere too: its own processes and files. What scripts answer is written down here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { openMacos } from '../../../src/native/macos/open.js';
import { forkHelper } from '../../../src/native/macos/helper/process.js';
import { createMacBackend } from '../../../src/native/self-test/mac-witness.js';
import { createMacRows } from '../../../src/native/self-test/mac-rows.js';
import { createMacWitness, runProgram } from '../../../src/native/self-test/index.js';
import { compileStandin, standinPaths } from '../../support/macos/standin.js';

const HELPER = `${import.meta.dirname}/../../../dist/native/macos/helper/helper-main.js`;
const { signal } = new AbortController();
let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

it('[req:MT-ST-1] finds the helpers of this process and no others, and ends them until none can be had', async () => {
  const backend = createMacBackend(runProgram, signal);
  const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', 'another-program']);
  await once(other, 'spawn');
  // Those of tests before may still be ending.
  await expect.poll(() => backend.backendRuns()).toBe(false);
  const start = () => forkHelper(HELPER);
  const desktop = await openMacos({ start, libraries: standinPaths(compileStandin()) });
  close = () => desktop.close();
  let lost = false;
  desktop.onLost(() => (lost = true));
  expect(await backend.backendRuns()).toBe(true);
  while (!lost) await backend.endBackend();
  await desktop.close();
  await expect.poll(() => backend.backendRuns()).toBe(false);
  expect(other.exitCode).toBeNull();
  other.kill();
});

it('runs a program that ends before it has read what it is given', async () => {
  expect(await runProgram(['/bin/echo', 'done'], 'x'.repeat(1_000_000))).toBe('done\n');
});

it('asks for what it needs before anything opens, and waits for the person’s answer', async () => {
  const asked: string[] = [];
  const limits: (number | undefined)[] = [];
  const runs = async ([, , script = '']: readonly string[], _stdin?: string, limitMs?: number) => {
    asked.push(script);
    limits.push(limitMs);
    return '';
  };
  await createMacWitness(
    runs,
    signal,
    (what) => asked.push(what),
    () => null,
  ).prepare();
  expect(asked).toEqual(['allow', expect.stringContaining('System Events'), expect.stringContaining('Finder')]);
  expect(limits).toEqual([120_000, 120_000]);
});

it('opens a list of its own files in the Finder, and closes and deletes only that', async () => {
  const asked: string[] = [];
  let folder = '';
  const rows = createMacRows(async ([program, ...args]) => {
    const script = args.at(-1) ?? '';
    asked.push(`${program} ${script}`);
    if (program === '/bin/ps') return '  77 /System/Library/CoreServices/Finder.app/Contents/MacOS/Finder\n';
    if (program === '/usr/bin/open') folder = script;
    if (script.includes('one.windows()')) return JSON.stringify([[folder.split('/').at(-1), [1, 2], [3, 4], false]]);
    if (script.includes('selection()')) return '["row 01.txt"]';
    if (script.includes('expanded()')) return 'true';
    return script.includes('position()') ? '[[10,20],[30,40]]' : 'null';
  }, signal);
  const scene = await rows.witness.openRows();
  expect(scene).toMatchObject({ pid: 77, row: 'row 01.txt', folding: 'folder', last: 'row 60.txt' });
  expect(readdirSync(folder)).toHaveLength(61);
  expect(await rows.witness.selectedRows()).toEqual(['row 01.txt']);
  expect(await rows.witness.isUnfolded()).toBe(true);
  expect(await rows.witness.openPassword()).toEqual({ x: 10, y: 20, width: 30, height: 40 });
  await rows.close();
  expect(existsSync(folder)).toBe(false);
  const closing = asked.filter((one) => one.includes('.close()'));
  expect(closing).toHaveLength(1);
  expect(closing[0]).toContain(`name: "${scene.title}"`);
  const before = asked.length;
  await rows.close();
  expect(asked).toHaveLength(before);
});
