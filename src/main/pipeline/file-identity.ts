/** Tells whether, between approval and act, another file or other content has taken the place of what was allowed. */
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { constants, open, stat, type FileHandle } from 'node:fs/promises';
import { message } from '../../messages/index.js';
import { WireError } from '../protocol/index.js';
import type { PlannedFile } from '../approvals/plan.js';
import { sha256 } from '../approvals/digest.js';

const WRITABLE_BY_OTHERS = 0o022;
/** Of all files of a plan together; the largest are then known by their facts only. */
const MAX_READ_BYTES = 128 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;

interface Found {
  path: string;
  facts: BigIntStats | null;
}

/** Reads the content: what is written through a mapping of the file need not show in its times. */
export async function fileIdentities(paths: readonly string[]): Promise<PlannedFile[]> {
  const found = await Promise.all(paths.map(factsOf));
  const digests = await digestsOf(found);
  return found.map(({ path, facts }) => {
    const digest = digests.get(path) ?? null;
    return { path, identity: identityOf(facts, digest), sha256: digest };
  });
}

/** Throws where one of them is another by now, or was written. */
export async function assertSameFiles(planned: readonly PlannedFile[]): Promise<void> {
  if (planned.length === 0) return;
  const paths = planned.map(({ path }) => path);
  if (JSON.stringify(planned) !== JSON.stringify(await fileIdentities(paths))) throw filesChanged(paths);
}

export const filesChanged = (paths: readonly string[]): WireError =>
  new WireError('DESKTOP_TARGET_CHANGED', message('error.files_changed'), { reason: 'files', approved: paths });

const factsOf = async (path: string): Promise<Found> => ({
  path,
  facts: await stat(path, { bigint: true }).catch(() => null),
});

/** Without its content, the time of its status has to do: whoever writes a file cannot set that. */
function identityOf(facts: BigIntStats | null, digest: string | null): string {
  if (facts === null) return 'none';
  const { dev, ino, size, ctimeNs } = facts;
  // What is in a folder may change.
  return digest !== null || facts.isDirectory() ? `${dev}:${ino}` : `${dev}:${ino}:${size}:${ctimeNs}`;
}

async function digestsOf(found: readonly Found[]): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  let left = MAX_READ_BYTES;
  for (const { path, facts } of found.toSorted(bySize)) {
    if (facts === null || !facts.isFile() || isOfTheSystem(facts)) continue;
    const size = Number(facts.size);
    left -= size;
    if (left < 0) break;
    const digest = await digestOf(path, size);
    if (digest !== null) digests.set(path, digest);
  }
  return digests;
}

const bySize = (one: Found, other: Found): number => Number((one.facts?.size ?? 0n) - (other.facts?.size ?? 0n));

/** What only root may write is not read: programs of the system are many and large. */
const isOfTheSystem = ({ uid, mode }: BigIntStats): boolean =>
  uid === 0n && process.getuid?.() !== 0 && (Number(mode) & WRITABLE_BY_OTHERS) === 0;

/** The content, where that is still what was planned; what was not read then is known by its facts. */
export async function readPlannedFile({ path, sha256: planned }: PlannedFile, maxBytes: number): Promise<Uint8Array> {
  const file = await openToRead(path);
  if (file === null) throw filesChanged([path]);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw filesChanged([path]);
    const pieces: Buffer[] = [];
    for await (const piece of piecesOf(file, size)) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    if (planned !== null && sha256(bytes) !== planned) throw filesChanged([path]);
    return bytes;
  } finally {
    await file.close();
  }
}

/** null where it cannot be read. */
async function digestOf(path: string, size: number): Promise<string | null> {
  const file = await openToRead(path);
  if (file === null) return null;
  try {
    const hash = createHash('sha256');
    for await (const piece of piecesOf(file, size)) hash.update(piece);
    return hash.digest('hex');
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

/** Does not wait where a pipe has taken the place of the file. */
const openToRead = (path: string): Promise<FileHandle | null> =>
  open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);

/** What is written behind `size` meanwhile is not read. */
async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const piece = Buffer.allocUnsafe(Math.min(left, PIECE_BYTES));
    const { bytesRead } = await file.read(piece, 0, piece.length);
    if (bytesRead === 0) return;
    left -= bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}
