import { expect, it } from 'vitest';
import type { Approver, ApprovalRequest, Caller, Decision } from '../../src/main/pipeline/ports.js';
import { unknownPeer } from '../../src/main/agents/caller.js';
import { createIsSame, forSameProgram } from '../../src/main/agents/same-program.js';

const peer = { ...unknownPeer('x'), pid: 41 };
const asking = { ...peer, pid: 40 };
const caller = { peer, asking } as Caller;
const decision: Decision = { kind: 'allowed', by: 'person', approvalId: 'a', grantId: null, where: 'page', at: '', waitedMs: 0 }; // prettier-ignore

function start() {
  const gone = new Set<number>();
  const asked: string[] = [];
  const approver: Approver = {
    decide: async () => {
      asked.push('decide');
      return decision;
    },
    withdraw: () => true,
    assertOpen: () => undefined,
    revoked: () => false,
  };
  const isSame = createIsSame({ isSameProcess: ({ pid }) => !gone.has(pid) });
  const request = { caller } as ApprovalRequest;
  const wrapped = forSameProgram(approver, isSame);
  return { gone, asked, isSame, wrapped, decide: () => wrapped.decide(request, () => undefined, AbortSignal.any([])) };
}

it('[req:ID-3] as long as both programs run, the approver decides', async () => {
  const { wrapped, decide } = start();
  expect(await decide()).toBe(decision);
  expect(wrapped.revoked(decision, caller)).toBe(false);
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
  expect(wrapped.revoked(decision, caller)).toBe(true);
  expect(() => wrapped.assertOpen(caller)).toThrow('replaced by another');
});

it('[req:ID-3] a program replaced while a person was asked is not allowed', async () => {
  const { gone, asked, decide } = start();
  const waiting = decide();
  gone.add(41);
  await expect(waiting).rejects.toMatchObject({ details: { reason: 'program_replaced' } });
  expect(asked).toEqual(['decide']);
});
