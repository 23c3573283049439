import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { presetPolicy, switchPreset } from '../../src/main/approvals/index.js';
import { agentOf, call, callerOf, planOf, press, world } from './support.js';
import { message } from '../../src/messages/index.js';

const person = { by: 'key-1', where: 'page' } as const;

describe('pause and stop', () => {
  it('[req:DS-6-34] denies what is open, ends tokens and kept permissions, and is lifted by a person only', async () => {
    const w = world();
    const caller = callerOf();
    const orphan = call(w.approvals, { agent: agentOf({ pid: 101 }) });
    orphan.end('detach');
    press(w, 'allow');
    const one = call(w.approvals);
    const turn = call(w.approvals, { args: { x: 2 } });
    const plan = planOf();
    const allowed = { kind: 'allowed', by: 'person', approvalId: null, grantId: null, where: 'page', at: new Date(w.time.now).toISOString(), waitedMs: 0 } as const; // prettier-ignore
    const binding = { caller, method: 'desktop.click', paramsDigest: 'd', workspace: '/w' };
    const { token } = w.approvals.tokens.issue({ ...binding, plan, ttlMs: 60_000, decision: allowed });
    expect(w.approvals.revoked(allowed, caller)).toBe(false);
    w.approvals.stop({ by: 'hotkey', where: 'host' });
    expect(await one.decision).toMatchObject({ kind: 'denied', reason: 'stopped' });
    expect(await turn.decision).toMatchObject({ kind: 'denied', reason: 'paused' });
    expect(w.events.at(-1)).toMatchObject({ kind: 'resolved', decision: 'deny', reason: 'stopped' });
    expect(w.approvals.revoked(allowed, caller)).toBe(true);
    expect(await call(w.approvals, { effect: 'disclose' }).decision).toMatchObject({ reason: 'paused' });
    for (const effect of ['read', 'bookkeeping'] as const)
      expect(await call(w.approvals, { effect }).decision).toMatchObject({ kind: 'allowed', by: 'policy' });
    for (const where of ['cli', 'agent', 'host'] as const)
      expect(w.approvals.pause({ on: false, by: 'x', where })).toMatchObject({ ok: false, code: 'not_allowed_here' });
    expect(w.approvals.shownPause()).not.toBeNull();
    expect(w.approvals.pause({ on: false, ...person })).toEqual({ ok: true });
    expect(w.approvals.shownPause()).toBeNull();
    expect(() => w.approvals.tokens.spend({ ...binding, token })).toThrow(
      expect.objectContaining({ details: { reason: 'paused' } }),
    );
    expect(await call(w.approvals, { ...orphan.request, executionId: one.request.executionId }).state()).toBe(
      'pending',
    );
  });

  it('[req:DS-6-34] can be done by anybody, one agent alone, and outlives the host', async () => {
    const w = world();
    expect(w.approvals.pause({ on: true, by: 'x', where: 'agent', agentId: 'agent-100' })).toEqual({ ok: true });
    expect(await call(w.approvals).decision).toMatchObject({ reason: 'paused' });
    expect(await call(w.approvals, { agent: agentOf({ pid: 101 }) }).state()).toBe('pending');
    w.approvals.close();
    const next = w.again();
    expect(next.shownPause()).toMatchObject({ by: 'x', reason: message('pause.by', { who: 'agent', did: 'one' }) });
    expect(() => next.assertOpen(callerOf())).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ reason: 'paused' }) }),
    );
    next.pause({ on: false, ...person, agentId: 'agent-100' });
    next.assertOpen(callerOf());
    next.close();
    expect(w.again().shownPause()).toBeNull();
  });

  it('starts paused when the record of it cannot be read', () => {
    const w = world();
    w.approvals.pause({ on: true, ...person });
    w.approvals.close();
    writeFileSync(join(w.dir, 'approvals.json'), '{"version":1', { mode: 0o600 });
    const next = w.again();
    expect(next.shownPause()).toMatchObject({ by: 'host' });
    next.pause({ on: false, ...person });
    expect(next.shownPause()).toBeNull();
  });
});

describe('changing the policy', () => {
  it('[req:DS-6-5] takes a person to widen it, anybody to narrow it, and never gives unattended', () => {
    const w = world({ policy: presetPolicy('strict') });
    const told: string[] = [];
    w.approvals.onPolicy(({ preset }) => told.push(preset));
    expect(w.approvals.setPolicy(presetPolicy('standard'), { by: 'x', where: 'agent' })).toMatchObject({
      code: 'not_allowed_here',
    });
    expect(w.approvals.setPolicy(presetPolicy('standard'), { by: 'x', where: 'cli' })).toMatchObject({
      code: 'not_allowed_here',
    });
    expect(w.approvals.setPolicy(presetPolicy('unattended'), person)).toMatchObject({ code: 'policy' });
    const forged = { ...presetPolicy('standard'), effects: presetPolicy('unattended').effects };
    expect(w.approvals.setPolicy(forged, person)).toMatchObject({ ok: false });
    expect(w.approvals.policy().preset).toBe('strict');
    expect(w.approvals.setPolicy(presetPolicy('standard'), person)).toEqual({ ok: true });
    expect(w.approvals.setPolicy(presetPolicy('readonly'), { by: 'x', where: 'cli' })).toEqual({ ok: true });
    expect(told).toEqual(['standard', 'readonly']);
    w.approvals.policy().effects.dangerous = 'allow';
    expect(w.approvals.policy().effects.dangerous).toBe('deny');
  });

  it('ends at once what a stricter one refuses: cards, kept permissions, running acts, memory, tokens', async () => {
    const w = world({ policy: switchPreset(presetPolicy('standard'), 'unattended') });
    const ran = await call(w.approvals).decision;
    expect(w.approvals.revoked(ran, callerOf())).toBe(false);
    w.approvals.setPolicy(presetPolicy('standard'), person);
    expect(w.approvals.revoked(ran, callerOf())).toBe(true);
    const read = await call(w.approvals, { effect: 'read' }).decision;
    expect(w.approvals.revoked(read, callerOf())).toBe(false);
    call(w.approvals);
    press(w, 'allow');
    const look = call(w.approvals, { effect: 'disclose' });
    press(w, 'allow');
    const seen = await look.decision;
    const one = call(w.approvals, { args: { x: 2 } });
    w.approvals.setPolicy(presetPolicy('readonly'), person);
    expect(await one.decision).toMatchObject({ kind: 'denied', reason: 'policy' });
    expect(w.events.at(-1)).toMatchObject({ kind: 'resolved', decision: 'deny', by: 'policy' });
    expect(w.approvals.revoked(seen, callerOf())).toBe(false);
    expect(await call(w.approvals, { effect: 'disclose' }).state()).toBe('pending');
  });

  it('stops an act a person allowed when its class is refused now', async () => {
    const w = world();
    const one = call(w.approvals);
    press(w, 'allow');
    const decision = await one.decision;
    w.approvals.setPolicy(presetPolicy('strict'), person);
    expect(w.approvals.revoked(decision, callerOf())).toBe(false);
    w.approvals.setPolicy(presetPolicy('readonly'), person);
    expect(w.approvals.revoked(decision, callerOf())).toBe(true);
  });

  it('lets no card be allowed that the policy refuses now', () => {
    const w = world();
    call(w.approvals, { effect: 'disclose' });
    w.approvals.setPolicy({ ...presetPolicy('standard'), excludedApps: ['com.apple.mail'] }, person);
    expect(w.approvals.cards()).toEqual([]);
  });
});
