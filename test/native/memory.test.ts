import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DesktopBackend } from '../../src/native/desktop.js';
import { giveBackPixels, releaseAfterPictures } from '../../src/native/memory.js';

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

describe('after pictures', () => {
  const NOTHING = { width: 1, height: 1, rgb: new Uint8Array(3), origin: { x: 0, y: 0 }, scale: 1 };
  let done: string[];

  beforeEach(() => {
    done = [];
    vi.useFakeTimers();
  });
  afterEach(() => void vi.useRealTimers());

  function open() {
    const release = {
      begin: () => undefined,
      collect: () => void done.push('collect'),
      shrink: () => void done.push('shrink'),
      trim: () => void done.push('trim'),
    };
    const backend: Pick<DesktopBackend, 'capture'> = { capture: async () => NOTHING };
    const { desktop, close } = releaseAfterPictures(backend, release);
    const take = () => desktop.capture({ kind: 'display' }, new AbortController().signal);
    return { take, close };
  }

  it('trims each second while pictures are taken, and collects once none has been for a second', async () => {
    const { take } = open();
    vi.advanceTimersByTime(60_000);
    expect(done).toEqual([]);
    for (let second = 0; second < 3; second += 1) {
      expect(await take()).toBe(NOTHING);
      vi.advanceTimersByTime(500);
      await take();
      vi.advanceTimersByTime(500);
    }
    expect(done).toEqual(['trim', 'trim', 'trim']);
    vi.advanceTimersByTime(60_000);
    expect(done).toEqual(['trim', 'trim', 'trim', 'collect', 'trim', 'shrink', 'trim']);
  });

  it('gives the room of young objects back only when nothing was taken for some seconds more', async () => {
    const { take } = open();
    await take();
    vi.advanceTimersByTime(7_000);
    await take();
    vi.advanceTimersByTime(7_000);
    expect(done).not.toContain('shrink');
    vi.advanceTimersByTime(2_000);
    expect(done.filter((what) => what === 'shrink')).toHaveLength(1);
    vi.advanceTimersByTime(60_000);
    expect(done.filter((what) => what === 'shrink')).toHaveLength(1);
  });

  it('does nothing once it is closed', async () => {
    const { take, close } = open();
    await take();
    vi.advanceTimersByTime(2_000);
    done = [];
    close();
    vi.advanceTimersByTime(60_000);
    expect(done).toEqual([]);
  });

  it('does nothing once it is closed in a burst', async () => {
    const { take, close } = open();
    await take();
    close();
    vi.advanceTimersByTime(60_000);
    expect(done).toEqual([]);
  });
});

it('frees pixels that nothing uses any more, where they are many', () => {
  const script = `
    const { createMemoryRelease } = await import(${JSON.stringify(new URL('../../dist/native/memory.js', import.meta.url).href)});
    const { setImmediate } = await import('node:timers/promises');
    const size = 8 * 1024 * 1024;
    const { collect, trim } = createMemoryRelease();
    const inUse = () => Math.round(process.memoryUsage().arrayBuffers / size);
    let pixels = Array.from({ length: 7 }, () => new Uint8Array(size).fill(1));
    const most = inUse();
    const kept = pixels[0];
    pixels = null;
    collect();
    trim();
    // V8 itself would do it, after some seconds; the bytes are counted off by a thread.
    for (const until = performance.now() + 2_000; inUse() > 1 && performance.now() < until; ) await setImmediate();
    console.log(JSON.stringify({ most, left: inUse(), kept: kept[9] }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    cwd: new URL('../..', import.meta.url),
  });
  expect(JSON.parse(stdout || stderr)).toEqual({ most: 7, left: 1, kept: 1 });
});
