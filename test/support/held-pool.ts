import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

/** Of libuv's pool, as Node has it. */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);

/**
 * Holds all threads in which Node reads files and pictures are encoded, each by opening a pipe that nobody writes to. What is given to them
 * from now on waits for `release`.
 */
export function holdPool(): { release(): Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'chp-pool-'));
  const pipes = Array.from({ length: THREADS }, (_, index) => join(folder, `${index}`));
  execFileSync('mkfifo', pipes);
  const readers = pipes.map((pipe) => open(pipe, 'r'));
  let released: Promise<void> | null = null;
  async function release(): Promise<void> {
    // Does not wait for the other end, which may not be opened yet.
    const writers = pipes.map((pipe) => openSync(pipe, 'r+'));
    for (const reader of readers) await (await reader).close();
    for (const writer of writers) closeSync(writer);
    rmSync(folder, { recursive: true });
  }
  return { release: () => (released ??= release()) };
}
