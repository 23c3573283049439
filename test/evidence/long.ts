import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { EvidenceRecorder, Integrity } from '../../src/main/evidence/index.js';
import type { ActivityFilter } from '../../src/main/protocol/index.js';
import { eventually } from '../support/eventually.js';
import { LONG, writeLongRecord } from '../support/long-record.js';
import { savedState } from '../support/record-index.js';
import { endOf, runOne, startOf, type Place } from './support.js';

/** Its log is long, and an earlier host has read it and left a checkpoint. */
export async function longRecordAt(place: () => Promise<Place>, lines = LONG) {
  const here = await place();
  const written = await writeLongRecord(here.stateDir, lines);
  const recorder = await here.open();
  await settled(recorder);
  await recorder.close();
  expect(savedState(here.stateDir)).not.toBeNull();
  return { ...here, ...written };
}

export const settled = async (recorder: EvidenceRecorder): Promise<void> => {
  await eventually(() => recorder.integrity().state).not.toBe('checking');
};

/** All that it says of itself, until it has checked everything. */
export async function told(recorder: EvidenceRecorder): Promise<Integrity['state'][]> {
  const states = [recorder.integrity().state];
  recorder.onIntegrity(({ state }) => states.push(state));
  await settled(recorder);
  return [...new Set([...states, recorder.integrity().state])];
}

type Archived = Pick<EvidenceRecorder, 'archive'>;
type ActivityPage = Awaited<ReturnType<EvidenceRecorder['archive']['page']>>;

/** From the newest on. */
export async function allPages({ archive }: Archived, filter: ActivityFilter): Promise<ActivityPage[]> {
  const pages: ActivityPage[] = [];
  for (let before: number | null = null; ;) {
    const page: ActivityPage = await archive.page(before, filter);
    pages.push(page);
    if (page.next === null) return pages;
    if (page.older !== undefined) await delay(5);
    before = page.next;
  }
}

export const allIds = async (recorder: Archived): Promise<string[]> =>
  (await allPages(recorder, {})).flatMap(({ rows }) => rows.map(({ executionId }) => executionId));

/** An action whose folder was deleted by its age, and one that waited and was denied, with others in between. */
export async function deleteAndDenyIn(recorder: EvidenceRecorder, place: Pick<Place, 'workspace'>) {
  const { start, dir } = await runOne(recorder, place.workspace, { at: '2026-01-01T00:00:00.000Z' });
  const waiting = startOf(place.workspace, { need: 'line' });
  await (await recorder.begin(waiting)).finish(endOf({ outcome: 'waiting', decision: null }));
  await disclosures(recorder, place, 700);
  await recorder.recordDecision(waiting.executionId, { kind: 'denied' });
  recorder.setRetention({ maxAgeDays: 30, maxBytes: null });
  await eventually(() => existsSync(dir)).toBe(false);
  return { deleted: start.executionId, denied: waiting.executionId };
}

export async function disclosures(recorder: EvidenceRecorder, { workspace }: Pick<Place, 'workspace'>, count: number) {
  const starts = Array.from({ length: count }, () => startOf(workspace, { need: 'line', effect: 'disclose' }));
  // Lines of calls at the same time are made durable together.
  for (let n = 0; n < count; n += 100) {
    const begun = await Promise.all(starts.slice(n, n + 100).map((start) => recorder.begin(start)));
    await Promise.all(begun.map((one) => one.finish(endOf())));
  }
  return starts.map(({ executionId }) => executionId);
}
