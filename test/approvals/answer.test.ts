import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentOf, call, onlyCard, press, requestOf, turnAround, world } from './support.js';
import { message } from '../../src/messages/index.js';

const someone = { by: 'key-1', where: 'page', connection: 'page-1' } as const;

describe('an answer', () => {
  it('is taken from one of two pages, and the other is told who decided', async () => {
    const w = world();
    const one = call(w.approvals);
    const { id, digest } = onlyCard(w.approvals);
    w.time.now += 600;
    const first = w.approvals.answer({ id, digest, decision: 'deny', by: 'key-1', where: 'popover' });
    const second = w.approvals.answer({ id, digest, decision: 'allow', by: 'key-2', where: 'page' });
    expect(first).toEqual({ ok: true });
    expect(second).toEqual({
      ok: false,
      code: 'settled',
      message: message('answer.settled', {
        decision: 'other',
        where: 'popover',
        by: 'popover',
        at: '2026-11-21T10:00:00.600Z',
      }),
    });
    expect(await one.decision).toMatchObject({ kind: 'denied', by: 'popover' });
    expect(w.events.filter(({ kind }) => kind === 'resolved')).toHaveLength(1);
  });

  it('cannot be played again, nor used on another card', async () => {
    const w = world();
    const one = call(w.approvals);
    const { id, digest } = onlyCard(w.approvals);
    press(w, 'allow');
    await one.decision;
    const two = call(w.approvals);
    expect(press(w, 'allow', { id, digest })).toMatchObject({ code: 'settled' });
    expect(press(w, 'allow', { id: onlyCard(w.approvals).id, digest })).toMatchObject({ code: 'stale' });
    expect(press(w, 'allow', { id: crypto.randomUUID(), digest })).toMatchObject({ code: 'unknown_card' });
    expect(await two.state()).toBe('pending');
  });

  it.each(['', '0'.repeat(64), 'x'])('needs the digest of the card that was seen, not %j', (digest) => {
    const w = world();
    call(w.approvals);
    const { id } = onlyCard(w.approvals);
    expect(press(w, 'allow', { id, digest })).toMatchObject({ code: 'stale' });
    expect(press(w, 'deny', { id, digest })).toMatchObject({ code: 'stale' });
  });

  it('does nothing in the first half second, whatever the wall clock does', () => {
    const w = world();
    call(w.approvals);
    const { id, digest } = onlyCard(w.approvals);
    const tryIt = () => {
      w.approvals.pressBegan({ id, digest, connection: someone.connection });
      return w.approvals.answer({ id, digest, decision: 'allow', ...someone });
    };
    const deny = () => w.approvals.answer({ id, digest, decision: 'deny', ...someone });
    expect(tryIt()).toMatchObject({ code: 'too_soon' });
    w.time.now += 499;
    expect(tryIt()).toMatchObject({ code: 'too_soon' });
    expect(deny()).toMatchObject({ code: 'too_soon' });
    w.time.now -= 3_600_000;
    expect(tryIt()).toMatchObject({ code: 'too_soon' });
    w.time.now += 1;
    expect(tryIt()).toEqual({ ok: true });
  });

  it.each(['cli', 'agent', 'host'] as const)('may deny but not allow from %s', (where) => {
    const w = world();
    call(w.approvals);
    expect(press(w, 'allow', { where })).toMatchObject({ code: 'not_allowed_here' });
    expect(press(w, 'deny', { where })).toEqual({ ok: true });
  });

  it('is nothing but allow or deny', () => {
    const w = world();
    call(w.approvals);
    const odd: unknown = JSON.parse('"maybe"');
    const answer = { ...onlyCard(w.approvals), ...someone, decision: odd };
    w.time.now += 600;
    expect(Reflect.apply(w.approvals.answer, null, [answer])).toMatchObject({ ok: false });
    expect(w.approvals.cards()).toHaveLength(1);
  });

  it('is decided in the popover where there is one: dangerous requests and grants', async () => {
    const w = world({ popover: true });
    const dangerous = call(w.approvals, { effect: 'dangerous' });
    expect(press(w, 'allow')).toMatchObject({ code: 'popover_only' });
    expect(press(w, 'allow', { where: 'popover' })).toEqual({ ok: true });
    expect(await dangerous.decision).toMatchObject({ kind: 'allowed', where: 'popover' });
    call(w.approvals);
    expect(press(w, 'allow', { grant: 'time' })).toMatchObject({ code: 'popover_only' });
    expect(press(w, 'allow', { grant: 'once' })).toEqual({ ok: true });
    call(w.approvals, { effect: 'dangerous' });
    expect(press(w, 'deny')).toEqual({ ok: true });
  });

  it('gives only a grant that was offered, and none for what is dangerous', () => {
    const w = world();
    const terminal = call(w.approvals, { app: { id: 'com.apple.Terminal', name: 'Terminal' } });
    expect(press(w, 'allow', { grant: 'always' })).toMatchObject({ code: 'grant_not_offered' });
    terminal.end('withdraw');
    for (const grant of ['time', 'session', 'always'] as const) {
      const one = call(w.approvals, { effect: 'dangerous' });
      expect(press(w, 'allow', { grant })).toMatchObject({ code: 'grant_not_offered' });
      one.end('withdraw');
    }
    expect(w.approvals.grants()).toEqual([]);
  });
});

describe('three times No within a minute', () => {
  it('pauses that agent, denies what it asks, and leaves the others alone', async () => {
    const w = world();
    const told: unknown[] = [];
    w.approvals.onPause((paused) => told.push(paused));
    const callers = [1, 2, 3, 4].map((x) => call(w.approvals, { args: { x } }));
    const stranger = call(w.approvals, { agent: agentOf({ pid: 101 }) });
    for (let count = 0; count < 3; count++) {
      expect(w.approvals.shownPause()).toBeNull();
      w.time.now += 600;
      const card = w.approvals.cards().find(({ agent }) => agent.pid === 100);
      w.approvals.answer({ id: card?.id ?? '', digest: card?.digest ?? '', decision: 'deny', ...someone });
      await turnAround();
    }
    expect(await callers[3]?.decision).toMatchObject({ kind: 'denied', reason: 'paused' });
    expect(w.approvals.shownPause()).toMatchObject({ by: 'host', reason: message('pause.three_denials') });
    expect(told).toHaveLength(1);
    expect(() => w.approvals.assertOpen(requestOf().caller)).toThrow(
      expect.objectContaining({ code: 'DESKTOP_HOST_NOT_READY' }),
    );
    w.approvals.assertOpen(requestOf({ agent: agentOf({ pid: 101 }) }).caller);
    expect(await stranger.state()).toBe('pending');
    expect(w.approvals.pause({ on: false, by: 'key-1', where: 'page' })).toEqual({ ok: true });
    w.approvals.assertOpen(requestOf().caller);
  });

  it('does not count over more than a minute, nor what other agents deny', async () => {
    const w = world();
    for (let count = 0; count < 4; count++) {
      const one = call(w.approvals, { args: { count } });
      press(w, 'deny');
      await one.decision;
      w.pass(29_500);
    }
    for (let count = 0; count < 4; count++) {
      const one = call(w.approvals, { args: { count } });
      press(w, 'deny', { where: 'agent' });
      await one.decision;
    }
    expect(w.approvals.shownPause()).toBeNull();
  });
});

describe('[req:DS-6-6] when things break', () => {
  it('says no when a card cannot be kept on disk', async () => {
    const w = world();
    rmSync(w.dir, { recursive: true });
    writeFileSync(w.dir, 'in the way');
    expect(await call(w.approvals).decision).toMatchObject({ kind: 'denied', by: 'host' });
    expect(w.approvals.cards()).toEqual([]);
    expect(w.failures.length).toBeGreaterThan(0);
    rmSync(w.dir);
    mkdirSync(w.dir);
    expect(await call(w.approvals).state()).toBe('pending');
  });

  it('decides nothing when the grant cannot be written', async () => {
    const w = world();
    const one = call(w.approvals);
    rmSync(w.dir, { recursive: true });
    writeFileSync(w.dir, 'in the way');
    expect(press(w, 'allow', { grant: 'time' })).toMatchObject({ ok: false, code: 'failed' });
    expect(await one.state()).toBe('pending');
    expect(w.approvals.grants()).toEqual([]);
  });

  it('gives no kept Allow that cannot be taken off the disk first', async () => {
    const w = world();
    call(w.approvals).end('detach');
    press(w, 'allow');
    rmSync(w.dir, { recursive: true });
    writeFileSync(w.dir, 'in the way');
    expect(await call(w.approvals).decision).toMatchObject({ kind: 'denied', by: 'host' });
  });

  it('is not harmed by a listener that throws', async () => {
    const w = world();
    w.approvals.onCard(() => {
      throw new Error('page gone');
    });
    const seen: string[] = [];
    w.approvals.onCard(({ kind }) => seen.push(kind));
    const one = call(w.approvals);
    expect(await one.state()).toBe('pending');
    press(w, 'deny');
    expect(await one.decision).toMatchObject({ kind: 'denied' });
    expect(seen).toEqual(['requested', 'resolved']);
    expect(w.failures).toHaveLength(2);
  });

  it('says no when the caller cannot be told that it waits', async () => {
    const w = world();
    const decision = w.approvals.decide(
      requestOf(),
      () => {
        throw new Error('socket gone');
      },
      new AbortController().signal,
    );
    expect(await decision).toMatchObject({ kind: 'denied', by: 'host' });
    expect(w.approvals.cards()).toEqual([]);
  });

  it('says no to what cannot be shown', async () => {
    const w = world();
    for (const broken of [{ arguments: { f: () => 1 } }, { arguments: { n: NaN } }, { executionId: 'no uuid' }])
      expect(await call(w.approvals, { ...requestOf(), ...broken }).decision).toMatchObject({
        kind: 'denied',
        by: 'host',
      });
    expect(w.events).toEqual([]);
  });

  it('cannot be answered through what it hands out', async () => {
    const w = world();
    w.approvals.onCard((event) => {
      if (event.kind !== 'resolved') event.card.digest = 'mine';
    });
    const one = call(w.approvals);
    onlyCard(w.approvals).digest = 'mine';
    expect(press(w, 'allow', { digest: 'mine', id: onlyCard(w.approvals).id })).toMatchObject({ code: 'stale' });
    expect(await one.state()).toBe('pending');
  });

  it('can be answered from inside the listener, once', async () => {
    const w = world({ pressLimits: { deadMs: 0, quietMs: 1_000 } });
    w.approvals.onCard((event) => {
      if (event.kind !== 'requested') return;
      const { id, digest } = event.card;
      w.approvals.pressBegan({ id, digest, connection: someone.connection });
      w.approvals.answer({ id, digest, decision: 'allow', ...someone });
    });
    const one = call(w.approvals);
    expect(await one.decision).toMatchObject({ kind: 'allowed' });
    expect(one.waiting).toEqual([]);
  });

  it('bounds how many calls of one agent wait for their turn', async () => {
    const w = world();
    call(w.approvals);
    const calls = Array.from({ length: 70 }, (_, x) => call(w.approvals, { ...requestOf(), callKey: `call ${x}` }));
    const states = await Promise.all(calls.map((one) => one.state()));
    expect(states.filter((state) => state === 'pending')).toHaveLength(64);
    expect(states.filter((state) => typeof state === 'object' && state.kind === 'denied')).toHaveLength(6);
  });
});
