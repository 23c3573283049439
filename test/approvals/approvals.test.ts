import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetPolicy } from '../../src/main/approvals/index.js';
import { RULES, parsePolicy, type Rule } from '../../src/main/approvals/policy.js';
import { EFFECTS, type Effect } from '../../src/main/protocol/index.js';
import { FIREFOX, agentOf, call, callerOf, onlyCard, press, requestOf, world } from './support.js';
import { message } from '../../src/messages/index.js';

const person = { by: 'key-1', where: 'page' } as const;
const outcome = (state: unknown) =>
  state === 'pending' ? 'asks' : typeof state === 'object' && state !== null && 'kind' in state ? state.kind : state;

async function asks(preset: 'standard' | 'strict' | 'readonly' | 'unattended', effect: Effect) {
  const w = world({ policy: presetPolicy(preset) });
  return outcome(await call(w.approvals, { effect }).state());
}

describe('presets', () => {
  it.each([
    ['standard', ['allowed', 'allowed', 'asks', 'asks', 'asks', 'asks']],
    ['strict', ['allowed', 'allowed', 'asks', 'asks', 'asks', 'asks']],
    ['readonly', ['allowed', 'allowed', 'asks', 'denied', 'denied', 'denied']],
    ['unattended', ['allowed', 'allowed', 'allowed', 'allowed', 'allowed', 'allowed']],
  ] as const)('[req:DS-6-1] [req:DS-6-2] %s decides each class as it promises', async (preset, expected) => {
    for (const [at, effect] of EFFECTS.entries())
      expect([effect, await asks(preset, effect)]).toEqual([effect, expected[at]]);
  });

  it('never lets anything through that a rule does not allow, whatever came before', async () => {
    const rule = fc.constantFrom(...RULES.filter((one) => one !== 'allow'));
    const step = fc.record({ effect: fc.constantFrom(...EFFECTS), grant: fc.constantFrom('once', 'time', 'session', 'always'), alwaysAsk: fc.boolean() }); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(rule, rule, rule, fc.array(step, { maxLength: 8 }), async (disclose, pointer, input, steps) => {
        const policy = parsePolicy({ effects: { disclose, pointer, input } }, 'p');
        const w = world({ policy });
        const given = new Set<Effect>();
        for (const { effect, grant, alwaysAsk } of steps) {
          const one = call(w.approvals, { effect, alwaysAsk });
          const state = await one.state();
          const rule: Rule = policy.effects[effect];
          if (rule === 'deny') expect(state).toMatchObject({ kind: 'denied', reason: 'policy' });
          else if (rule !== 'allow' && (alwaysAsk || effect === 'dangerous' || !given.has(effect)))
            expect(state).toBe('pending');
          if (state !== 'pending') continue;
          const pressed = press(w, 'allow', { grant });
          if (!pressed.ok) press(w, 'allow');
          await one.decision;
          const lasting = pressed.ok && grant !== 'once';
          if (lasting || rule === 'ask_once_per_session') given.add(effect);
          if (lasting && effect === 'input') given.add('pointer').add('disclose');
        }
        w.approvals.close();
      }),
      { numRuns: 60 },
    );
  });
});

describe('asking once per session', () => {
  it('[req:DS-6-1] remembers disclosure per agent and application, and the screen apart', async () => {
    const w = world();
    const look = { effect: 'disclose' } as const;
    const screen = { ...look, screen: true, args: { screen: 1 } };
    const one = call(w.approvals, look);
    expect(onlyCard(w.approvals).grants[0]).toMatchObject({
      kind: 'once',
      label: message('grant.remembered', { agent: 'Claude Code' }),
    });
    press(w, 'allow');
    await one.decision;
    expect(await call(w.approvals, look).decision).toMatchObject({ kind: 'allowed', by: 'policy', where: 'session' });
    expect(await call(w.approvals, { ...look, args: { other: 1 } }).decision).toMatchObject({ kind: 'allowed' });
    for (const other of [
      { ...look, app: FIREFOX },
      screen,
      { ...look, app: null },
      { ...look, agent: agentOf({ pid: 101 }) },
      { ...look, alwaysAsk: true },
    ]) {
      const asked = call(w.approvals, other);
      expect(await asked.state()).toBe('pending');
      asked.end('withdraw');
    }
  });

  it('does not remember a No, nor anything over a restart', async () => {
    const w = world();
    const one = call(w.approvals, { effect: 'disclose' });
    press(w, 'deny');
    await one.decision;
    const two = call(w.approvals, { effect: 'disclose' });
    expect(await two.state()).toBe('pending');
    press(w, 'allow');
    await two.decision;
    w.approvals.close();
    expect(await call(w.again(), { effect: 'disclose' }).state()).toBe('pending');
  });

  it('asks every time under strict, and offers nothing longer', async () => {
    const w = world({ policy: presetPolicy('strict') });
    for (let count = 0; count < 3; count++) {
      const one = call(w.approvals, { effect: 'disclose' });
      expect(onlyCard(w.approvals).grants).toEqual([
        expect.objectContaining({ kind: 'once', label: message('grant.once') }),
      ]);
      expect(press(w, 'allow', { grant: 'session' })).toMatchObject({ code: 'grant_not_offered' });
      press(w, 'allow');
      await one.decision;
    }
  });
});

describe('grants', () => {
  it('lets later requests through, tells pages, and ends when taken back', async () => {
    const w = world();
    const told: number[][] = [];
    w.approvals.onGrants((grants) => told.push(grants.map(({ used = 0 }) => used)));
    const one = call(w.approvals);
    press(w, 'allow', { grant: 'time' });
    const [grant] = w.approvals.grants();
    expect(await one.decision).toMatchObject({ by: 'person', grantId: grant?.id });
    const two = await call(w.approvals, { args: { x: 2 } }).decision;
    expect(two).toMatchObject({ kind: 'allowed', by: 'grant', grantId: grant?.id });
    expect(w.approvals.revoked(two, requestOf().caller)).toBe(false);
    expect(w.approvals.revokeGrant(grant?.id ?? '')).toBe(true);
    expect(w.approvals.revoked(two, requestOf().caller)).toBe(true);
    expect(await call(w.approvals).state()).toBe('pending');
    expect(told).toEqual([[0], [1], []]);
    expect(w.approvals.revokeGrant('nothing')).toBe(false);
  });

  it('ends with its time, also while an act runs, and says so', async () => {
    const w = world();
    const told: number[] = [];
    call(w.approvals);
    press(w, 'allow', { grant: 'time' });
    const decision = await call(w.approvals).decision;
    w.approvals.onGrants((grants) => told.push(grants.length));
    w.pass(600_000);
    expect(w.approvals.revoked(decision, requestOf().caller)).toBe(true);
    expect(told).toEqual([0]);
  });

  it('[req:DS-6-1] still asks for what must always be asked, and for what is dangerous', async () => {
    const w = world();
    call(w.approvals);
    press(w, 'allow', { grant: 'session' });
    for (const wanted of [{ alwaysAsk: true }, { effect: 'dangerous' as const }]) {
      const one = call(w.approvals, { ...wanted, args: wanted });
      expect(await one.state()).toBe('pending');
      one.end('withdraw');
    }
  });

  it('[req:DS-6-16] counts what it would have covered in the last hour', async () => {
    const w = world();
    for (const x of [1, 2, 3]) {
      const one = call(w.approvals, { args: { x }, alwaysAsk: x === 3 });
      press(w, 'allow');
      await one.decision;
    }
    const one = call(w.approvals, { args: { x: 4 } });
    // The one that is asked every time would have been asked all the same.
    expect(onlyCard(w.approvals).grants[1]?.covered).toEqual({ would: 2, of: 3 });
    one.end('withdraw');
    w.pass(3_600_001);
    call(w.approvals, { args: { x: 5 } });
    expect(onlyCard(w.approvals).grants[1]?.covered).toBeNull();
  });

  it('outlives the host for the same process', async () => {
    const w = world();
    call(w.approvals);
    press(w, 'allow', { grant: 'session' });
    w.approvals.close();
    const next = w.again();
    expect(await call(next).decision).toMatchObject({ by: 'grant' });
    expect(await call(next, { agent: agentOf({ startTime: '8', id: 'other' }) }).state()).toBe('pending');
  });
});

describe('excluded applications', () => {
  it('are refused without asking, even unattended', async () => {
    const policy = { ...presetPolicy('unattended'), excludedApps: ['COM.APPLE.MAIL'] };
    const w = world({ policy });
    expect(await call(w.approvals, { effect: 'disclose' }).decision).toMatchObject({
      kind: 'denied',
      reason: 'policy',
    });
    expect(await call(w.approvals, { app: FIREFOX }).decision).toMatchObject({ kind: 'allowed' });
  });
});

describe('a confirm phrase', () => {
  it('is worth something only where the policy accepts it, and never for what is dangerous, refused or paused', () => {
    const ask = { agentId: 'agent-100', effect: 'input', appId: 'com.apple.mail' } as const;
    expect(world().approvals.phrase(ask)).toBeNull();
    const w = world({ policy: { ...presetPolicy('standard'), confirmPhrase: 'accept', excludedApps: ['secret'] } });
    const decision = w.approvals.phrase(ask);
    expect(decision).toMatchObject({ kind: 'allowed', by: 'phrase' });
    expect(decision !== null && w.approvals.revoked(decision, callerOf())).toBe(false);
    expect(w.approvals.phrase({ ...ask, effect: 'dangerous' })).toBeNull();
    expect(w.approvals.phrase({ ...ask, appId: 'secret' })).toBeNull();
    w.approvals.pause({ on: true, ...person });
    expect(w.approvals.phrase(ask)).toBeNull();
    const readonly = world({ policy: { ...presetPolicy('readonly'), confirmPhrase: 'accept' } });
    expect(readonly.approvals.phrase(ask)).toBeNull();
  });
});

describe('revoked', () => {
  it('is true for what was denied, for a decision without a time, and after closing', () => {
    const w = world();
    const no = {
      kind: 'denied',
      reason: 'denied',
      by: 'page',
      approvalId: null,
      message: null,
      at: '',
      waitedMs: 0,
    } as const;
    expect(w.approvals.revoked(no, callerOf())).toBe(true);
    const timeless = {
      kind: 'allowed',
      by: 'policy',
      approvalId: null,
      grantId: null,
      where: 'policy',
      at: 'never',
      waitedMs: 0,
    } as const;
    expect(w.approvals.revoked(timeless, callerOf())).toBe(true);
    const unknownGrant = { ...timeless, at: new Date(w.time.now).toISOString(), grantId: 'gone' };
    expect(w.approvals.revoked(unknownGrant, callerOf())).toBe(true);
    expect(w.approvals.revoked({ ...unknownGrant, grantId: null }, callerOf())).toBe(false);
    w.approvals.close();
    expect(w.approvals.revoked({ ...unknownGrant, grantId: null }, callerOf())).toBe(true);
  });
});
