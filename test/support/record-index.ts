/** The index of the record, as whoever can write its file could change it. */
import { existsSync } from 'node:fs';
import Database from 'libsql';
import { expect } from 'vitest';
import { indexOf } from './long-record.js';

function withIndex<T>(stateDir: string, use: (db: Database.Database) => T): T {
  expect(existsSync(indexOf(stateDir))).toBe(true);
  const db = new Database(indexOf(stateDir));
  try {
    return use(db);
  } finally {
    db.close();
  }
}

export const askIndex = (stateDir: string, sql: string, ...values: (string | number)[]): unknown[] =>
  withIndex(stateDir, (db) => db.prepare(sql).all(...values));

/** Expects that at least one row changes. */
export function forgeIndex(stateDir: string, sql: string, ...values: (string | number)[]): void {
  withIndex(stateDir, (db) => expect(db.prepare(sql).run(...values).changes).toBeGreaterThan(0));
}

/** The place of the log that a start reads on from, with what is sealed beside it; null where none was saved. */
export function savedState(stateDir: string): string | null {
  if (!existsSync(indexOf(stateDir))) return null;
  const [found] = askIndex(stateDir, 'SELECT sealed FROM state');
  return typeof found === 'object' && found !== null && 'sealed' in found ? String(found.sealed) : null;
}

export function forgeState(stateDir: string, forge: (text: string) => string): void {
  const text = savedState(stateDir) ?? '';
  expect(forge(text)).not.toBe(text);
  forgeIndex(stateDir, 'UPDATE state SET sealed = ?', forge(text));
}
