/** Reads the record for the page: pages of activities, and the evidence of one execution. Every line and file is checked against its hash before it is returned. */
import * as z from 'zod';
import {
  ACTIVITY_PAGE_ROWS,
  type Activity,
  type ActivityFilter,
  type Evidence,
  type EvidenceFileName,
  type EvidenceVerdict,
  type Picture,
  type FileState,
  type UnindexedPart,
} from '../protocol/index.js';
import { inspectFolders } from './folder-check.js';
import { errorText } from './activities.js';
import {
  readActivities,
  readFolder,
  type KnownFolder,
  readEvidenceFile,
  listEvidenceFiles,
} from './recorded-folder.js';
import type { RecordIndex } from './record-index.js';
import type { ActivityRow } from './index-row.js';
import { readLines } from './log-lines.js';
import { THUMBNAIL_SOURCES, type Thumbnails } from './imaging.js';
import { verifyEvidence, type VerifyResult } from './verify.js';
import { message } from '../../messages/index.js';

export interface Archive {
  page(before: number | null, filter: ActivityFilter): Promise<ActivityPageResult>;
  thumbnails(executionIds: readonly string[]): Promise<{ executionId: string; picture: Picture | null }[]>;
  /** null: no such execution. `damaged`: it is recorded, but its line can no longer be read. */
  evidence(executionId: string): Promise<Evidence | 'damaged' | null>;
  file(executionId: string, name: EvidenceFileName, offset: number): Promise<FilePart | null>;
  verify(executionId: string): Promise<EvidenceVerdict | null>;
  /** False while older lines are not indexed: what is not found may be in one of them. */
  isWhole(): boolean;
}

interface ActivityPageResult {
  rows: Activity[];
  next: number | null;
  total: number | null;
  damaged: number;
  agents: string[];
  older?: UnindexedPart;
}

interface FilePart {
  fileState: FileState;
  bytes: number;
  base64: string;
  next: number | null;
}

interface ArchiveOptions {
  stateDir: string;
  /** Resolves when the log has been read. */
  opened: Promise<unknown>;
  index: RecordIndex;
  thumbnails: Thumbnails;
  now: () => Date;
}

/** Bytes of a file sent in one message. */
const MAX_PART_BYTES = 3 << 20;
const MAX_AGENTS = 50;
const MAX_PROBLEMS = 20;

export function createArchive(options: ArchiveOptions): Archive {
  const { stateDir, index, thumbnails } = options;
  let verification: Promise<VerifyResult> | null = null;
  let thumbnailQueue: Promise<unknown> = Promise.resolve();

  /** Pages that ask at the same time share one verification of the whole log. */
  function checkRecord(): Promise<VerifyResult> {
    verification ??= verifyEvidence({ stateDir, files: false }).finally(() => {
      verification = null;
    });
    return verification;
  }

  const withThumbnail = (activity: Activity): Activity =>
    activity.evidenceDir === null ? activity : { ...activity, thumbnail: thumbnails.get(activity.executionId) };

  /** What is known of an execution: its row once it has ended. */
  async function find(executionId: string): Promise<{ row: ActivityRow | null; known: KnownFolder | null } | null> {
    await options.opened;
    const open = index.calls.folder(executionId);
    const row = open === null ? await index.row(executionId) : null;
    if (row === null && open === null) return null;
    return { row: row?.shown === false ? null : row, known: open ?? (row && (await readFolder(stateDir, row))) };
  }

  /** One at a time: decoding a picture takes memory for all of its pixels. */
  function makeThumbnail(executionId: string): Promise<Picture | null> {
    const drawn = thumbnailQueue.then(() => makeThumbnailNow(executionId));
    thumbnailQueue = drawn.catch(() => undefined);
    return drawn;
  }

  async function makeThumbnailNow(executionId: string): Promise<Picture | null> {
    const kept = thumbnails.get(executionId);
    const known = kept === null ? ((await find(executionId))?.known ?? null) : null;
    if (kept !== null || known === null || known.state === 'deleted') return kept;
    const name = THUMBNAIL_SOURCES.find((one) => known.files.some((file) => file.name === one));
    if (name === undefined) return null;
    const { content } = await readEvidenceFile(stateDir, known, name);
    return content && thumbnails.make(executionId, content);
  }

  async function lineOf(row: ActivityRow | null): Promise<Evidence['line']> {
    if (row === null) return null;
    const [read] = await readActivities(stateDir, [row]);
    return { seq: row.seq, hash: row.hash, activity: read?.activity ? withThumbnail(read.activity) : null };
  }

  const olderThan = (lacks: ReturnType<RecordIndex['lacks']>) =>
    lacks === null ? {} : { older: { percent: lacks.percent } };

  return {
    isWhole: () => index.lacks() === null,
    async page(before, filter) {
      await options.opened;
      const { rows, next, total } = await index.find(before, filter, ACTIVITY_PAGE_ROWS);
      const read = (await readActivities(stateDir, rows)).flatMap(({ activity }) => activity ?? []);
      return {
        rows: read.map(withThumbnail),
        next,
        total,
        damaged: rows.length - read.length,
        agents: index.agents(MAX_AGENTS),
        ...olderThan(index.lacks()),
      };
    },
    async thumbnails(executionIds) {
      const pictures = [];
      for (const executionId of executionIds) pictures.push({ executionId, picture: await makeThumbnail(executionId) });
      return pictures;
    },
    async evidence(executionId) {
      const found = await find(executionId);
      if (found === null) return null;
      const { row, known } = found;
      const [read] = row === null ? [] : await readActivities(stateDir, [row]);
      const entry = read?.entry ?? null;
      const ended = entry?.kind === 'ended' ? entry : null;
      const facts = ended?.execution ?? known?.execution;
      if (facts === undefined) return 'damaged';
      return {
        state: known?.state ?? 'ended',
        activity: read?.activity ? withThumbnail(read.activity) : null,
        agent: facts.agent,
        tool: facts.tool,
        protocol: facts.protocol,
        workspace: facts.workspace,
        requestId: facts.requestId,
        requestDigest: facts.requestDigest,
        since: facts.since,
        startedAt: row === null || row.startedAt === null ? null : new Date(row.startedAt).toISOString(),
        endedAt: entry?.at ?? null,
        decision: z.json().parse(ended?.decision ?? read?.decision ?? null),
        error: ended?.error ? { code: ended.error.code, message: errorText(ended.error) } : null,
        incomplete: ended?.incomplete ?? false,
        dir: known?.dir ?? null,
        files: known === null || known.state === 'deleted' ? [] : await listEvidenceFiles(stateDir, known),
        deleted: row?.deleted ? { reason: row.deleted.reason, at: new Date(row.deleted.at).toISOString() } : null,
        lineDamaged: row !== null && entry === null,
        line: row && { seq: row.seq, hash: row.hash, activity: null },
        previous: await lineOf(row && (await index.before(row.seq))),
        newest: await lineOf(await index.newest()),
      };
    },
    async file(executionId, name, offset) {
      const known = (await find(executionId))?.known ?? null;
      if (known === null) return null;
      if (known.state === 'deleted') return { fileState: 'missing', bytes: 0, base64: '', next: null };
      const { fileState, bytes, content } = await readEvidenceFile(stateDir, known, name);
      const part = content?.subarray(offset, offset + MAX_PART_BYTES);
      const end = offset + (part?.length ?? 0);
      return { fileState, bytes, base64: part?.toString('base64') ?? '', next: part && end < bytes ? end : null };
    },
    async verify(executionId) {
      const found = await find(executionId);
      if (found === null) return null;
      const { row, known } = found;
      const own = known === null || known.state === 'deleted' ? [] : await inspectFolders(stateDir, known);
      const [entry = null] = row === null ? [] : await readLines(stateDir, [row]);
      const line = row !== null && entry === null ? [message('record.line_unreadable', { line: row.seq })] : [];
      const record = await checkRecord();
      return {
        ok: record.ok && own.length + line.length === 0,
        problems: [...line, ...own.map(({ description }) => description)].slice(0, MAX_PROBLEMS),
        recordProblems: record.problems.slice(0, MAX_PROBLEMS).map(({ description }) => description),
        recordProblemCount: record.problems.length,
        lines: record.lines,
        at: options.now().toISOString(),
      };
    },
  };
}
