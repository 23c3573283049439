import { expect, it } from 'vitest';
import type { Decision } from '../../src/main/approvals/request.js';
import { agentOf, call, callerOf, press, turnAround, world } from './support.js';

const person = { by: 'key-1', where: 'page' } as const;
const allowedAt = (time: number): Decision => ({
  kind: 'allowed',
  by: 'policy',
  approvalId: null,
  grantId: null,
  where: 'policy',
  at: new Date(time).toISOString(),
  waitedMs: 0,
});

it('an act under way loses its approval when its agent is paused', () => {
  const w = world();
  const decision = allowedAt(w.time.now);
  expect(w.approvals.revoked(decision, callerOf())).toBe(false);
  w.approvals.pause({ on: true, ...person, agentId: agentOf().id });
  expect(w.approvals.revoked(decision, callerOf())).toBe(true);
  expect(w.approvals.revoked(decision, callerOf(agentOf({ pid: 101 })))).toBe(false);
});

it('an approval that cannot be checked counts as revoked', () => {
  const w = world({
    pausedIdentityOf: () => {
      throw new Error('the process table is gone');
    },
  });
  expect(w.approvals.revoked(allowedAt(w.time.now), callerOf())).toBe(true);
  expect(w.failures).toHaveLength(1);
});

it('a pause holds for an agent that stands for the paused one', async () => {
  const w = world({ pausedIdentityOf: (id) => (id === 'agent-101' ? 'agent-100' : id) });
  w.approvals.pause({ on: true, ...person, agentId: 'agent-100' });
  const again = call(w.approvals, { agent: agentOf({ pid: 101 }) });
  expect(await again.decision).toMatchObject({ kind: 'denied', reason: 'paused' });
  expect(() => w.approvals.assertOpen(callerOf(agentOf({ pid: 101 })))).toThrow(/paused/);
});

it('a paused agent is denied even what the policy allows, but may look up how things stand', async () => {
  const w = world();
  w.approvals.pause({ on: true, ...person });
  expect(await call(w.approvals, { effect: 'input' }).decision).toMatchObject({ kind: 'denied', reason: 'paused' });
  expect(await call(w.approvals, { effect: 'bookkeeping' }).decision).toMatchObject({ kind: 'allowed' });
});

it('a card that is still open while its agent is paused cannot be allowed', async () => {
  const w = world({ pausedIdentityOf: (id) => (paused && id === 'agent-100' ? 'agent-900' : id) });
  let paused = false;
  const one = call(w.approvals, { agent: agentOf() });
  await turnAround();
  w.approvals.pause({ on: true, ...person, agentId: 'agent-900' });
  paused = true;
  expect(press(w, 'allow')).toMatchObject({ ok: false, code: 'paused' });
  expect(await one.state()).toBe('pending');
  expect(press(w, 'deny')).toEqual({ ok: true });
});

it('a closing host decides nothing', async () => {
  const w = world();
  w.approvals.close();
  for (const effect of ['read', 'bookkeeping', 'input'] as const)
    expect(await call(w.approvals, { effect }).decision).toMatchObject({ kind: 'denied', reason: 'stopped' });
});
