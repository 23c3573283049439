/** Private JSON files: 0600, whole or not at all, and read only when nobody else can have written them. */
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { errno } from '../../base/type-guards.js';
import { message, MessageError } from '../../messages/index.js';

/** Throws when it is not on disk. */
export function writePrivate(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileAtomic.sync(file, `${JSON.stringify(value)}\n`, { mode: 0o600 });
}

/** The parsed content, or null when there is no such file. Throws for links, foreign owners, files others can open, and bad JSON. */
export function readPrivate(file: string): unknown {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (thrown) {
    if (errno(thrown) === 'ENOENT') return null;
    throw thrown;
  }
  try {
    const stat = fstatSync(fd);
    const mine = process.getuid === undefined || stat.uid === process.getuid();
    const closed = process.platform === 'win32' || (stat.mode & 0o077) === 0;
    if (!stat.isFile() || !mine || !closed) throw new MessageError(message('host.no_private_file', { file }));
    return JSON.parse(readFileSync(fd, 'utf8'));
  } finally {
    closeSync(fd);
  }
}

/** Path components from `root` to `path`; null when it is not inside. Compares whole names: /a/bc is not inside /a/b. */
export function stepsInside(root: string, path: string): string[] | null {
  const steps = relative(root, path);
  if (steps === '') return [];
  if (isAbsolute(steps)) return null;
  const names = steps.split(sep);
  return names[0] === '..' ? null : names;
}

/** Saves state that must be on disk before the host ends. The owner calls `retry` until a failed write succeeds. */
export type DurableWriter = ReturnType<typeof createDurableWriter>;

export function createDurableWriter(save: () => void) {
  let pending = false;
  function write(): void {
    pending = true;
    save();
    pending = false;
  }
  function tryWrite(): boolean {
    try {
      write();
    } catch {
      return false;
    }
    return true;
  }

  return {
    /** Throws when saving fails. */
    write,
    /** Returns false when saving fails. */
    tryWrite,
    /** The last write failed. */
    isPending: (): boolean => pending,
    /** Saves again after a failed write. Does not throw. */
    retry(): void {
      if (pending) tryWrite();
    },
  };
}
