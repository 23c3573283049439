import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { decodeRow, encodeRow, ROW_BYTES, type ActivityRow } from '../../src/main/evidence/row-format.js';

export const indexOf = (stateDir: string) => join(stateDir, 'audit.index');

/** Writes a row with a code that fits, as whoever knows the format can. */
export async function forgeRow(stateDir: string, number: number, change: (row: ActivityRow) => Partial<ActivityRow>) {
  const file = await open(indexOf(stateDir), 'r+');
  const bytes = Buffer.alloc(ROW_BYTES);
  await file.read(bytes, 0, ROW_BYTES, number * ROW_BYTES);
  const row = decodeRow(bytes);
  if (row === null) throw new Error(`there is no row ${number}`);
  const forged = encodeRow({ ...row, ...change(row) });
  expect(forged.equals(bytes)).toBe(false);
  await file.write(forged, 0, ROW_BYTES, number * ROW_BYTES);
  await file.close();
}
