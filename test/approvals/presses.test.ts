import { describe, expect, it } from 'vitest';
import { agentOf, call, onlyCard, press, world, type World } from './support.js';

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

  it('counts for nothing under another window, and says which; the next needs a press of its own [req:PR-21]', () => {
    const w = waiting();
    begin(w);
    const covered = end(w, { over: '“Fine print” of cover' });
    expect(covered).toMatchObject({
      code: 'covered',
      message: { params: { window: expect.stringContaining('“Fine print” of cover') } },
    });
    expect(end(w)).toMatchObject({ code: 'no_press' });
    begin(w);
    expect(end(w)).toEqual({ ok: true });
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
      releaseHeld() {
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
