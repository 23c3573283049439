/** Compiles the stand-in of macOS's posix_spawn, once for each state of its source. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'spawn.c');
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/chaperone');

/** The path of the library. `WITHOUT_DISCLAIM`: of a system that has no such function. */
export function compileSpawn(...defined: 'WITHOUT_DISCLAIM'[]): string {
  const flags = ['-std=gnu11', '-shared', '-fPIC', '-Wall', '-Werror', ...defined.map((name) => `-D${name}`)];
  const hash = createHash('sha256').update(flags.join(' ')).update(readFileSync(SOURCE)).digest('hex').slice(0, 16);
  const library = join(CACHE, `spawn-standin-${hash}.so`);
  if (existsSync(library)) return library;
  mkdirSync(CACHE, { recursive: true });
  execFileSync('gcc', [...flags, '-o', `${library}.${process.pid}`, SOURCE]);
  renameSync(`${library}.${process.pid}`, library);
  return library;
}
