/** The record for the person who looks back: pages of what happened, and one action's evidence. Everything comes from the log, checked against its hashes. */
import * as z from 'zod';
import {
  ACTIVITY_PAGE,
  type Activity,
  type ActivityFilter,
  type Evidence,
  type EvidenceFileName,
  type EvidenceVerdict,
  type Picture,
  type Standing,
} from '../protocol/index.js';
import type { Entry } from './entries.js';
import { inspectFolder } from './inspect.js';
import { shownActivity, withDecision, type Ledger } from './ledger.js';
import { readLines } from './lines.js';
import { readEvidence, standings } from './reading.js';
import type { Thumbnails } from './thumbnails.js';
import type { Row, Timeline } from './timeline.js';
import { verifyEvidence, type Verdict } from './verify.js';
import { message } from '../../messages/index.js';

export interface Archive {
  page(before: number | null, filter: ActivityFilter): Promise<ActivityPage>;
  thumbnails(executionIds: readonly string[]): Promise<{ executionId: string; picture: Picture | null }[]>;
  /** null: the record knows no such execution. `damaged`: it does, and can no longer say what it was. */
  evidence(executionId: string): Promise<Evidence | 'damaged' | null>;
  file(executionId: string, name: EvidenceFileName, offset: number): Promise<FilePart | null>;
  verify(executionId: string): Promise<EvidenceVerdict | null>;
}

interface ActivityPage {
  rows: Activity[];
  next: number | null;
  total: number;
  damaged: number;
  agents: string[];
}

interface FilePart {
  standing: Standing;
  bytes: number;
  base64: string;
  next: number | null;
}

export interface ArchiveOptions {
  stateDir: string;
  ledger: Ledger;
  timeline: Timeline;
  thumbnails: Thumbnails;
  now: () => Date;
}

/** Of a file in one message. */
const PART_BYTES = 3 << 20;
const MOST_AGENTS = 50;
const MOST_FAULTS = 20;
const PICTURES = ['after.png', 'observe.png', 'before.png'] as const;

export function createArchive(options: ArchiveOptions): Archive {
  const { stateDir, ledger, timeline, thumbnails } = options;
  let checking: Promise<Verdict> | null = null;
  let drawing: Promise<unknown> = Promise.resolve();

  /** One look at the whole log at a time, however many pages ask. */
  function checkRecord(): Promise<Verdict> {
    checking ??= verifyEvidence({ stateDir, files: false }).finally(() => {
      checking = null;
    });
    return checking;
  }

  function shown(row: Row, entry: Entry | null): Activity | null {
    const activity = entry && shownActivity(entry, row.seq);
    if (!activity) return null;
    const gone = row.deleted !== null;
    return {
      ...(row.decided === null ? activity : withDecision(activity, row.decided)),
      evidenceDir: gone ? null : activity.evidenceDir,
      thumbnail: gone ? null : thumbnails.get(row.executionId),
    };
  }

  /** Like the others, one at a time: a picture is decoded whole. */
  function draw(executionId: string): Promise<Picture | null> {
    const drawn = drawing.then(() => drawNow(executionId));
    drawing = drawn.catch(() => undefined);
    return drawn;
  }

  async function drawNow(executionId: string): Promise<Picture | null> {
    const kept = thumbnails.get(executionId);
    const known = ledger.folder(executionId);
    if (kept !== null || known === null || known.state === 'deleted') return kept;
    const name = PICTURES.find((one) => known.files.some((file) => file.name === one));
    if (name === undefined) return null;
    const { content } = await readEvidence(known, name);
    return content && thumbnails.make(executionId, content);
  }

  async function lineOf(row: Row | null): Promise<Evidence['line']> {
    if (row === null) return null;
    const [entry = null] = await readLines(stateDir, [row]);
    return { seq: row.seq, hash: row.hash, activity: shown(row, entry) };
  }

  return {
    async page(before, filter) {
      const { rows, next, total } = timeline.find(before, filter, ACTIVITY_PAGE);
      const entries = await readLines(stateDir, rows);
      const read = rows.flatMap((row, index) => shown(row, entries[index] ?? null) ?? []);
      return { rows: read, next, total, damaged: rows.length - read.length, agents: timeline.agents(MOST_AGENTS) };
    },
    async thumbnails(executionIds) {
      const pictures = [];
      for (const executionId of executionIds) pictures.push({ executionId, picture: await draw(executionId) });
      return pictures;
    },
    async evidence(executionId) {
      const row = timeline.row(executionId);
      const known = ledger.folder(executionId);
      if (row === null && known === null) return null;
      const [entry = null] = row === null ? [] : await readLines(stateDir, [row]);
      const ended = entry?.kind === 'ended' ? entry : null;
      const facts = ended?.execution ?? known?.execution;
      if (facts === undefined) return 'damaged';
      return {
        state: known?.state ?? 'ended',
        activity: row && shown(row, entry),
        agent: facts.agent,
        tool: facts.tool,
        protocol: facts.protocol,
        workspace: facts.workspace,
        requestId: facts.requestId,
        requestDigest: facts.requestDigest,
        since: facts.since,
        startedAt: row?.startedAt ?? null,
        endedAt: entry?.at ?? null,
        decision: z.json().parse(ended?.decision ?? row?.decided ?? null),
        error: ended?.error ?? null,
        incomplete: ended?.incomplete ?? false,
        dir: known?.dir ?? null,
        files: known === null || known.state === 'deleted' ? [] : await standings(known),
        deleted: row?.deleted ?? null,
        lineDamaged: row !== null && entry === null,
        line: row && { seq: row.seq, hash: row.hash, activity: null },
        previous: await lineOf(row && timeline.before(row.seq)),
        newest: await lineOf(timeline.newest()),
      };
    },
    async file(executionId, name, offset) {
      const known = ledger.folder(executionId);
      if (known === null) return null;
      if (known.state === 'deleted') return { standing: 'missing', bytes: 0, base64: '', next: null };
      const { standing, bytes, content } = await readEvidence(known, name);
      const part = content?.subarray(offset, offset + PART_BYTES);
      const end = offset + (part?.length ?? 0);
      return { standing, bytes, base64: part?.toString('base64') ?? '', next: part && end < bytes ? end : null };
    },
    async verify(executionId) {
      const row = timeline.row(executionId);
      const known = ledger.folder(executionId);
      if (row === null && known === null) return null;
      const own = known === null || known.state === 'deleted' ? [] : await inspectFolder(known);
      const [entry = null] = row === null ? [] : await readLines(stateDir, [row]);
      const line = row !== null && entry === null ? [message('record.line_unreadable', { line: row.seq })] : [];
      const record = await checkRecord();
      return {
        ok: record.ok && own.length + line.length === 0,
        own: [...line, ...own.map(({ said }) => said)].slice(0, MOST_FAULTS),
        record: record.problems.slice(0, MOST_FAULTS).map(({ said }) => said),
        recordFaults: record.problems.length,
        lines: record.lines,
        at: options.now().toISOString(),
      };
    },
  };
}
