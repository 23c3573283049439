import { expect, it, vi } from 'vitest';
import type { Effect } from '../../src/main/protocol/index.js';
import type { Approver } from '../../src/main/approvals/index.js';
import type { ApprovalRequest, Caller, Decision } from '../../src/main/approvals/request.js';
import { unknownPeer } from '../../src/main/agents/caller.js';
import { createIsSame, createWatchCaller, forSameProgram } from '../../src/main/agents/same-program.js';

const peer = { ...unknownPeer('x'), pid: 41 };
const asking = { ...peer, pid: 40 };
const caller = { peer, asking } as Caller;
const byPerson: Decision = { kind: 'allowed', by: 'person', approvalId: 'a', grantId: null, where: 'page', at: '', waitedMs: 0 }; // prettier-ignore

const byPolicy: Decision = { ...byPerson, by: 'policy', approvalId: null };

function start() {
  let decision = byPerson;
  const gone = new Set<number>();
  const asked: string[] = [];
  const approver: Approver = {
    decide: async () => {
      asked.push('decide');
      return decision;
    },
    withdraw: () => true,
    refused: () => null,
    sight: () => 'asks',
    assertOpen: () => undefined,
    look: () => null,
    acted: () => undefined,
    revoked: () => false,
  };
  const isSame = createIsSame({ isSameProcess: ({ pid }) => !gone.has(pid) });
  const wrapped = forSameProgram(approver, isSame, (effect) => effect === 'read');
  const decide = (effect: Effect = 'input') =>
    wrapped.decide({ caller, action: { effect } } as ApprovalRequest, () => undefined, AbortSignal.any([]));
  return { gone, asked, isSame, wrapped, decide, will: (next: Decision) => void (decision = next) };
}

it('[req:ID-3] as long as both programs run, the approver decides', async () => {
  const { wrapped, decide } = start();
  expect(await decide()).toBe(byPerson);
  expect(wrapped.revoked(byPerson, caller)).toBe(false);
  expect(() => wrapped.assertOpen(caller)).not.toThrow();
});

it.each([
  ['peer', 41],
  ['agent behind a shim', 40],
])('[req:ID-3] once the %s is another, nothing is asked and nothing allowed acts', async (_who, pid) => {
  // prettier-ignore
  const { gone, asked, wrapped, decide } = start();
  gone.add(pid);
  await expect(decide()).rejects.toMatchObject({ details: { reason: 'program_replaced' } });
  expect(asked).toEqual([]);
  expect(wrapped.revoked(byPerson, caller)).toBe(true);
  expect(() => wrapped.assertOpen(caller)).toThrow('replaced by another');
});

it('[req:ID-3] [req:CA-1] a program replaced while a person was asked is not allowed', async () => {
  const { gone, asked, decide } = start();
  const waiting = decide();
  gone.add(41);
  await expect(waiting).rejects.toMatchObject({ details: { reason: 'program_replaced' } });
  expect(asked).toEqual(['decide']);
});

it('[req:ID-3] [req:CA-1] what needs no card runs on the check of its message, unless a person or a grant decided it', async () => {
  const { gone, decide, will } = start();
  gone.add(41);
  await expect(decide('read')).rejects.toMatchObject({ details: { reason: 'program_replaced' } });
  will(byPolicy);
  expect(await decide('read')).toBe(byPolicy);
  will({ ...byPolicy, by: 'grant', grantId: 'g' });
  await expect(decide('read')).rejects.toMatchObject({ details: { reason: 'program_replaced' } });
  will(byPolicy);
  await expect(decide('disclose')).rejects.toMatchObject({ details: { reason: 'program_replaced' } });
});

it('[req:ID-3] the watch of a connection ends with either of its processes', () => {
  const gone = new Set<number>();
  const close = vi.fn();
  const watched: number[] = [];
  const watchCaller = createWatchCaller({
    watch: ({ pid }) => {
      watched.push(pid);
      return { isSame: () => !gone.has(pid), close };
    },
  });
  const watch = watchCaller(caller);
  expect(watched).toEqual([41, 40]);
  expect(watch.isSame()).toBe(true);
  gone.add(40);
  expect(watch.isSame()).toBe(false);
  watch.close();
  expect(close).toHaveBeenCalledTimes(2);
});
