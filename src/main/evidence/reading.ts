/** Files of evidence read back for the person: only what is as it was written, by the digest the log has of it. */
import { createHash } from 'node:crypto';
import { evidenceNameSchema, type EvidenceFileName, type Standing } from '../protocol/index.js';
import { errno } from './failures.js';
import type { FileDigest } from './folder.js';
import { openFolder } from './handles.js';
import type { Folder } from './held-folder.js';
import type { KnownFolder } from './ledger.js';

/** A picture of a very large screen fits; what is larger is looked at in its folder. */
const MOST_BYTES = 48 << 20;

export interface ReadFile {
  standing: Standing;
  /** As recorded; as found where nothing is recorded. */
  bytes: number;
  /** null unless it is as it was written. */
  content: Buffer | null;
}

type Dir = Pick<KnownFolder, 'dir' | 'files'>;

/** Never rejects: what is wrong with a file is what there is to say of it. */
export async function readEvidence(known: Dir, name: EvidenceFileName): Promise<ReadFile> {
  const folder = await openFolder(known.dir).catch(standingOf);
  if (typeof folder === 'string') return { standing: folder, bytes: 0, content: null };
  try {
    return await readFrom(folder, name, digestOf(known, name));
  } finally {
    await folder.close();
  }
}

/** How each recorded file stands, and what else has a name of ours there. */
export async function standings(known: Dir): Promise<{ name: EvidenceFileName; bytes: number; standing: Standing }[]> {
  const folder = await openFolder(known.dir).catch(standingOf);
  if (typeof folder === 'string')
    return known.files.flatMap(({ name, bytes }) => named(name).map((one) => ({ name: one, bytes, standing: folder })));
  try {
    const found = [];
    const present = await folder.list().catch((): string[] => []);
    for (const name of evidenceNameSchema.options) {
      const digest = digestOf(known, name);
      if (digest === undefined && !present.includes(name)) continue;
      const { standing, bytes } = await readFrom(folder, name, digest);
      found.push({ name, bytes, standing });
    }
    return found;
  } finally {
    await folder.close();
  }
}

async function readFrom(folder: Folder, name: EvidenceFileName, digest: FileDigest | undefined): Promise<ReadFile> {
  const bytes = digest?.bytes ?? 0;
  const without = (standing: Standing): ReadFile => ({ standing, bytes, content: null });
  if (bytes > MOST_BYTES) return without('too_big');
  const file = await folder.openFile(name).catch(standingOf);
  if (typeof file === 'string') return without(file);
  try {
    const found = await file.stat();
    if (digest === undefined) return { standing: 'unrecorded', bytes: found.size, content: null };
    if (!found.isFile() || found.size !== digest.bytes) return without('edited');
    const content = Buffer.alloc(digest.bytes);
    const { bytesRead } = await file.read(content, 0, digest.bytes, 0);
    const same = bytesRead === digest.bytes && createHash('sha256').update(content).digest('hex') === digest.sha256;
    return same ? { standing: 'as_written', bytes, content } : without('edited');
  } catch (error) {
    return without(standingOf(error));
  } finally {
    await file.close();
  }
}

function standingOf(error: unknown): Standing {
  const code = errno(error);
  if (code === 'ENOENT') return 'missing';
  return code === 'ELOOP' || code === 'ENOTDIR' ? 'edited' : 'unreadable';
}

function digestOf({ files }: Dir, name: EvidenceFileName): FileDigest | undefined {
  return files.find((file) => file.name === name);
}

function named(name: string): EvidenceFileName[] {
  const found = evidenceNameSchema.safeParse(name);
  return found.success ? [found.data] : [];
}
