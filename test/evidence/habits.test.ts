import { CLICK } from '../support/titles.js';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { habitsOf as summarize, personDecision } from '../../src/main/evidence/activities.js';
import type { AuditEntry } from '../../src/main/evidence/audit-entries.js';
import { places, runOne } from './support.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ago = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();

function ended(decision: Record<string, unknown> | null): AuditEntry {
  const who = { id: 'a', name: 'a', tile: 'a', claim: null, executable: '/a', script: null, pid: 1, startTime: '1', cwd: null };
  const subject = { title: CLICK, target: null, app: null, place: null };
  const peer = { pid: 1, startTime: '1', uid: 1, executable: '/a', script: null };
  const id = randomUUID();
  const execution = { executionId: id, callId: id, requestId: id, requestDigest: '', tool: 'click', effect: 'input', subject, agent: who, peer, protocol: 'mcp', workspace: '/w', dir: null, since: ago(0) } as const;
  return { kind: 'ended', at: ago(0), execution, outcome: 'confirmed', verified: null, decision: decision as { kind: string } | null, error: null, incomplete: false, files: [] };
} // prettier-ignore

const allowed = (waitedMs: number, more: object = {}) =>
  ended({ kind: 'allowed', by: 'person', approvalId: randomUUID(), at: ago(1), waitedMs, ...more });
const denied = (reason: string, waitedMs: number) =>
  ended({ kind: 'denied', reason, by: 'page', approvalId: randomUUID(), at: ago(1), waitedMs });

function habitsOf(...entries: AuditEntry[]) {
  return summarize(
    entries.flatMap((entry) => personDecision(entry) ?? []),
    NOW,
  );
}

describe('how the person decides', () => {
  test('[req:AP-T-4] counts what a person answered, each request once, in the last seven days', () => {
    const twice = allowed(1_500);
    const old = allowed(100, { at: ago(8) });
    expect(habitsOf(twice, twice, allowed(4_000), denied('denied', 9_000), denied('timeout', 300_000), old)).toEqual({
      days: 7,
      asked: 4,
      allowed: 2,
      denied: 1,
      unanswered: 1,
      medianMs: 4_000,
      hasty: 1,
    });
  });

  test('leaves out what a policy, a grant, a pause or a stop decided', () => {
    const others = [
      allowed(0, { by: 'policy', approvalId: null }),
      allowed(0, { by: 'grant', approvalId: null }),
      denied('paused', 10),
      denied('stopped', 10),
      ended(null),
    ];
    expect(habitsOf(...others)).toMatchObject({ asked: 0, medianMs: null, hasty: 0 });
  });

  test('takes the middle of an even number', () => {
    expect(habitsOf(allowed(1_000), allowed(2_000)).medianMs).toBe(1_500);
  });
});

describe('a recorder', () => {
  const place = places();

  test('[req:AP-T-3] deletes what is too old as soon as it is told to, not before', async () => {
    const { workspace, open } = await place();
    const now = () => NOW;
    const recorder = await open({ now });
    const old = await runOne(recorder, workspace, { at: ago(10) });
    expect(recorder.recent(9).map(({ evidenceDir }) => evidenceDir)).toEqual([old.dir]);
    recorder.setRetention({ maxAgeDays: 7, maxBytes: null });
    await expect.poll(() => recorder.recent(9).map(({ evidenceDir }) => evidenceDir)).toEqual([null]);
    expect(await recorder.habits()).toMatchObject({ days: 7 });
    await recorder.close();
  });
});
