import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { giveBackPixels } from '../../src/native/memory.js';

const glibc = process.platform === 'linux' && /\/libc\.so\.6$/m.test(readFileSync('/proc/self/maps', 'utf8'));

it.runIf(glibc)('is told to give pixels back where there is glibc', () => {
  expect(giveBackPixels()).toBe(true);
});

it('is left alone elsewhere', () => {
  expect(giveBackPixels('darwin')).toBe(false);
});

it.runIf(glibc)('leaves nothing of freed pixels with the process', () => {
  const script = `
    const { giveBackPixels } = await import(${JSON.stringify(new URL('../../dist/native/memory.js', import.meta.url).href)});
    const { default: koffi } = await import('koffi');
    const libc = koffi.load(null);
    const [malloc, free] = [libc.func('void *malloc(size_t size)'), libc.func('void free(void *pointer)')];
    const memset = libc.func('void *memset(void *pointer, int value, size_t size)');
    const { readFileSync } = await import('node:fs');
    const resident = () => Number(/VmRSS:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
    giveBackPixels();
    const size = 3 * 1024 * 1024;
    const pixels = Array.from({ length: 30 }, () => malloc(size));
    for (const one of pixels) memset(one, 1, size);
    const before = resident();
    for (const one of pixels.slice(0, -1)) free(one);
    console.log(before - resident());`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    cwd: new URL('../..', import.meta.url),
  });
  expect(Number(stdout), stderr).toBeGreaterThan(29 * 3 * 1024 - 2048);
});
