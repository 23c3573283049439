/**
 * The file `audit.sqlite`: a cache of the audit log that can be deleted at any time. Every column is read as a number or as bytes:
 * libsql ends the process where it makes a string of text that is no UTF-8, and anybody can write that into this file.
 */
import { constants } from 'node:fs';
import { access, lstat, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAnyArrayBuffer } from 'node:util/types';
import type Database from 'libsql';
import { type IndexedLine, cutName, rowFrom, type ActivityRow } from './index-row.js';
import { searchExpression, type ActivityFilter } from '../protocol/index.js';
import { personDecisionSchema, type PersonDecision } from './activities.js';

/** The questions that are put to the index. Each looks at a bounded part of it, however long the record. */
interface ActivityRows {
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

/** What may be bound: libsql ends the process on a boolean or an object. */
export type Value = string | number | null;
type Schema = 'main' | 'temp';
type Found = Readonly<Record<string, unknown>>;

export const indexPath = (stateDir: string) => `${stateDir}/audit.sqlite`;

export const removeIndex = async (path: string): Promise<void> => {
  for (const part of ['', '-wal', '-shm']) await rm(path + part, { force: true, recursive: true });
};

const VERSION = 1;
const OPENED = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL';
/** Words are written out more often: each time holds up the host for some milliseconds. */
const SMALL_STEPS = "INSERT INTO search(search, rank) VALUES ('hashsize', 32768)";
const UNSAFE = 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF';

/** The same for the cache and for what `verify` compares it with. Rows are only ever added, each under the number of its line. */
const tables = (schema: Schema) => `
  CREATE TABLE ${schema}.actions (
    seq INTEGER PRIMARY KEY, id INTEGER NOT NULL, agent TEXT NOT NULL, app TEXT, effect TEXT NOT NULL, outcome TEXT NOT NULL,
    shown INTEGER NOT NULL, folder INTEGER NOT NULL, since INTEGER NOT NULL, judged TEXT, facts TEXT NOT NULL
  );
  CREATE TABLE ${schema}.changes (
    seq INTEGER PRIMARY KEY, id INTEGER NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, judged TEXT, facts TEXT NOT NULL
  );`;

// An action is found by its identifier as by a word: an index in the order of random numbers would make each line write its own page.
// Words come in lower case and with a space between them (protocol/record.ts): the simplest tokenizer splits them as the page does.
const SCHEMA = `BEGIN;
  ${tables('main')}
  CREATE INDEX actions_judged ON actions(since) WHERE judged IS NOT NULL;
  CREATE INDEX actions_with_folder ON actions(seq) WHERE folder = 1;
  CREATE INDEX changes_by_id ON changes(id, seq);
  CREATE INDEX changes_judged ON changes(at) WHERE judged IS NOT NULL;
  CREATE VIRTUAL TABLE search USING fts5(words, tokenize = 'ascii', detail = none, columnsize = 0);
  CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), sealed TEXT NOT NULL);
  PRAGMA user_version = ${VERSION};
COMMIT;`;
const COMPARED = `${tables('temp')} CREATE TABLE temp.search (words TEXT);`;

const COLUMNS = {
  actions: 'id, agent, app, effect, outcome, shown, folder, since, judged, facts',
  changes: 'id, kind, at, judged, facts',
  search: 'words',
} as const;
type Table = keyof typeof COLUMNS;
const ROWS_A_COPY = 128;
const TABLES: readonly Table[] = ['actions', 'changes', 'search'];
/** libsql binds every number as one with a fraction, for which FTS5 reads all of its rows. */
const INTEGER = 'CAST(? AS INTEGER)';

const insertInto = (table: string, key: string, columns: string): string =>
  `INSERT OR REPLACE INTO ${table} (${key}, ${columns}) VALUES (${INTEGER}, ${columns.replace(/\w+/g, '?')})`;
const inserts = (schema: Schema) => ({
  actions: insertInto(`${schema}.actions`, 'seq', COLUMNS.actions),
  changes: insertInto(`${schema}.changes`, 'seq', COLUMNS.changes),
  search: insertInto(`${schema}.search`, 'rowid', COLUMNS.search),
});
const INSERT = { main: inserts('main'), temp: inserts('temp') };
const KEY = { actions: 'seq', changes: 'seq', search: 'rowid' } as const;

// Rows as one text: of each value its kind, and of texts their length, so that no two rows are written alike.
const cellOf = (column: string): string =>
  `CASE typeof(${column}) WHEN 'text' THEN 't' || octet_length(${column}) || ':' || ${column}
    WHEN 'integer' THEN ${column} || ';' WHEN 'null' THEN 'n' ELSE 'x' END`;
const cell = (value: Value): string =>
  typeof value === 'string' ? `t${Buffer.byteLength(value)}:${value}` : value === null ? 'n' : `${value};`;
const rowsAsText = (table: Table): string => {
  const columns = `${KEY[table]}, ${COLUMNS[table]}`;
  return `SELECT CAST(group_concat(${columns.split(', ').map(cellOf).join(' || ')}, '') AS BLOB) AS text FROM
    (SELECT ${columns} FROM main.${table} WHERE ${KEY[table]} > ${INTEGER} AND ${KEY[table]} <= ${INTEGER} ORDER BY 1)`;
};
const AS_TEXT = { actions: rowsAsText('actions'), changes: rowsAsText('changes'), search: rowsAsText('search') };

/** What a line adds: the number of each row first. */
function rowsOf(line: IndexedLine): [Table, Value[]][] {
  const word = wordOf(line.kind === 'action' ? line.action.executionId : line.executionId);
  const key = keyOf(word);
  if (line.kind === 'action') {
    const { seq, agent, app, effect, outcome, shown, hasFolder, since, decision } = line.action;
    const searched = [key, agent, app?.toLowerCase() ?? null, effect, outcome];
    const facts = [Number(shown), Number(hasFolder), since, json(decision), JSON.stringify(line.action)];
    return [
      ['actions', [seq, ...searched, ...facts]],
      ['search', [seq, `${word} ${line.words}`]],
    ];
  }
  const { seq } = line;
  if (line.kind === 'deleted')
    return [['changes', [seq, key, 'deleted', line.deleted.at, null, JSON.stringify(line.deleted)]]];
  const { kind, by } = line.decided;
  const said = kind === 'denied' ? 'denied' : 'decided';
  return [['changes', [seq, key, said, by?.at ?? 0, json(by), JSON.stringify(line.decided)]]];
}

export class IndexDatabase {
  private readonly statements = new Map<string, Database.Statement>();
  private constructor(private readonly connection: Database.Database) {}

  /** As an earlier host left it. Throws for a file that is missing, damaged or of another version. */
  static async open(path: string): Promise<IndexDatabase> {
    if (!(await isFile(path))) throw new Error('there is no index');
    const db = await IndexDatabase.connect(path);
    db.connection.exec(OPENED);
    if (db.get('PRAGMA user_version')?.['user_version'] === VERSION) return db;
    db.close();
    throw new Error('the index is of another version');
  }

  /** Empty, in the place of what was there. `build`: a crash may leave it damaged. */
  static async create(path: string, how: 'use' | 'build' = 'use'): Promise<IndexDatabase> {
    await removeIndex(path);
    await (await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)).close();
    const db = await IndexDatabase.connect(path);
    db.connection.exec(UNSAFE);
    db.connection.exec(SCHEMA);
    db.connection.exec(how === 'use' ? OPENED : SMALL_STEPS);
    return db;
  }

  static async inMemory(): Promise<IndexDatabase> {
    const db = await IndexDatabase.connect(':memory:');
    db.connection.exec(SCHEMA);
    return db;
  }

  /** To compare with the log: changes nothing. null where there is no file. */
  static async openToCompare(path: string): Promise<IndexDatabase | null> {
    if (!(await isFile(path))) return null;
    const writable = await access(dirname(path), constants.W_OK).then(
      () => true,
      () => false,
    );
    const db = await IndexDatabase.connect(`${pathToFileURL(path).href}?mode=ro${writable ? '' : '&immutable=1'}`);
    db.connection.exec(COMPARED);
    return db;
  }

  private static async connect(path: string): Promise<IndexDatabase> {
    const { default: Connection } = await import('libsql');
    return new IndexDatabase(new Connection(path));
  }

  all(sql: string, ...values: Value[]): Found[] {
    return this.prepare(sql).all(values).filter(isFound);
  }

  /** The first row. Of one that is not read to its end, the statement would hold the file. */
  get(sql: string, ...values: Value[]): Found | null {
    return this.all(sql, ...values)[0] ?? null;
  }

  run(sql: string, ...values: Value[]): void {
    this.prepare(sql).run(values);
  }

  begin(): void {
    this.connection.exec('BEGIN');
  }

  commit(): void {
    this.connection.exec('COMMIT');
  }

  /** To copy to: written as one that is being built. */
  attach(path: string): void {
    this.run('ATTACH ? AS built', path);
    this.connection.exec('PRAGMA built.journal_mode = OFF; PRAGMA built.synchronous = OFF');
  }

  /** Of the next lines after this one. Returns the last of them; null where there is none. */
  copyAfter(seq: number): number | null {
    const next = `(SELECT seq FROM main.actions UNION ALL SELECT seq FROM main.changes) WHERE seq > ${INTEGER} ORDER BY seq`;
    const found = this.get(`SELECT max(seq) AS seq FROM (SELECT seq FROM ${next} LIMIT ${ROWS_A_COPY})`, seq)?.['seq'];
    if (typeof found !== 'number') return null;
    for (const table of TABLES) {
      const columns = `${KEY[table]}, ${COLUMNS[table]}`;
      const range = `${KEY[table]} > ${INTEGER} AND ${KEY[table]} <= ${INTEGER}`;
      this.run(
        `INSERT INTO built.${table} (${columns}) SELECT ${columns} FROM main.${table} WHERE ${range}`,
        seq,
        found,
      );
    }
    return found;
  }

  /** All or nothing. */
  transaction(steps: () => void): void {
    this.connection.exec('BEGIN IMMEDIATE');
    try {
      steps();
      this.connection.exec('COMMIT');
    } catch (error) {
      if (this.connection.inTransaction) this.connection.exec('ROLLBACK');
      throw error;
    }
  }

  insert(schema: Schema, lines: readonly IndexedLine[]): void {
    for (const line of lines) for (const [table, values] of rowsOf(line)) this.run(INSERT[schema][table], ...values);
  }

  /** The number of the last line that added something. */
  lastSeq(): number {
    const found = this.get(
      'SELECT max(coalesce((SELECT max(seq) FROM main.actions), 0), coalesce((SELECT max(seq) FROM main.changes), 0)) AS seq',
    );
    return typeof found?.['seq'] === 'number' ? found['seq'] : 0;
  }

  /** Rows of lines that came after the place of the log that is known. */
  deleteAfter(seq: number): void {
    this.transaction(() => {
      for (const table of TABLES) this.run(`DELETE FROM main.${table} WHERE ${KEY[table]} > ${INTEGER}`, seq);
    });
  }

  /** Whether the rows of lines between `after` and `to` are those of these lines, byte by byte. */
  isOf(lines: readonly IndexedLine[], after: number, to: number): boolean {
    const made: Record<Table, string> = { actions: '', changes: '', search: '' };
    for (const line of lines) for (const [table, values] of rowsOf(line)) made[table] += values.map(cell).join('');
    return TABLES.every((table) => {
      const found = this.get(AS_TEXT[table], after, to)?.['text'];
      return Buffer.from(made[table]).equals(isAnyArrayBuffer(found) ? Buffer.from(found) : Buffer.alloc(0));
    });
  }

  /** Numbers of lines between `after` and `to` whose rows are not those given to `insert('temp', …)`. */
  differing(after: number, to: number): Set<number> {
    const seqs = TABLES.flatMap((table) => {
      const key = KEY[table];
      const columns = `${key} AS seq, ${COLUMNS[table]}`;
      const stored = `SELECT ${columns} FROM main.${table} WHERE ${key} > ${INTEGER} AND ${key} <= ${INTEGER}`;
      const made = `SELECT ${columns} FROM temp.${table}`;
      return [`${stored} EXCEPT ${made}`, `${made} EXCEPT ${stored}`].flatMap((sql) =>
        this.all(`SELECT seq FROM (${sql})`, after, to),
      );
    });
    for (const table of TABLES) this.run(`DELETE FROM temp.${table}`);
    return new Set(seqs.map(({ seq }) => Number(seq)));
  }

  /** False where SQLite finds its file damaged, or an entry of the search that is not of its text. Reads all of it at once. */
  isSound(): boolean {
    return (
      this.get("SELECT count(*) AS faults FROM pragma_integrity_check WHERE integrity_check <> 'ok'")?.['faults'] === 0
    );
  }

  close(): void {
    this.statements.clear();
    try {
      // A statement that is not collected yet keeps the file open, and what was written beside it.
      this.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Read on from there by the next start.
    }
    this.connection.close();
  }

  private prepare(sql: string): Database.Statement {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const made = this.connection.prepare(sql);
    this.statements.set(sql, made);
    return made;
  }
}

/** An identifier as one of the words of its action. */
export const wordOf = (executionId: string): string => executionId.toLowerCase().replace(/[^a-z0-9]/g, '');

/** As much of that word as a number holds: to join by. */
const keyOf = (word: string): number => Number.parseInt(word.slice(0, 13), 16) || 0;

const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

const isFound = (value: unknown): value is Found => typeof value === 'object' && value !== null;

/** Looked at by its name only: a file that is opened and closed here takes the locks of a connection with it. */
const isFile = async (path: string): Promise<boolean> => (await lstat(path).catch(() => null))?.isFile() === true;

/** A column that was read as bytes: the value that its JSON stands for, or null. */
export function jsonFrom(bytes: unknown): unknown {
  const text = textFrom(bytes);
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

export const textFrom = (bytes: unknown): string | null =>
  isAnyArrayBuffer(bytes) ? Buffer.from(bytes).toString('utf8') : null;

/** The file is at fault, not the disk or another program that uses it just now: only then is it made anew. */
export const isDamage = (error: unknown): boolean =>
  !(
    error instanceof Error &&
    'code' in error &&
    /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM)/.test(String(error.code))
  );
