import { describe, expect, it } from 'vitest';
import { createClock } from '../../src/main/approvals/clock.js';
import { presetPolicy } from '../../src/main/approvals/index.js';
import { createTokens } from '../../src/main/approvals/tokens.js';
import { WireError } from '../../src/main/protocol/index.js';
import type { Decision } from '../../src/main/approvals/request.js';
import { START, agentOf, callerOf, planOf, world } from './support.js';

const decision: Decision = { kind: 'allowed', by: 'person', approvalId: 'a', grantId: null, where: 'page', at: new Date(START).toISOString(), waitedMs: 1 }; // prettier-ignore

function store() {
  const time = { now: START };
  const tokens = createTokens(createClock(() => time.now, () => 0)); // prettier-ignore
  const binding = { caller: callerOf(), method: 'desktop.click', paramsDigest: 'd1', workspace: '/w' };
  const issue = (over: Partial<Parameters<typeof tokens.issue>[0]> = {}) =>
    tokens.issue({ ...binding, plan: planOf(), ttlMs: 60_000, decision, ...over });
  const spend = (token: string, over: Partial<Parameters<typeof tokens.spend>[0]> = {}) =>
    tokens.spend({ ...binding, token, ...over });
  const refused = (token: string, over: Partial<Parameters<typeof tokens.spend>[0]> = {}) => {
    try {
      spend(token, over);
    } catch (thrown) {
      if (!(thrown instanceof WireError)) throw thrown;
      expect(thrown.code).toBe('DESKTOP_CONFIRM_REQUIRED');
      return thrown.details['reason'];
    }
    return 'spent';
  };
  return { tokens, time, issue, spend, refused };
}

describe('tokens', () => {
  it('is a random UUIDv4, lives from the moment it is given, and gives back plan and decision', () => {
    const { issue, spend } = store();
    const { token, expiresAt } = issue();
    expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Date.parse(expiresAt)).toBe(START + 60_000);
    expect(issue().token).not.toBe(token);
    expect(spend(token)).toEqual({ plan: planOf(), decision });
  });

  it('is spent once', () => {
    const { issue, spend, refused } = store();
    const { token } = issue();
    spend(token);
    expect(refused(token)).toBe('used');
    expect(refused(token)).toBe('used');
  });

  it('freezes the plan as it was shown', () => {
    const { issue, spend } = store();
    const plan = planOf();
    const { token } = issue({ plan });
    plan.text = 'changed later';
    expect(spend(token).plan.text).toBeNull();
  });

  it('expires at its time, even when the clock is set back', () => {
    const { issue, refused, time, spend } = store();
    const [first, second] = [issue(), issue()];
    time.now += 59_999;
    spend(first.token);
    time.now += 1;
    expect(refused(second.token)).toBe('expired');
    time.now = START;
    expect(refused(second.token)).toBe('expired');
  });

  it('refuses another process without using the token up, and another pid with the same number too', () => {
    const { issue, spend, refused } = store();
    const { token } = issue();
    expect(refused(token, { caller: callerOf(agentOf(), 201) })).toBe('peer');
    const later = callerOf();
    expect(refused(token, { caller: { ...later, peer: { ...later.peer, startTime: '10' } } })).toBe('peer');
    expect(spend(token).decision).toEqual(decision);
    expect(refused(token, { caller: callerOf(agentOf(), 201) })).toBe('peer');
  });

  it('is bound to method, parameters and workspace', () => {
    const { issue, refused } = store();
    const { token } = issue();
    expect(refused(token, { method: 'desktop.hotkey' })).toBe('scope');
    expect(refused(token, { paramsDigest: 'd2' })).toBe('scope');
    expect(refused(token, { workspace: '/v' })).toBe('scope');
    expect(refused(token)).toBe('spent');
  });

  it('tells no token from a wrong one', () => {
    const { refused } = store();
    expect(refused('')).toBe('missing');
    expect(refused('7d7c3c9c-6f5f-4c1e-9f3f-111111111111')).toBe('mismatch');
  });

  it.each([0, -1, 1.5, NaN, Infinity, 600_001])('refuses a life of %s ms', (ttlMs) => {
    const { issue } = store();
    expect(() => issue({ ttlMs })).toThrow(expect.objectContaining({ code: 'DESKTOP_INVALID_REQUEST' }));
  });

  it('takes ten minutes at most', () => {
    expect(store().issue({ ttlMs: 600_000 }).expiresAt).toBe(new Date(START + 600_000).toISOString());
  });

  it('is only given for what was allowed', () => {
    const { issue } = store();
    const denied: Decision = {
      kind: 'denied',
      reason: 'denied',
      by: 'page',
      approvalId: null,
      message: null,
      at: '',
      waitedMs: 0,
    };
    expect(() => issue({ decision: denied })).toThrow();
  });

  it('is bounded for each process, and nobody can push out another one’s', () => {
    const { issue, spend, time } = store();
    const mine = issue();
    const other = callerOf(agentOf({ pid: 5 }), 500);
    for (let count = 0; count < 64; count++) issue({ caller: other });
    expect(() => issue({ caller: other })).toThrow(expect.objectContaining({ code: 'DESKTOP_HOST_NOT_READY' }));
    expect(spend(mine.token).decision).toEqual(decision);
    time.now += 60_000;
    expect(issue({ caller: other }).token).toBeTypeOf('string');
  });

  it('ends all with a policy change or a pause', () => {
    const { tokens, issue, refused } = store();
    const { token } = issue();
    tokens.endAll('policy');
    expect(refused(token)).toBe('policy');
    const second = issue();
    tokens.endAll('paused');
    expect(refused(second.token)).toBe('paused');
    expect(refused(token)).toBe('policy');
  });

  it('is not worth more than the policy when it is spent', () => {
    const { approvals } = world();
    const binding = { caller: callerOf(), method: 'desktop.click', paramsDigest: 'd1', workspace: '/w' };
    const { token } = approvals.tokens.issue({ ...binding, plan: planOf(), ttlMs: 60_000, decision });
    approvals.setPolicy(presetPolicy('readonly'), { by: 'key-1', where: 'page' });
    expect(() => approvals.tokens.spend({ ...binding, token })).toThrow(
      expect.objectContaining({ details: { reason: 'policy' } }),
    );
  });
});
