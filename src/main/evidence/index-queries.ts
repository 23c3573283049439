/** The questions that are put to the index. Each looks at a bounded part of it, however long the record. */
import { searchExpression, type ActivityFilter } from '../protocol/index.js';
import { personDecisionSchema, type PersonDecision } from './activities.js';
import { jsonFrom, wordOf, type IndexDatabase, type Value } from './index-database.js';
import { cutName, rowFrom, type ActivityRow } from './index-row.js';

export interface ActivityRows {
  /** Newest first. */
  rows: ActivityRow[];
  /** `before` for the next page; null on the last page. */
  next: number | null;
  /** All that fit; `all`: as many as are listed; null where older rows were not looked at. */
  total: number | 'all' | null;
}

/** So many lines, or hits of a search, are looked at for one page, which may be empty then: the next page goes on. */
const MAX_SEARCHED = 16_384;
const MAX_DECISIONS = 20_000;

const CHANGE = 'SELECT CAST(c.facts AS BLOB) FROM changes c WHERE c.id = a.id AND c.kind';
const ROW = `CAST(a.facts AS BLOB) AS action,
  (${CHANGE} <> 'deleted' ORDER BY c.seq DESC LIMIT 1) AS decided,
  (${CHANGE} = 'deleted' ORDER BY c.seq DESC LIMIT 1) AS deleted`;
const OUTCOME = `CASE WHEN a.outcome = 'waiting'
  AND EXISTS (SELECT 1 FROM changes c WHERE c.id = a.id AND c.kind = 'denied') THEN 'denied' ELSE a.outcome END`;
const FITS = `a.shown = 1 AND a.seq >= ?1 AND a.seq < ?2 AND (?3 IS NULL OR a.agent = ?3) AND (?4 IS NULL OR a.effect = ?4)
  AND (?5 IS NULL OR ${OUTCOME} = ?5) AND (?6 IS NULL OR instr(a.app, ?6) > 0)`;
const LISTED = `FROM actions a WHERE ${FITS}`;
const FOUND = `FROM search JOIN actions a ON a.seq = search.rowid
  WHERE search MATCH ?7 AND search.rowid >= CAST(?1 AS INTEGER) AND search.rowid < CAST(?2 AS INTEGER) AND ${FITS}`;
const HITS = `SELECT min(seq) AS oldest, count(*) AS hits FROM
  (SELECT rowid AS seq FROM search WHERE search MATCH ? AND rowid < CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ${MAX_SEARCHED})`;
const BY_ID = `FROM search JOIN actions a ON a.seq = search.rowid WHERE search MATCH ? ORDER BY a.seq DESC LIMIT 10`;
const DECISIONS = `SELECT seq, CAST(judged AS BLOB) AS judged FROM actions WHERE judged IS NOT NULL AND since >= ?1
  UNION ALL SELECT seq, CAST(judged AS BLOB) FROM changes WHERE judged IS NOT NULL AND at >= ?1
  ORDER BY 1 DESC LIMIT ${MAX_DECISIONS}`;

function rows(db: IndexDatabase, sql: string, ...values: Value[]): ActivityRow[] {
  return db.all(`SELECT ${ROW} ${sql}`, ...values).flatMap(({ action, decided, deleted }) => {
    const facts = { action: jsonFrom(action), decided: jsonFrom(decided), deleted: jsonFrom(deleted) };
    return rowFrom(facts) ?? [];
  });
}

export const rowOf = (db: IndexDatabase, executionId: string): ActivityRow | null =>
  rows(db, BY_ID, `"${wordOf(executionId)}"`).find((row) => row.executionId === executionId) ?? null;

/** The latest that is listed. */
export const rowBefore = (db: IndexDatabase, seq: number): ActivityRow | null =>
  rows(db, 'FROM actions a WHERE a.shown = 1 AND a.seq < ? ORDER BY a.seq DESC LIMIT 1', seq)[0] ?? null;

/** With a folder that was there once, the oldest first. */
export const foldersAfter = (db: IndexDatabase, seq: number, most: number): ActivityRow[] =>
  rows(db, 'FROM actions a WHERE a.folder = 1 AND a.seq > ? ORDER BY a.seq LIMIT ?', seq, most);

/** Of since then, the oldest first. */
export function decisionsSince(db: IndexDatabase, since: number): PersonDecision[] {
  const found = db.all(DECISIONS, since);
  return found.flatMap(({ judged }) => personDecisionSchema.safeParse(jsonFrom(judged)).data ?? []).reverse();
}

export function searchRows(
  db: IndexDatabase,
  before: number | null,
  filter: ActivityFilter,
  most: number,
): ActivityRows {
  const { agent, effect, outcome, app } = filter;
  const match = searchExpression(filter.text ?? '');
  const isAll = [match, agent, effect, outcome, app].every((value) => value === undefined);
  const newest = numberOf(db.get('SELECT max(seq) AS seq FROM actions')?.['seq']) ?? 0;
  const end = Math.min(before ?? Infinity, newest + 1);
  const from = isAll ? 0 : match === undefined ? Math.max(0, end - MAX_SEARCHED) : oldestHit(db, match, end);
  const fitting = match === undefined ? LISTED : FOUND;
  const values = [
    ...[from, end, agent === undefined ? null : cutName(agent), effect ?? null, outcome ?? null],
    ...[app?.toLowerCase() ?? null, ...(match === undefined ? [] : [match])],
  ];
  const found = rows(db, `${fitting} ORDER BY a.seq DESC LIMIT ${most + 1}`, ...values);
  const below = numberOf(db.get('SELECT max(seq) AS seq FROM actions WHERE seq < ?', from)?.['seq']);
  const count = () => numberOf(db.get(`SELECT count(*) AS fitting ${fitting}`, ...values)?.['fitting']);
  const more = found.length > most ? found[most - 1]?.seq : undefined;
  return {
    rows: found.slice(0, most),
    next: more ?? (below === null ? null : below + 1),
    total: isAll ? 'all' : before === null && below === null ? count() : null,
  };
}

/** 0 where the hits are few enough to look at them all. */
function oldestHit(db: IndexDatabase, match: string, end: number): number {
  const found = db.get(HITS, match, end);
  return found?.['hits'] === MAX_SEARCHED ? (numberOf(found['oldest']) ?? 0) : 0;
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
