import { describe, expect, it } from 'vitest';
import { WaitEnded } from '../../src/main/approvals/request.js';
import { cardSchema } from '../../src/main/protocol/index.js';
import { agentOf, call, callerOf, onlyCard, press, requestOf, world } from './support.js';
import { verbatim } from '../../src/messages/index.js';

describe('a card', () => {
  it('shows who asks for what, tells the caller, and its Allow lets one act happen', async () => {
    const w = world();
    const one = call(w.approvals, { args: { z: 1, a: [2] } });
    const card = onlyCard(w.approvals);
    expect(cardSchema.parse(card)).toEqual(card);
    expect(card).toMatchObject({
      executionId: one.request.executionId,
      tool: 'click',
      effect: 'input',
      window: 'Inbox',
      process: { appId: 'com.apple.mail', pid: 300, startTime: '5' },
      orphaned: false,
    });
    expect(JSON.stringify(card.arguments)).toBe('{"z":1,"a":[2]}');
    expect(one.waiting).toEqual([{ approvalId: card.id, expiresAt: card.expiresAt }]);
    expect(Date.parse(card.expiresAt) - Date.parse(card.createdAt)).toBe(300_000);
    expect(await one.state()).toBe('pending');
    expect(press(w, 'allow')).toEqual({ ok: true });
    expect(await one.decision).toMatchObject({
      kind: 'allowed',
      by: 'person',
      approvalId: card.id,
      where: 'page',
      who: 'key-1',
      grantId: null,
      waitedMs: 600,
    });
    expect(w.approvals.cards()).toEqual([]);
    expect(w.events).toMatchObject([
      { kind: 'requested' },
      { kind: 'resolved', id: card.id, decision: 'allow', by: 'page', reason: null },
    ]);
    const next = call(w.approvals, { args: { z: 1, a: [2] } });
    expect(await next.state()).toBe('pending');
  });

  it('[req:DS-6-26] gives the person’s words with a Deny', async () => {
    const w = world();
    const one = call(w.approvals);
    press(w, 'deny', { message: 'Rename the file first.', where: 'popover' });
    expect(await one.decision).toMatchObject({
      kind: 'denied',
      reason: 'denied',
      by: 'popover',
      message: verbatim('Rename the file first.'),
    });
  });

  it('ends with no when nobody answers, and never comes back', async () => {
    const w = world({ expiryMs: 1000 });
    const one = call(w.approvals);
    const { id, digest } = onlyCard(w.approvals);
    w.pass(999);
    expect(await one.state()).toBe('pending');
    w.pass(1);
    expect(await one.decision).toMatchObject({ kind: 'denied', reason: 'timeout', approvalId: id });
    expect(w.approvals.answer({ id, digest, decision: 'allow', by: 'k', where: 'page' })).toMatchObject({
      ok: false,
      code: 'settled',
    });
  });

  it('is not joined after its time even when nothing has swept', () => {
    const w = world({ expiryMs: 1000 });
    const one = call(w.approvals);
    w.time.now += 1000;
    const two = call(w.approvals);
    expect(two.waiting[0]?.approvalId).not.toBe(one.waiting[0]?.approvalId);
  });

  it('takes no answer after its time even when nothing has swept', () => {
    const w = world({ expiryMs: 1000 });
    call(w.approvals);
    const { id, digest } = onlyCard(w.approvals);
    w.time.now += 1000;
    expect(w.approvals.answer({ id, digest, decision: 'allow', by: 'k', where: 'page' })).toMatchObject({
      ok: false,
      code: 'settled',
    });
  });

  it('ends by itself, without anybody sweeping', async () => {
    const w = world({ expiryMs: 1, now: () => Date.now(), running: () => performance.now() });
    expect(await call(w.approvals).decision).toMatchObject({ kind: 'denied', reason: 'timeout' });
  });
});

describe('several calls', () => {
  it('[req:DS-6-24] joins identical calls to one card; a No is for all of them', async () => {
    const w = world();
    const [one, two] = [call(w.approvals), call(w.approvals)];
    expect(two.waiting).toEqual(one.waiting);
    expect(w.approvals.cards()).toHaveLength(1);
    press(w, 'deny');
    expect(await one.decision).toMatchObject({ kind: 'denied' });
    expect(await two.decision).toMatchObject({ kind: 'denied' });
  });

  it('lets one Allow be one act: the newest of two identical calls, the other asks anew', async () => {
    const w = world();
    const [one, two] = [call(w.approvals), call(w.approvals)];
    press(w, 'allow');
    expect(await two.decision).toMatchObject({ kind: 'allowed' });
    expect(await one.state()).toBe('pending');
    expect(onlyCard(w.approvals).id).not.toBe(two.waiting[0]?.approvalId);
  });

  it('[req:DS-6-24] has one open card per agent; another call waits its turn and is looked at anew', async () => {
    const w = world();
    const one = call(w.approvals);
    const two = call(w.approvals, { args: { x: 2 } });
    const three = call(w.approvals, { args: { x: 3 } });
    const stranger = call(w.approvals, { agent: agentOf({ pid: 101 }) });
    expect(await two.state()).toBe('pending');
    expect(two.waiting).toEqual([]);
    expect(w.approvals.cards()).toHaveLength(2);
    stranger.end('withdraw');
    press(w, 'allow', { grant: 'time' });
    expect(await one.decision).toMatchObject({ by: 'person' });
    expect(await two.decision).toMatchObject({ by: 'grant' });
    expect(await three.decision).toMatchObject({ by: 'grant' });
  });

  it('keeps the order of those who wait their turn', async () => {
    const w = world();
    const calls = [1, 2, 3, 4].map((x) => call(w.approvals, { args: { x } }));
    for (const [at, one] of calls.entries()) {
      await one.state();
      expect(onlyCard(w.approvals).arguments).toEqual({ x: at + 1 });
      press(w, 'allow');
      expect(await one.decision).toMatchObject({ kind: 'allowed' });
    }
  });

  it('never lets two agents share a card, even under one key', () => {
    const w = world();
    const mine = requestOf();
    call(w.approvals, mine);
    call(w.approvals, { ...mine, caller: callerOf(agentOf({ pid: 101 })) });
    expect(w.approvals.cards()).toHaveLength(2);
  });

  it('lets no other agent use up what was kept, even under one key', async () => {
    const w = world();
    const mine = requestOf();
    call(w.approvals, mine).end('detach');
    press(w, 'allow');
    const stranger = call(w.approvals, { ...mine, caller: callerOf(agentOf({ pid: 101 })) });
    expect(await stranger.state()).toBe('pending');
    expect(await call(w.approvals, mine).decision).toMatchObject({ kind: 'allowed', by: 'person' });
  });

  it('does not show one thing and allow another: the same call with another target waits its turn', async () => {
    const w = world();
    const one = call(w.approvals);
    const moved = call(w.approvals, { title: 'Drafts' });
    press(w, 'allow');
    expect(await one.decision).toMatchObject({ kind: 'allowed' });
    expect(await moved.state()).toBe('pending');
    expect(onlyCard(w.approvals).window).toBe('Drafts');
  });

  it('leaves its turn when its caller goes', async () => {
    const w = world();
    call(w.approvals);
    const two = call(w.approvals, { args: { x: 2 } });
    two.end('detach');
    await expect(two.decision).rejects.toBeInstanceOf(WaitEnded);
    press(w, 'deny');
    expect(await two.state()).toBe('ended');
    expect(w.approvals.cards()).toEqual([]);
  });
});
