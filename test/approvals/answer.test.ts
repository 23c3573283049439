import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callKey } from '../../src/main/approvals/index.js';
import { agentOf, call, onlyCard, press, requestOf, turnAround, world } from './support.js';
import type { World } from './support.js';

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
      message: 'Already denied from the popover, at 2026-11-21T10:00:00.600Z.',
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
    expect(tryIt()).toMatchObject({ code: 'too_soon' });
    w.time.now += 499;
    expect(tryIt()).toMatchObject({ code: 'too_soon' });
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

describe('a press on Allow', () => {
  const card = (w: World) => {
    const { id, digest } = onlyCard(w.approvals);
    return { id, digest, connection: 'page-1' };
  };
  const begin = (w: World, over: object = {}) => w.approvals.pressBegan({ ...card(w), ...over });
  const end = (w: World, over: object = {}) =>
    w.approvals.answer({ ...card(w), decision: 'allow', by: 'key-1', where: 'page', ...over });
  function waiting(options = {}): World {
    const w = world(options);
    call(w.approvals);
    w.time.now += 5_000;
    return w;
  }

  it('must have been reported, once for each Allow [req:PR-1]', () => {
    const w = waiting();
    expect(end(w)).toMatchObject({ ok: false, code: 'no_press' });
    begin(w);
    w.approvals.injected('agent');
    expect(end(w)).toMatchObject({ code: 'press_again' });
    w.time.now += 5_000;
    expect(end(w)).toMatchObject({ code: 'no_press' });
    begin(w);
    expect(end(w)).toEqual({ ok: true });
  });

  it.each([
    ['over another connection', { connection: 'page-2' }],
    ['over no connection', { connection: undefined }],
  ])('counts for its own page only, not %s [req:PR-1]', (_how, over) => {
    const w = waiting();
    begin(w);
    expect(end(w, over)).toMatchObject({ code: 'no_press' });
    expect(w.approvals.cards()).toHaveLength(1);
  });

  it.each([
    ['another request', { id: '11111111-1111-4111-8111-111111111111' }],
    ['another state of the request', { digest: 'f'.repeat(64) }],
  ])('on %s is none on this one [req:PR-1]', (_what, over) => {
    const w = waiting();
    begin(w, over);
    expect(end(w)).toMatchObject({ code: 'no_press' });
  });

  it('on another open request is none on this one', () => {
    const w = waiting();
    call(w.approvals, { agent: agentOf({ pid: 101 }) });
    w.time.now += 5_000;
    const [one, other] = w.approvals.cards();
    w.approvals.pressBegan({ id: one?.id ?? '', digest: one?.digest ?? '', connection: 'page-1' });
    const answer = { id: other?.id ?? '', digest: other?.digest ?? '', connection: 'page-1' };
    expect(w.approvals.answer({ ...answer, decision: 'allow', by: 'k', where: 'page' })).toMatchObject({
      code: 'no_press',
    });
  });

  it('must have begun half a second after the request appeared, however long it is held', () => {
    const w = world();
    call(w.approvals);
    w.time.now += 499;
    begin(w);
    w.time.now += 2_000;
    expect(end(w)).toMatchObject({ code: 'too_soon' });
    begin(w);
    expect(end(w)).toEqual({ ok: true });
  });

  it.each([
    ['a second before it began', -999, 1_000],
    ['while it is held', 500, 1_000],
    ['as it ends', 1_000, 1_000],
    ['a second before a click', -999, 0],
  ])('does not count with input injected %s [req:PR-2] [req:DS-6-30]', (_when, injectedAt, heldMs) => {
    for (const by of ['agent', 'program'] as const) {
      const w = waiting();
      const again: string[] = [];
      w.approvals.onPressAgain((id) => again.push(id));
      const began = w.time.now;
      const at = (ms: number, act: () => void) => {
        w.time.now = began + ms;
        act();
      };
      if (injectedAt < 0) {
        w.time.now -= 2_000;
        w.approvals.sweep();
      }
      const inject = () => w.approvals.injected(by);
      const steps: [number, () => void][] = [
        [injectedAt, inject],
        [0, () => begin(w)],
      ];
      for (const [ms, act] of steps.sort(([one], [two]) => one - two)) at(ms, act);
      w.time.now = began + heldMs;
      expect(end(w)).toMatchObject({ code: 'press_again' });
      expect(again).toEqual([card(w).id]);
      expect(w.approvals.cards()).toHaveLength(1);
    }
  });

  it('counts with input injected a second and more before it began', () => {
    const w = waiting();
    w.approvals.injected('agent');
    w.approvals.injected('program');
    w.time.now += 1_000;
    begin(w);
    w.time.now += 3_000;
    expect(end(w)).toEqual({ ok: true });
  });

  it('counts with another program’s input on a display that the page is not on, but not with an agent’s', () => {
    const w = waiting();
    begin(w);
    w.approvals.injected('program');
    w.approvals.injected('agent');
    expect(end(w, { otherDisplay: true })).toMatchObject({ code: 'press_again' });
    w.time.now += 1_000;
    begin(w);
    w.approvals.injected('program');
    expect(end(w, { otherDisplay: true })).toEqual({ ok: true });
  });

  it('is not helped by setting the clock back', () => {
    const w = waiting();
    w.approvals.injected('agent');
    w.pass(-3_600_000);
    begin(w);
    expect(end(w)).toMatchObject({ code: 'press_again' });
    expect(press(w, 'allow')).toMatchObject({ code: 'press_again' });
    expect(press(w, 'allow')).toEqual({ ok: true });
  });

  it('lets go of what is held as it begins, and does not count itself [req:PR-5]', () => {
    const w = waiting();
    w.hold.down = true;
    begin(w);
    expect(w.hold.down).toBe(false);
    expect(end(w)).toMatchObject({ code: 'press_again' });
    begin(w);
    expect(end(w)).toEqual({ ok: true });
  });

  it('lets go of what is held since it began, and does not count [req:PR-5]', () => {
    const w = waiting();
    begin(w);
    w.hold.down = true;
    expect(end(w)).toMatchObject({ code: 'press_again' });
    expect(w.hold.down).toBe(false);
  });

  it('counts for nothing where letting go fails', () => {
    const w = waiting({
      letGo() {
        throw new Error('helper dead');
      },
    });
    expect(() => begin(w)).toThrow();
    expect(end(w)).toMatchObject({ code: 'no_press' });
    expect(w.approvals.cards()).toHaveLength(1);
  });

  it('is not needed for Deny, whatever is injected or held [req:PR-6]', () => {
    const w = waiting();
    w.hold.down = true;
    w.approvals.injected('agent');
    expect(end(w, { decision: 'deny', connection: undefined })).toEqual({ ok: true });
    expect(w.hold.down).toBe(true);
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
      expect(w.approvals.paused()).toBeNull();
      w.time.now += 600;
      const card = w.approvals.cards().find(({ agent }) => agent.pid === 100);
      w.approvals.answer({ id: card?.id ?? '', digest: card?.digest ?? '', decision: 'deny', ...someone });
      await turnAround();
    }
    expect(await callers[3]?.decision).toMatchObject({ kind: 'denied', reason: 'paused' });
    expect(w.approvals.paused()).toMatchObject({ by: 'host', reason: 'You denied three requests within a minute.' });
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
    expect(w.approvals.paused()).toBeNull();
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
    const w = world({ deadMs: 0 });
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
    const calls = Array.from({ length: 70 }, (_, x) =>
      call(w.approvals, { ...requestOf(), callKey: callKey({ id: 'a' }, 'click', x, '/w') }),
    );
    const states = await Promise.all(calls.map((one) => one.state()));
    expect(states.filter((state) => state === 'pending')).toHaveLength(64);
    expect(states.filter((state) => typeof state === 'object' && state.kind === 'denied')).toHaveLength(6);
  });
});
