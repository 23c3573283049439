import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sameSeen } from '../../src/main/approvals/card.js';
import { presetPolicy } from '../../src/main/approvals/index.js';
import { WaitEnded } from '../../src/main/approvals/request.js';
import { agentOf, call, onlyCard, planOf, press, requestOf, world } from './support.js';
import { verbatim } from '../../src/messages/index.js';

const kinds = (events: { kind: string }[]) => events.map(({ kind }) => kind);

describe('a caller that goes away', () => {
  it('[req:DS-5-12] leaves the card orphaned; what is decided then waits for the same call, once', async () => {
    const w = world();
    const one = call(w.approvals);
    const { id } = onlyCard(w.approvals);
    one.end('detach');
    await expect(one.decision).rejects.toMatchObject({ mode: 'detach' });
    expect(onlyCard(w.approvals)).toMatchObject({ id, orphaned: true });
    expect(press(w, 'allow')).toEqual({ ok: true });
    const again = call(w.approvals);
    expect(await again.decision).toMatchObject({ kind: 'allowed', by: 'person', approvalId: id });
    expect(await call(w.approvals).state()).toBe('pending');
    expect(kinds(w.events)).toEqual(['requested', 'changed', 'resolved', 'requested']);
  });

  it('finds its card again, and is told the same id', async () => {
    const w = world();
    const one = call(w.approvals);
    const before = onlyCard(w.approvals);
    one.end('detach');
    const two = call(w.approvals);
    const after = onlyCard(w.approvals);
    expect(after).toEqual({ ...before, executionId: two.request.executionId });
    expect(two.waiting).toEqual(one.waiting);
    press(w, 'allow');
    expect(await two.decision).toMatchObject({ kind: 'allowed' });
  });

  it('keeps a No as well', async () => {
    const w = world();
    call(w.approvals).end('detach');
    press(w, 'deny', { message: 'not now' });
    expect(await call(w.approvals).decision).toMatchObject({
      kind: 'denied',
      reason: 'denied',
      message: verbatim('not now'),
    });
  });

  it('keeps a decision only as long as the card would have lived', async () => {
    const w = world();
    call(w.approvals).end('detach');
    press(w, 'allow');
    w.pass(300_000);
    expect(await call(w.approvals).state()).toBe('pending');
  });

  it('gives a kept Allow to nobody else, and to nothing that looks different', async () => {
    for (const other of [
      { agent: agentOf({ pid: 101 }) },
      { args: { x: 2 } },
      { title: 'Drafts' },
      { windowId: 'w2' },
    ]) {
      const w = world();
      call(w.approvals).end('detach');
      press(w, 'allow');
      expect(await call(w.approvals, other).state()).toBe('pending');
    }
    const w = world();
    call(w.approvals, { cells: Array(300).fill(10) }).end('detach');
    press(w, 'allow');
    expect(await call(w.approvals, { cells: Array(300).fill(200) }).state()).toBe('pending');
  });

  it('[req:PI-4] draws the picture before it gives a kept answer, and gives it only where the same is seen', async () => {
    const drawn = (cells: number[]) => {
      const { plan, ...undrawn } = requestOf({});
      const { pixels } = planOf({ cells });
      const withPixels = plan && { ...plan, pixels };
      return { ...undrawn, plan, drawPicture: async () => ({ plan: withPixels, picture: null, fullView: null }) };
    };
    for (const now of [10, 200]) {
      const w = world();
      const one = call(w.approvals, drawn(Array(300).fill(10)));
      await expect.poll(() => w.approvals.cards()).toHaveLength(1);
      one.end('detach');
      await one.state();
      press(w, 'allow');
      const again = call(w.approvals, drawn(Array(300).fill(now)));
      if (now === 10) expect(await again.decision).toMatchObject({ kind: 'allowed', by: 'person' });
      else await expect.poll(() => w.approvals.cards()).toHaveLength(1);
    }
  });

  it('shows what is there now when it comes back to something else, dead for half a second again', async () => {
    const w = world();
    const one = call(w.approvals);
    const before = onlyCard(w.approvals);
    one.end('detach');
    w.time.now += 600;
    const two = call(w.approvals, { title: 'Drafts' });
    const after = onlyCard(w.approvals);
    expect(after).toMatchObject({ id: before.id, window: 'Drafts', expiresAt: before.expiresAt });
    expect(w.approvals.answer({ ...after, decision: 'allow', by: 'k', where: 'page' })).toMatchObject({
      code: 'too_soon',
    });
    expect(press(w, 'allow', { id: before.id, digest: before.digest })).toMatchObject({ code: 'stale' });
    expect(press(w, 'allow')).toEqual({ ok: true });
    expect(await two.decision).toMatchObject({ kind: 'allowed' });
  });

  it('keeps the card as shown where a doubt has passed, and shows a new one', () => {
    const shown = { request: 'click', doubts: ['grant.early'], pixels: null };
    expect(sameSeen(shown, { ...shown, doubts: [] })).toBe(true);
    expect(sameSeen({ ...shown, doubts: [] }, shown)).toBe(false);
    expect(sameSeen(shown, { ...shown, doubts: ['grant.shared'] })).toBe(false);
  });

  it('loses nothing when the caller goes in the moment of the press', async () => {
    const w = world();
    const one = call(w.approvals);
    press(w, 'allow');
    one.end('detach');
    await expect(one.decision).rejects.toBeInstanceOf(WaitEnded);
    expect(await call(w.approvals).decision).toMatchObject({ kind: 'allowed', by: 'person' });
    expect(await call(w.approvals).state()).toBe('pending');
  });

  it('takes the card away when it withdraws', async () => {
    const w = world();
    const one = call(w.approvals);
    const { id, digest } = onlyCard(w.approvals);
    one.end('withdraw');
    await expect(one.decision).rejects.toMatchObject({ mode: 'withdraw' });
    expect(w.approvals.cards()).toEqual([]);
    expect(w.events.at(-1)).toMatchObject({ kind: 'resolved', decision: 'deny', by: 'agent', reason: 'withdrawn' });
    expect(press(w, 'allow', { id, digest })).toMatchObject({ ok: false, code: 'settled' });
  });

  it('takes the card away for any other end, too', async () => {
    const w = world();
    const controller = new AbortController();
    const decision = w.approvals.decide(requestOf(), () => undefined, controller.signal);
    controller.abort(new Error('something else'));
    await expect(decision).rejects.toThrow('something else');
    expect(w.approvals.cards()).toEqual([]);
  });

  it('asks nobody for a call that is over already', async () => {
    const w = world();
    const signal = AbortSignal.abort(new WaitEnded('detach'));
    await expect(w.approvals.decide(requestOf(), () => undefined, signal)).rejects.toBeInstanceOf(WaitEnded);
    expect(w.events).toEqual([]);
  });

  it('can take back an orphaned card, and a decision kept for it, by the execution', async () => {
    const w = world();
    const one = call(w.approvals);
    one.end('detach');
    expect(w.approvals.withdraw(one.request.executionId)).toBe(true);
    expect(w.approvals.cards()).toEqual([]);
    const two = call(w.approvals);
    two.end('detach');
    press(w, 'allow');
    expect(w.approvals.withdraw(two.request.executionId)).toBe(true);
    expect(w.approvals.withdraw(two.request.executionId)).toBe(false);
    expect(await call(w.approvals).state()).toBe('pending');
  });

  it('leaves the card to the others who wait on it', async () => {
    const w = world();
    const [one, two] = [call(w.approvals), call(w.approvals)];
    expect(w.approvals.withdraw(one.request.executionId)).toBe(true);
    await expect(one.decision).rejects.toMatchObject({ mode: 'withdraw' });
    press(w, 'allow');
    expect(await two.decision).toMatchObject({ kind: 'allowed' });
  });
});

describe('a host that starts again', () => {
  it('still has its cards, with their pictures, orphaned, and the answer still counts', async () => {
    const w = world();
    const picture = { mimeType: 'image/webp', base64: 'QUJD', width: 4, height: 3, target: null } as const;
    const request = { ...requestOf(), picture };
    call(w.approvals, request);
    const before = onlyCard(w.approvals);
    w.approvals.close();
    expect(statSync(join(w.dir, 'approvals.json')).mode & 0o777).toBe(0o600);
    const next = w.again();
    expect(next.cards()).toEqual([{ ...before, orphaned: true }]);
    expect(press(w, 'allow', {}, next)).toEqual({ ok: true });
    next.close();
    const third = w.again();
    const resumed = call(third, { ...request, executionId: requestOf().executionId });
    expect(await resumed.decision).toMatchObject({ kind: 'allowed', by: 'person', approvalId: before.id });
    third.close();
    expect(await call(w.again(), request).state()).toBe('pending');
  });

  it('lets no card be allowed that its new policy refuses', () => {
    const w = world();
    call(w.approvals);
    w.approvals.close();
    const next = w.again({ policy: presetPolicy('readonly') });
    expect(press(w, 'allow', {}, next)).toMatchObject({ ok: false, code: 'policy' });
    expect(press(w, 'deny', {}, next)).toEqual({ ok: true });
  });

  it('tells waiting callers to come back', async () => {
    const w = world();
    const [one, turn] = [call(w.approvals), call(w.approvals, { args: { x: 2 } })];
    w.approvals.close();
    await expect(one.decision).rejects.toMatchObject({ mode: 'detach' });
    expect(await turn.decision).toMatchObject({ kind: 'denied', reason: 'stopped' });
    expect(await call(w.approvals).decision).toMatchObject({ kind: 'denied' });
    expect(onlyCard(w.again())).toMatchObject({ orphaned: true });
  });

  it('leaves expired cards behind, and those that were changed on disk', async () => {
    const w = world();
    call(w.approvals);
    w.approvals.close();
    const file = join(w.dir, 'approvals.json');
    const text = readFileSync(file, 'utf8');
    expect(w.again().cards()).toHaveLength(1);
    const { writePrivate } = await import('../../src/main/approvals/files.js');
    writePrivate(file, JSON.parse(text.replaceAll('Inbox', 'Elsewhere')));
    expect(w.again().cards()).toEqual([]);
    writePrivate(file, JSON.parse(text));
    w.time.now -= 10_000;
    expect(w.again().cards()).toEqual([]);
    w.time.now += 310_000;
    expect(w.again().cards()).toEqual([]);
  });
});

describe('an agent that has ended', () => {
  it('[req:PG-13] leaves a card that says so and takes no Allow, only a No', () => {
    let running = true;
    const w = world({ isRunning: () => running });
    call(w.approvals).end('detach');
    expect(onlyCard(w.approvals).agentEnded).toBeUndefined();
    running = false;
    w.pass(1_000);
    expect(onlyCard(w.approvals)).toMatchObject({ orphaned: true, agentEnded: true });
    expect(w.events.at(-1)).toMatchObject({ kind: 'changed', card: { agentEnded: true } });
    expect(press(w, 'allow')).toMatchObject({ ok: false, code: 'agent_ended' });
    expect(press(w, 'deny')).toEqual({ ok: true });
    expect(w.events.at(-1)).toMatchObject({ kind: 'resolved', decision: 'deny', reason: 'denied' });
  });
});
