/** Reads evidence files for the page. Content is returned only when it matches the digest in the log. */
import { sha256 } from '../approvals/digest.js';
import { evidenceNameSchema, type EvidenceFileName, type FileState } from '../protocol/index.js';
import { errno } from '../../base/errno.js';
import type { FileDigest } from './execution-folder.js';
import { openFolder } from './open-folder.js';
import type { OpenFolder } from './folder-interface.js';
import { partsOf, type KnownFolder } from './recorded-folder.js';

/** Enough for a picture of a very large screen; larger files are not sent to the page. */
const MAX_FILE_BYTES = 48 << 20;

interface EvidenceFile {
  fileState: FileState;
  /** The recorded size, or the actual one when none is recorded. */
  bytes: number;
  /** null unless it matches its digest. */
  content: Buffer | null;
}

type RecordedFolder = Pick<KnownFolder, 'dir' | 'files'>;

/** Never rejects: problems are reported as the file's `fileState`. A file that is in both places is read from Chaperone's own: it has all. */
export async function readEvidenceFile(
  stateDir: string,
  known: RecordedFolder,
  name: EvidenceFileName,
): Promise<EvidenceFile> {
  const parts = partsOf(stateDir, known);
  const part = parts.findLast((one) => digestOf(one, name) !== undefined) ?? known;
  const folder = await openFolder(part.dir).catch(standingOfError);
  if (typeof folder === 'string') return { fileState: folder, bytes: 0, content: null };
  try {
    return await readFrom(folder, name, digestOf(part, name));
  } finally {
    await folder.close();
  }
}

type ListedFile = Pick<EvidenceFile, 'fileState' | 'bytes'> & { name: EvidenceFileName; kept?: true };

/** All recorded files with their state, and unrecorded ones that have a name of ours. One that is in both places is listed once. */
export async function listEvidenceFiles(stateDir: string, known: RecordedFolder): Promise<ListedFile[]> {
  const [own = known, kept] = partsOf(stateDir, known);
  const inOwn = await listFolder(own);
  const inKept = kept === undefined ? [] : await listFolder(kept);
  const elsewhere = inKept.map((file): ListedFile => ({ ...file, kept: true }));
  return [...inOwn.filter(({ name }) => elsewhere.every((file) => file.name !== name)), ...elsewhere];
}

async function listFolder(part: RecordedFolder): Promise<ListedFile[]> {
  const folder = await openFolder(part.dir).catch(standingOfError);
  if (typeof folder === 'string')
    return part.files.flatMap(({ name, bytes }) =>
      evidenceNames(name).map((one) => ({ name: one, bytes, fileState: folder })),
    );
  try {
    const found = [];
    const present = await folder.list().catch((): string[] => []);
    for (const name of evidenceNameSchema.options) {
      const digest = digestOf(part, name);
      if (digest === undefined && !present.includes(name)) continue;
      const { fileState, bytes } = await readFrom(folder, name, digest);
      found.push({ name, bytes, fileState });
    }
    return found;
  } finally {
    await folder.close();
  }
}

async function readFrom(
  folder: OpenFolder,
  name: EvidenceFileName,
  digest: FileDigest | undefined,
): Promise<EvidenceFile> {
  const bytes = digest?.bytes ?? 0;
  const without = (fileState: FileState): EvidenceFile => ({ fileState, bytes, content: null });
  if (bytes > MAX_FILE_BYTES) return without('too_big');
  const file = await folder.openFile(name).catch(standingOfError);
  if (typeof file === 'string') return without(file);
  try {
    const found = await file.stat();
    if (digest === undefined) return { fileState: 'unrecorded', bytes: found.size, content: null };
    if (!found.isFile() || found.size !== digest.bytes) return without('edited');
    const content = Buffer.alloc(digest.bytes);
    const { bytesRead } = await file.read(content, 0, digest.bytes, 0);
    const same = bytesRead === digest.bytes && sha256(content) === digest.sha256;
    return same ? { fileState: 'as_written', bytes, content } : without('edited');
  } catch (error) {
    return without(standingOfError(error));
  } finally {
    await file.close();
  }
}

function standingOfError(error: unknown): FileState {
  const code = errno(error);
  if (code === 'ENOENT') return 'missing';
  return code === 'ELOOP' || code === 'ENOTDIR' ? 'edited' : 'unreadable';
}

function digestOf({ files }: RecordedFolder, name: EvidenceFileName): FileDigest | undefined {
  return files.find((file) => file.name === name);
}

function evidenceNames(name: string): EvidenceFileName[] {
  const found = evidenceNameSchema.safeParse(name);
  return found.success ? [found.data] : [];
}
