/** A configuration file of somebody else: read whole, changed by one entry, written at once. What cannot be kept is not begun. */
import { message } from '../../messages/index.js';
import { lstat, mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import writeFileAtomic from 'write-file-atomic';
import { EditError, type Format } from './edit.js';
import { SetupRefused } from './refusal.js';

export interface Target {
  file: string;
  format: Format;
  /** To the entry; its last part is our name. */
  path: readonly string[];
  /** What the person can do by hand where Chaperone cannot. */
  byHand: string;
  /** Of a file and folder that are not there yet. */
  mode: { file: number; folder: number };
}

type Outcome = 'added' | 'updated' | 'already' | 'removed' | 'absent';

export interface Changed {
  outcome: Outcome;
  /** Links followed. */
  file: string;
  /** The file as it was before Chaperone first changed it; null where there was none, or it is no longer needed. */
  backup: string | null;
}

interface Content {
  real: string;
  /** null: there is no such file. */
  bytes: Buffer | null;
  bom: string;
  text: string;
}

const MOST_BYTES = 16 * 1024 * 1024;
const TRIES = 3;
const BOM = '\ufeff';
const backupOf = (real: string) => `${real}.chaperone-backup`;

/** Undefined where there is none. */
export async function readEntry(target: Target): Promise<unknown> {
  const { text, real } = await readContent(target.file);
  return edited(target, real, () => target.format.read(text, target.path));
}

export function writeEntry(target: Target, value: unknown): Promise<Changed> {
  return patiently(target, async (content) => {
    const { real, text, bytes } = content;
    const { before, next } = edited(target, real, () => ({
      before: target.format.read(text, target.path),
      next: target.format.write(text, target.path, value),
    }));
    if (next === text && bytes !== null) return { outcome: 'already', file: real, backup: null };
    const kept = await existing(backupOf(real));
    await mkdir(dirname(real), { recursive: true, mode: target.mode.folder });
    const backup = bytes === null ? null : backupOf(real);
    // One from an earlier registration that was taken away by hand would bring back an old file.
    if (bytes !== null && (before === undefined || !kept))
      await writeFileAtomic(backupOf(real), bytes, await like(real));
    await replace(target, content, Buffer.from(content.bom + next));
    return { outcome: before === undefined ? 'added' : 'updated', file: real, backup };
  });
}

/** Where nothing else has changed since, the file gets its first bytes back. `sure`: only what Chaperone is seen to have written. */
export function removeEntry(target: Target, sure = false): Promise<Changed> {
  return patiently(target, async (content) => {
    const { real, text } = content;
    const { before, next } = edited(target, real, () => ({
      before: target.format.read(text, target.path),
      next: target.format.remove(text, target.path),
    }));
    const first = await firstBytes(target, content, before);
    const unsure = sure && first === undefined && !(await existing(backupOf(real)));
    if (before === undefined || unsure) return { outcome: 'absent', file: real, backup: null };
    if (first === null) await replace(target, content, null);
    else await replace(target, content, first ?? Buffer.from(content.bom + next));
    await rm(backupOf(real), { force: true });
    return { outcome: 'removed', file: real, backup: null };
  });
}

/** What the file was before our entry went in: its bytes, null where there was no file, undefined where that cannot be said. */
async function firstBytes(target: Target, { real, text }: Content, entry: unknown): Promise<Buffer | null | undefined> {
  const backup = backupOf(real);
  const kept = (await existing(backup)) ? await readContent(backup) : null;
  try {
    const earlier = kept?.text ?? '';
    if (target.format.read(earlier, target.path) !== undefined) return undefined;
    const again = target.format.write(earlier, target.path, entry);
    return again === text ? (kept?.bytes ?? null) : undefined;
  } catch {
    return undefined;
  }
}

/** Begins anew where the file changed between reading and writing. */
async function patiently(target: Target, change: (content: Content) => Promise<Changed>): Promise<Changed> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change(await readContent(target.file));
    } catch (error) {
      if (!(error instanceof SetupRefused))
        throw new SetupRefused(
          'unreadable_file',
          message('setup.unwritable_file', {
            file: target.file,
            why: error instanceof Error ? error.message : String(error),
          }),
        );
      if (error.code !== 'changed_meanwhile' || tries === TRIES) throw error;
    }
  }
}

async function readContent(file: string): Promise<Content> {
  try {
    const real = await followed(file);
    const info = await stat(real).catch(orNull);
    if (info === null) return { real, bytes: null, bom: '', text: '' };
    if (!info.isFile() || info.size > MOST_BYTES) throw new Error('it is no ordinary file');
    const bytes = await readFile(real);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith(BOM) ? { real, bytes, bom: BOM, text: text.slice(1) } : { real, bytes, bom: '', text };
  } catch (error) {
    if (error instanceof SetupRefused) throw error;
    const why = error instanceof TypeError ? 'it is not UTF-8' : error instanceof Error ? error.message : String(error);
    throw new SetupRefused('unreadable_file', message('setup.unreadable_file', { file, why }));
  }
}

/** A link stays a link, and what it leads to is changed. */
async function followed(file: string): Promise<string> {
  const link = await lstat(file).catch(orNull);
  if (link === null) return file;
  try {
    return await realpath(file);
  } catch {
    throw new SetupRefused('unreadable_file', message('setup.broken_link', { file }));
  }
}

async function replace(target: Target, { real, bytes }: Content, next: Buffer | null): Promise<void> {
  const now = (await existing(real)) ? await readFile(real) : null;
  if (!isDeepStrictEqual(now, bytes))
    throw new SetupRefused('changed_meanwhile', message('setup.changed_meanwhile', { file: real }));
  if (next === null) return rm(real);
  await writeFileAtomic(real, next, bytes === null ? { mode: target.mode.file } : await like(real));
}

async function like(real: string): Promise<{ mode: number; chown: { uid: number; gid: number } }> {
  const { mode, uid, gid } = await stat(real);
  return { mode: mode & 0o7777, chown: { uid, gid } };
}

async function existing(file: string): Promise<boolean> {
  return (await stat(file).catch(orNull)) !== null;
}

function edited<T>({ byHand }: Target, real: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    const facts = { file: real, why: error.message, byHand };
    throw error.kind === 'invalid'
      ? new SetupRefused('invalid_file', message('setup.invalid_file', facts))
      : new SetupRefused('other_form', message('setup.other_form', facts));
  }
}

function orNull(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
