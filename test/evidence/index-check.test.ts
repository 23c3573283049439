import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { verifyEvidence, type EvidenceRecorder } from '../../src/main/evidence/index.js';
import { indexOf } from '../support/long-record.js';
import { askIndex, forgeIndex } from '../support/record-index.js';
import { allIds, deleteAndDenyIn, disclosures, longRecordAt, settled, told } from './long.js';
import { places, type Place } from './support.js';

const place = places();

const DELETED = JSON.stringify({ at: 1_760_000_000_000, reason: 'age' });
const other = (of: string, to: string) =>
  `UPDATE actions SET facts = replace(facts, '${of}', '${to}') WHERE seq = 6 AND facts LIKE '%${of}%'`;

/** Of the action of line 6. */
const FORGERIES: [string, string][] = [
  ['a row hides its action', 'UPDATE actions SET shown = 0 WHERE seq = 6'],
  ['a row names another agent', "UPDATE actions SET agent = 'Agent 9' WHERE seq = 6"],
  ['a row has another outcome', "UPDATE actions SET outcome = 'denied' WHERE seq = 6"],
  ['a row shows another outcome', other('"outcome":"confirmed"', '"outcome":"denied"')],
  ['a row points to another line', other('"offset":', '"offset":1')],
  ['a row is of another action', 'UPDATE actions SET id = 1 WHERE seq = 6'],
  ['a row is no text', "UPDATE actions SET facts = CAST(facts AS BLOB) WHERE seq = 6"],
  ['a row is missing', 'DELETE FROM actions WHERE seq = 6'],
  ['two rows are exchanged', 'UPDATE actions SET facts = (SELECT o.facts FROM actions o WHERE o.seq = 13 - actions.seq) WHERE seq IN (6, 7)'],
  ['its files were deleted', `INSERT INTO changes SELECT 6, id, 'deleted', 1760000000000, NULL, '${DELETED}' FROM actions WHERE seq = 6`],
  ['it was denied', "INSERT INTO changes SELECT 6, id, 'denied', 0, NULL, '{}' FROM actions WHERE seq = 6"],
  ['a search does not find it', "UPDATE search SET words = 'nothing' WHERE rowid = 6"],
]; // prettier-ignore

/** The next start reads on from after what was recorded before. */
async function severalSaves(recorder: EvidenceRecorder, here: Place): Promise<void> {
  for (let saves = 0; saves < 3; saves += 1) {
    await disclosures(recorder, here, 300);
    await delay(300);
  }
}

describe('an index that was forged [req:DS-8-15]', () => {
  it.each(FORGERIES)('so that %s is found after the start and by verify, and made anew by the next start', async (_what, forge) => {
    const { open: start, stateDir, ids, warnings } = await longRecordAt(place);
    forgeIndex(stateDir, forge);
    const found = await verifyEvidence({ stateDir });
    expect(found).toMatchObject({ ok: false, problems: [{ kind: 'index', line: 6 }] });
    const first = await start();
    expect(await told(first)).toEqual(['checking', 'changed']);
    expect(warnings.join()).toContain('the index of the audit log differs from the log');
    await first.close();
    const second = await start();
    await settled(second);
    expect(second.integrity().state).toBe('unchanged');
    expect(await allIds(second)).toEqual(ids.toReversed());
    await second.close();
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true });
  }); // prettier-ignore

  it('by a row of no line is found', async () => {
    const { stateDir } = await longRecordAt(place);
    const columns = 'id, agent, app, effect, outcome, shown, folder, since, judged, facts';
    forgeIndex(stateDir, `INSERT INTO actions (seq, ${columns}) SELECT 900000, ${columns} FROM actions WHERE seq = 6`);
    expect(await verifyEvidence({ stateDir })).toMatchObject({ problems: [{ kind: 'index', line: 900_000 }] });
  });

  it('so that a search leaves out an action whose words are there is found by verify', async () => {
    const { stateDir } = await longRecordAt(place);
    const [found] = askIndex(stateDir, 'SELECT c0 FROM search_content WHERE id = 6');
    forgeIndex(stateDir, "UPDATE search SET words = 'nothing' WHERE rowid = 6");
    forgeIndex(stateDir, 'UPDATE search_content SET c0 = ? WHERE id = 6', Object(found).c0);
    const whole = await verifyEvidence({ stateDir });
    expect(whole).toMatchObject({ ok: false, problems: [{ kind: 'index' }] });
  });

  it('is not found where decisions and deletions are those of the log', async () => {
    const here = await longRecordAt(place);
    const first = await here.open();
    await deleteAndDenyIn(first, here);
    await severalSaves(first, here);
    await first.close();
    expect(askIndex(here.stateDir, 'SELECT kind FROM changes ORDER BY seq')).toEqual([
      { kind: 'denied' },
      { kind: 'deleted' },
    ]);
    const second = await here.open();
    expect(await told(second)).toEqual(['checking', 'unchanged']);
    await second.close();

    // Taken back: the folder that is gone would be missed, and the denial would be one that waits.
    forgeIndex(here.stateDir, "DELETE FROM changes WHERE kind = 'deleted'");
    const third = await here.open();
    expect(await told(third)).toEqual(['checking', 'changed']);
    await third.close();
    expect(existsSync(indexOf(here.stateDir))).toBe(false);
  }, 120_000);

  it('so that a decision is left out is found', async () => {
    const here = await longRecordAt(place);
    const first = await here.open();
    await deleteAndDenyIn(first, here);
    await severalSaves(first, here);
    await first.close();
    forgeIndex(here.stateDir, "DELETE FROM changes WHERE kind = 'denied'");
    expect(await told(await here.open())).toEqual(['checking', 'changed']);
  }, 120_000);
});
