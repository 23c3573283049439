/** Changes one entry in another program's configuration file, atomically. Nothing is written where other content would not be kept. */
import { errno } from '../../base/type-guards.js';
import { message, MessageError, textOf, type Message } from '../../messages/index.js';
import { lstat, mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import writeFileAtomic from 'write-file-atomic';
import { EditError, type Format, SetupRefused } from './edit.js';

export interface EntryLocation {
  file: string;
  format: Format;
  /** Of the entry; the last part is Chaperone's name. */
  path: readonly string[];
  /** The command or text for a person who does it by hand. */
  byHand: string;
  /** For a new file and folder. */
  mode: { file: number; folder: number };
}

type Outcome = 'added' | 'updated' | 'already' | 'removed' | 'absent';

export interface FileChange {
  outcome: Outcome;
  /** With links resolved. */
  file: string;
  /** Copy of the file from before Chaperone first changed it; null where there is none. */
  backup: string | null;
}

interface Content {
  real: string;
  /** null: there is no such file. */
  bytes: Buffer | null;
  bom: string;
  text: string;
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_ATTEMPTS = 3;
const BOM = '\ufeff';
const backupPath = (real: string) => `${real}.chaperone-backup`;

/** undefined where there is no entry. */
export async function readEntry(target: EntryLocation): Promise<unknown> {
  const { text, real } = await readContent(target.file);
  return withEditErrors(target, real, () => target.format.read(text, target.path));
}

export function writeEntry(target: EntryLocation, value: unknown): Promise<FileChange> {
  return retryOnChange(target, async (content) => {
    const { real, text, bytes } = content;
    const { before, next } = withEditErrors(target, real, () => ({
      before: target.format.read(text, target.path),
      next: target.format.write(text, target.path, value),
    }));
    if (next === text && bytes !== null) return { outcome: 'already', file: real, backup: null };
    if (bytes !== null) await assertWritable(target, real);
    const kept = await exists(backupPath(real));
    await mkdir(dirname(real), { recursive: true, mode: target.mode.folder });
    const backup = bytes === null ? null : backupPath(real);
    // A backup from an earlier registration that was removed by hand would restore an old file.
    if (bytes !== null && (before === undefined || !kept))
      await writeFileAtomic(backupPath(real), bytes, await modeAndOwnerOf(real));
    await replace(target, content, Buffer.from(content.bom + next));
    return { outcome: before === undefined ? 'added' : 'updated', file: real, backup };
  });
}

/** Restores the original bytes where nothing else has changed since. `onlyOurs`: removes nothing that Chaperone may not have written. */
export function removeEntry(target: EntryLocation, onlyOurs = false): Promise<FileChange> {
  return retryOnChange(target, async (content) => {
    const { real, text } = content;
    const { before, next } = withEditErrors(target, real, () => ({
      before: target.format.read(text, target.path),
      next: target.format.remove(text, target.path),
    }));
    const original = await originalBytes(target, content, before);
    const mayBeTheirs = onlyOurs && original === undefined && !(await exists(backupPath(real)));
    if (before === undefined || mayBeTheirs) return { outcome: 'absent', file: real, backup: null };
    await assertWritable(target, real);
    if (original === null) await replace(target, content, null);
    else await replace(target, content, original ?? Buffer.from(content.bom + next));
    await rm(backupPath(real), { force: true });
    return { outcome: 'removed', file: real, backup: null };
  });
}

/** The file's bytes before the entry was added; null: there was no file; undefined: unknown. */
async function originalBytes(
  target: EntryLocation,
  { real, text }: Content,
  entry: unknown,
): Promise<Buffer | null | undefined> {
  const backup = backupPath(real);
  const kept = (await exists(backup)) ? await readContent(backup) : null;
  try {
    const earlier = kept?.text ?? '';
    if (target.format.read(earlier, target.path) !== undefined) return undefined;
    const again = target.format.write(earlier, target.path, entry);
    return again === text ? (kept?.bytes ?? null) : undefined;
  } catch {
    return undefined;
  }
}

/** Starts again where the file changed between reading and writing. */
async function retryOnChange(
  target: EntryLocation,
  change: (content: Content) => Promise<FileChange>,
): Promise<FileChange> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change(await readContent(target.file));
    } catch (error) {
      if (!(error instanceof SetupRefused)) throw unwritable(target, target.file, textOf(error));
      if (error.code !== 'changed_meanwhile' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** A rename would replace the file all the same, but who took the right to write it does not want it changed. */
async function assertWritable(target: EntryLocation, real: string): Promise<void> {
  const { mode } = await stat(real);
  if ((mode & 0o200) === 0) throw unwritable(target, real, message('setup.why.read_only'));
}

const unwritable = ({ byHand }: EntryLocation, file: string, why: Message): SetupRefused =>
  new SetupRefused('unreadable_file', message('setup.unwritable_file', { file, why, byHand }));

async function readContent(file: string): Promise<Content> {
  try {
    const real = await resolveLink(file);
    const info = await stat(real).catch(orNull);
    if (info === null) return { real, bytes: null, bom: '', text: '' };
    if (!info.isFile() || info.size > MAX_FILE_BYTES) throw new MessageError(message('setup.why.no_file'));
    const bytes = await readFile(real);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith(BOM) ? { real, bytes, bom: BOM, text: text.slice(1) } : { real, bytes, bom: '', text };
  } catch (error) {
    if (error instanceof SetupRefused) throw error;
    const why = error instanceof TypeError ? message('setup.why.not_utf8') : textOf(error);
    throw new SetupRefused('unreadable_file', message('setup.unreadable_file', { file, why }));
  }
}

/** The path of the file itself: a link stays a link. */
async function resolveLink(file: string): Promise<string> {
  const link = await lstat(file).catch(orNull);
  if (link === null) return file;
  try {
    return await realpath(file);
  } catch {
    throw new SetupRefused('unreadable_file', message('setup.broken_link', { file }));
  }
}

async function replace(target: EntryLocation, { real, bytes }: Content, next: Buffer | null): Promise<void> {
  const now = (await exists(real)) ? await readFile(real) : null;
  if (!isDeepStrictEqual(now, bytes))
    throw new SetupRefused('changed_meanwhile', message('setup.changed_meanwhile', { file: real }));
  if (next === null) return rm(real);
  await writeFileAtomic(real, next, bytes === null ? { mode: target.mode.file } : await modeAndOwnerOf(real));
}

async function modeAndOwnerOf(real: string): Promise<{ mode: number; chown: { uid: number; gid: number } }> {
  const { mode, uid, gid } = await stat(real);
  return { mode: mode & 0o7777, chown: { uid, gid } };
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(orNull)) !== null;
}

/** Turns an {@link EditError} into a refusal with the way to do it by hand. */
function withEditErrors<T>({ byHand }: EntryLocation, real: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    const facts = { file: real, why: error.text, byHand };
    throw error.kind === 'invalid'
      ? new SetupRefused('invalid_file', message('setup.invalid_file', facts))
      : new SetupRefused('other_form', message('setup.other_form', facts));
  }
}

function orNull(error: unknown): null {
  if (errno(error) === 'ENOENT') return null;
  throw error;
}
