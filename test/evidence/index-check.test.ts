import { readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ROW_BYTES, type ActivityRow } from '../../src/main/evidence/row-format.js';
import { LONG } from '../support/long-record.js';
import { forgeRow, indexOf } from './forge-row.js';
import { allIds, deleteAndDenyIn, disclosures, longRecordAt, settled, told } from './long.js';
import { endOf, places, startOf } from './support.js';

const place = places();

const FORGERIES: [string, (row: ActivityRow) => Partial<ActivityRow>][] = [
  ['hides its action', () => ({ shown: false })],
  ['names another agent', () => ({ agent: 'Agent 9' })],
  ['has another outcome', () => ({ outcome: 'denied' })],
  ['says that its folder was deleted', () => ({ hasFolder: true, deleted: { at: 1_760_000_000_000, reason: 'age' } })],
  ['says that its files were deleted', () => ({ deleted: { at: 1_760_000_000_000, reason: 'age' } })],
  ['is of another action', ({ executionId }) => ({ executionId: executionId.replace(/^.{8}/, '12345678') })],
  ['points to another line', ({ offset }) => ({ offset: offset + 1 })],
  ['has a decision of no line', ({ offset, bytes, hash }) => ({ decidedLine: { offset, bytes, hash } })],
];

describe('an index that was forged [req:DS-8-15]', () => {
  it.each(FORGERIES)('so that a row %s is found after the start, and made anew by the next one', async (_how, forge) => {
    const { open: start, stateDir, ids, warnings } = await longRecordAt(place);
    await forgeRow(stateDir, 5, forge);
    const first = await start();
    expect(await told(first)).toEqual(['checking', 'changed']);
    expect(warnings.join()).toContain('the index of the audit log differs from the log');
    await first.close();
    const second = await start();
    await settled(second);
    expect(second.integrity().state).toBe('unchanged');
    expect(await allIds(second)).toEqual(ids.toReversed());
  }); // prettier-ignore

  it('by a row that is damaged, exchanged with another or of no line is found', async () => {
    const { open: start, stateDir } = await longRecordAt(place);
    const bytes = await readFile(indexOf(stateDir));
    const [one, other] = [bytes.subarray(0, ROW_BYTES), bytes.subarray(ROW_BYTES, 2 * ROW_BYTES)];
    await writeFile(indexOf(stateDir), Buffer.concat([other, one, bytes.subarray(2 * ROW_BYTES)]));
    const first = await start();
    expect(await told(first)).toEqual(['checking', 'changed']);
  });

  it('is not found where decisions and deletions are those of the log', async () => {
    const here = await longRecordAt(place);
    const first = await here.open();
    await deleteAndDenyIn(first, here);
    await disclosures(first, here, 1_400);
    await first.close();
    const second = await here.open();
    expect(await told(second)).toEqual(['checking', 'unchanged']);
    await second.close();

    // Both took back: the folder that is gone would be missed, and the denial would be one that waits.
    const rows = (await stat(indexOf(here.stateDir))).size / ROW_BYTES;
    expect(rows).toBeGreaterThan(LONG + 700);
    await forgeRow(here.stateDir, LONG, () => ({ deleted: null }));
    expect(await told(await here.open())).toEqual(['checking', 'changed']);
  }, 120_000);

  it('so that a decision is left out is found', async () => {
    const here = await longRecordAt(place);
    const first = await here.open();
    const waiting = startOf(here.workspace, { need: 'line' });
    await (await first.begin(waiting)).finish(endOf({ outcome: 'waiting', decision: null }));
    await first.recordDecision(waiting.executionId, { kind: 'denied' });
    await disclosures(first, here, 1_400);
    await first.close();
    await forgeRow(here.stateDir, LONG, () => ({ decidedLine: null, outcome: 'waiting' }));
    expect(await told(await here.open())).toEqual(['checking', 'changed']);
  }, 120_000);
});
