/** How this process gets and gives back memory. Called by the host before it opens anything. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import koffi from 'koffi';
import type { DesktopBackend } from './desktop.js';

/** Of mallopt in glibc's malloc.h. */
const M_MMAP_THRESHOLD = -3;
const M_ARENA_MAX = -8;

/** Pixels are larger. The default grows with what is freed, up to 32 MB. */
const OWN_MAPPING_BYTES = 256 * 1024;
/** Two processors rarely wait for each other here; the default is 8 for each. */
const ARENAS = 2;

/**
 * Has glibc give pixels back as soon as they are freed, instead of keeping them for each thread that ever encoded a picture.
 * False where there is no glibc.
 */
export function giveBackPixels(platform: string = process.platform): boolean {
  if (platform !== 'linux') return false;
  try {
    const mallopt = koffi.load(null).func('int mallopt(int option, int value)');
    const set = (option: number, value: number): boolean => mallopt(option, value) === 1;
    return set(M_ARENA_MAX, ARENAS) && set(M_MMAP_THRESHOLD, OWN_MAPPING_BYTES);
  } catch {
    return false;
  }
}

/** Often enough that a burst of pictures does not add up. */
const TRIM_MS = 1_000;
/** More than before the pictures. V8 by itself waits for twice as many of pixels. */
const NEW_BYTES = 16 * 1024 * 1024;

/** V8 gives the room of young objects back only in a collection with hardly anything allocated in the five seconds before. */
const REST_MS = 7_000;
/** Of that room; it has twice as much after a burst, and next to nothing once given back. */
const YOUNG_BYTES = 8 * 1024 * 1024;

/** How memory goes back to the system. */
export interface MemoryRelease {
  /** Before the first picture of several. Bytes that were collected are counted off some time later, so this is when they are known. */
  begin(): void;
  /** Frees pixels and texts that nothing uses any more, where there may be many. Stops everything for some tens of milliseconds. */
  collect(): void;
  /** Gives back the room of young objects. Stops everything as long. Does so only at rest. */
  shrink(): void;
  /** Gives back pages that encoding left partly used. Works in a thread of libuv's pool. */
  trim(): void;
}

/** `desktop`, with memory given back while pictures are taken, and all of it once none has been taken for a moment. */
export function releaseAfterPictures<D extends Pick<DesktopBackend, 'capture'>>(
  desktop: D,
  { begin, collect, shrink, trim }: MemoryRelease = createMemoryRelease(),
): { desktop: D; close(): void } {
  let timer: NodeJS.Timeout | null = null;
  let taken = false;
  const rest = releaseAtRest({ shrink, trim });
  const wait = (): void => {
    taken = false;
    timer = setTimeout(run, TRIM_MS).unref();
  };
  const run = (): void => {
    timer = null;
    if (taken) wait();
    else {
      collect();
      rest.begin();
    }
    trim();
  };
  const capture: D['capture'] = (target, signal) => {
    taken = true;
    if (timer === null) {
      rest.cancel();
      begin();
      wait();
    }
    return desktop.capture(target, signal);
  };
  return {
    desktop: { ...desktop, capture },
    close: () => {
      if (timer !== null) clearTimeout(timer);
      rest.cancel();
    },
  };
}

/** After work that used much memory for a while: gives back what it left, some seconds later. */
export function releaseAtRest({ shrink, trim }: Pick<MemoryRelease, 'shrink' | 'trim'> = createMemoryRelease()): {
  begin(): void;
  cancel(): void;
} {
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      clearTimeout(timer);
      timer = setTimeout(() => (shrink(), trim()), REST_MS).unref();
    },
    cancel: () => clearTimeout(timer),
  };
}

export function createMemoryRelease(): MemoryRelease {
  let collector: (() => void) | null = null;
  let inUse = usedBytes();
  let collected = false;
  return {
    // What a burst left uncollected is still counted after the next one: else some of each would add up.
    begin: () => {
      inUse = collected ? usedBytes() : Math.min(inUse, usedBytes());
      collected = false;
    },
    collect: () => {
      if (usedBytes() <= inUse + NEW_BYTES) return;
      (collector ??= garbageCollector())();
      collected = true;
    },
    shrink: () => {
      if (youngBytes() > YOUNG_BYTES) (collector ??= garbageCollector())();
    },
    trim: heapTrim(),
  };
}

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function youngBytes(): number {
  const spaces = getHeapSpaceStatistics();
  return spaces.find(({ space_name: name }) => name === 'new_space')?.physical_space_size ?? 0;
}

/** Node tells it only to programs that were started with an option. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  return typeof collect === 'function' ? () => void collect() : () => undefined;
}

/** Does nothing where there is no glibc. */
function heapTrim(): () => void {
  if (process.platform !== 'linux') return () => undefined;
  try {
    const trim = koffi.load(null).func('int malloc_trim(size_t keep)');
    return () => trim.async(0, () => undefined);
  } catch {
    return () => undefined;
  }
}
