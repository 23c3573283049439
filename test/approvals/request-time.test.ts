import { describe, expect, it, onTestFinished } from 'vitest';
import { createViewers } from '../../src/main/approvals/index.js';
import { MOST_UNSEEN_MS } from '../../src/main/approvals/request-time.js';
import { call, onlyCard, press, requestOf, START, world, type World } from './support.js';

const MINUTE = 60_000;
const EXPIRY_MS = 5 * MINUTE;

function watched(): World & { viewers: ReturnType<typeof createViewers> } {
  const viewers = createViewers((thrown) => {
    throw thrown;
  });
  return { ...world({ viewers }), viewers };
}

const end = ({ approvals }: World): number => Date.parse(onlyCard(approvals).expiresAt) - START;

describe('the clock of a request', () => {
  it('stands while no paired page shows it, and goes on when one does', async () => {
    const w = watched();
    w.viewers.set('page-1', true);
    const one = call(w.approvals);
    w.pass(MINUTE);
    w.viewers.set('page-1', false);
    w.pass(20 * MINUTE);
    expect(await one.state()).toBe('pending');
    w.viewers.set('page-1', true);
    expect(end(w)).toBe(EXPIRY_MS + 20 * MINUTE);
    expect(one.waiting).toMatchObject([{}, { expiresAt: onlyCard(w.approvals).expiresAt }]);
    w.pass(4 * MINUTE - 1);
    expect(await one.state()).toBe('pending');
    w.pass(1);
    expect(await one.decision).toMatchObject({ kind: 'denied', reason: 'timeout' });
  });

  it('stands from the start where no page is connected, and ends after an hour all the same', async () => {
    const w = watched();
    const one = call(w.approvals);
    w.pass(0);
    w.pass(EXPIRY_MS + MOST_UNSEEN_MS - 1);
    expect(await one.state()).toBe('pending');
    w.pass(1);
    expect(await one.decision).toMatchObject({ kind: 'denied', reason: 'timeout' });
  });

  it('cannot stand longer by being hidden again and again', async () => {
    const w = watched();
    const one = call(w.approvals);
    for (let round = 0; round < 70; round += 1) {
      w.pass(0);
      w.pass(MINUTE);
      w.viewers.set('page-1', true);
      w.viewers.set('page-1', false);
    }
    expect(await one.state()).toMatchObject({ kind: 'denied', reason: 'timeout' });
    expect(w.time.now - START).toBeGreaterThan(EXPIRY_MS + MOST_UNSEEN_MS);
  });

  it('goes on while any of the pages shows it', async () => {
    const w = watched();
    w.viewers.set('page-1', true);
    w.viewers.set('page-2', true);
    const one = call(w.approvals);
    w.viewers.set('page-1', false);
    w.pass(EXPIRY_MS);
    expect(await one.decision).toMatchObject({ reason: 'timeout' });
  });

  it('stands behind a locked screen, whatever a page says', async () => {
    const w = watched();
    w.viewers.set('page-1', true);
    const one = call(w.approvals);
    w.viewers.lock(true);
    w.pass(2 * EXPIRY_MS);
    expect(await one.state()).toBe('pending');
    w.viewers.lock(false);
    w.pass(EXPIRY_MS);
    expect(await one.decision).toMatchObject({ reason: 'timeout' });
  });

  it('never stands for a page that asks to be paired', async () => {
    const w = watched();
    const asks = new AbortController();
    onTestFinished(() => asks.abort());
    const decision = w.approvals.askPerson(requestOf(), () => undefined, asks.signal);
    w.pass(0);
    w.pass(EXPIRY_MS);
    expect(await decision).toMatchObject({ reason: 'timeout' });
  });

  it('changes nothing that an Allow is about: what was shown before still counts', () => {
    const w = watched();
    w.viewers.set('page-1', true);
    call(w.approvals);
    const { id, digest } = onlyCard(w.approvals);
    w.viewers.set('page-1', false);
    w.pass(MINUTE);
    w.viewers.set('page-1', true);
    w.approvals.moreTime(id);
    expect(press(w, 'allow', { id, digest })).toEqual({ ok: true });
  });
});

describe('more time', () => {
  it('adds five minutes a press, tells the caller, and ends at two hours', async () => {
    const w = world();
    const one = call(w.approvals);
    const { id } = onlyCard(w.approvals);
    expect(w.approvals.moreTime(id)).toEqual({ ok: true });
    expect(end(w)).toBe(2 * EXPIRY_MS);
    expect(one.waiting.at(-1)).toEqual({ approvalId: id, expiresAt: onlyCard(w.approvals).expiresAt });
    expect(w.events.at(-1)).toMatchObject({
      kind: 'changed',
      card: { id, expiresAt: onlyCard(w.approvals).expiresAt },
    });
    for (let presses = 1; presses < 23; presses += 1) expect(w.approvals.moreTime(id)).toEqual({ ok: true });
    expect(end(w)).toBe(120 * MINUTE);
    expect(w.approvals.moreTime(id)).toMatchObject({ ok: false, code: 'no_more_time' });
    w.pass(120 * MINUTE);
    expect(await one.decision).toMatchObject({ reason: 'timeout' });
    expect(w.approvals.moreTime(id)).toMatchObject({ ok: false, code: 'unknown_card' });
  });

  it('is on disk for the next host, which takes no request that lasts longer', async () => {
    const w = world();
    const one = call(w.approvals);
    const { id } = onlyCard(w.approvals);
    for (let presses = 0; presses < 4; presses += 1) w.approvals.moreTime(id);
    w.approvals.close();
    await one.state();
    expect(onlyCard(w.again()).expiresAt).toBe(new Date(START + 25 * MINUTE).toISOString());
  });
});
