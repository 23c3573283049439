import { describe, expect, it } from 'vitest';
import { presetPolicy } from '../../src/main/approvals/index.js';
import type { TaskEdit } from '../../src/main/protocol/index.js';
import { formatEnglish } from '../../src/messages/index.js';
import { call, callerOf, onlyCard, press, world, type World } from './support.js';
import { CHROMIUM, GIMP, KEYS, MOUSEPAD, PAGE, PURPOSE, SCOPE, XTERM, actOf, edited, running, runs, taskRequest } from './task-world.js'; // prettier-ignore

describe('a request for a task', () => {
  it('says what an Allow gives, is always asked, and starts nothing by itself', async () => {
    const w = world({ policy: presetPolicy('standard') });
    const { decision } = call(w.approvals, taskRequest());
    const card = onlyCard(w.approvals);
    expect(card.task).toEqual({ purpose: PURPOSE, asked: SCOPE, scope: SCOPE, replaces: null });
    expect(card.grants.map(({ kind }) => kind)).toEqual(['once']);
    press(w, 'allow');
    expect(await decision).toMatchObject({ kind: 'allowed', by: 'person', task: SCOPE });
    expect(await runs(w)).toBe(false);
  });

  it('gives what the person made of it, and no more', async () => {
    const w = world();
    const { decision } = call(w.approvals, taskRequest());
    const before = onlyCard(w.approvals);
    expect(edited(w, { apps: [MOUSEPAD.id, GIMP.id], sites: [], effects: ['see', 'click'], minutes: 5 })).toEqual({ ok: true }); // prettier-ignore
    const after = onlyCard(w.approvals);
    expect(after.digest).not.toBe(before.digest);
    expect(after.covers?.map(formatEnglish)[0]).toBe('Mousepad and GIMP: see and click. 5 minutes, at most 5 acts.');
    expect(press(w, 'allow')).toEqual({ ok: true });
    const task = w.approvals.tasks.start(callerOf(), PURPOSE, await decision);
    expect(task).toMatchObject({ apps: [MOUSEPAD, GIMP], sites: [], effects: ['see', 'click'], minutes: 5 });
    expect(await runs(w)).toBe(true);
    expect(await runs(w, { app: GIMP })).toBe(true);
    expect(await runs(w, { plan: KEYS })).toBe(false);
    expect(await runs(w, { app: CHROMIUM, url: PAGE })).toBe(false);
    w.pass(5 * 60_000);
    expect(await runs(w)).toBe(false);
  });

  it('takes no Allow of what is no longer shown', async () => {
    const w = world();
    call(w.approvals, taskRequest()).decision.catch(() => undefined);
    const wide = onlyCard(w.approvals);
    edited(w, { effects: ['see'] });
    expect(press(w, 'allow', { id: wide.id, digest: wide.digest })).toMatchObject({ ok: false, code: 'stale' });
    const narrow = onlyCard(w.approvals);
    edited(w);
    expect(press(w, 'allow', { id: wide.id, digest: narrow.digest })).toMatchObject({ ok: false, code: 'stale' });
  });

  it('tells applications of one name apart', () => {
    const w = world();
    const other = { ...MOUSEPAD, id: 'other', program: '/tmp/mousepad' };
    call(w.approvals, taskRequest({ ...SCOPE, apps: [MOUSEPAD, other] })).decision.catch(() => undefined);
    edited(w, { apps: [MOUSEPAD.id] });
    const one = onlyCard(w.approvals);
    edited(w, { apps: [other.id] });
    expect(onlyCard(w.approvals).covers).toEqual(one.covers);
    expect(press(w, 'allow', { id: one.id, digest: one.digest })).toMatchObject({ ok: false, code: 'stale' });
  });

  it('takes no Allow right after it was edited, nor one that began before', () => {
    const w = world();
    call(w.approvals, taskRequest()).decision.catch(() => undefined);
    w.time.now += 600;
    const before = onlyCard(w.approvals);
    const answer = (digest: string) => ({ id: before.id, digest, decision: 'allow' as const, by: 'key-1', where: 'page' as const, connection: 'page-1' }); // prettier-ignore
    w.approvals.pressBegan(answer(before.digest));
    edited(w, { minutes: 120 });
    const { digest } = onlyCard(w.approvals);
    expect(w.approvals.answer(answer(digest))).toMatchObject({ ok: false, code: 'too_soon' });
    w.time.now += 600;
    expect(w.approvals.answer(answer(digest))).toMatchObject({ ok: false, code: 'no_press' });
  });

  it('is edited only to what was asked for or offered', () => {
    const w = world();
    call(w.approvals, taskRequest()).decision.catch(() => undefined);
    const { id } = onlyCard(w.approvals);
    expect(w.approvals.tasks.offered(id, running([MOUSEPAD, GIMP, XTERM]))).toEqual([GIMP]);
    const wrong: Partial<TaskEdit>[] = [{ apps: ['xterm'] }, { apps: ['unknown'] }, { sites: ['https://bank.example'] }]; // prettier-ignore
    for (const one of wrong) expect(edited(w, one), JSON.stringify(one)).toMatchObject({ ok: false });
    expect(edited(w, {}, 'another digest')).toMatchObject({ ok: false, code: 'stale' });
    expect(onlyCard(w.approvals).task?.scope).toEqual(SCOPE);
  });

  it('offers no browser, no excluded application, and none that the system does not name', () => {
    const w = world({ policy: { ...presetPolicy('standard'), excludedApps: ['gimp'] } });
    call(w.approvals, taskRequest()).decision.catch(() => undefined);
    const { id } = onlyCard(w.approvals);
    const firefox = { id: 'firefox', name: 'Firefox', program: '/usr/lib/firefox' };
    expect(w.approvals.tasks.offered(id, running([firefox, GIMP, { id: 'x', name: 'X', program: '' }]))).toEqual([]);
  });

  it('is answered once: a second Allow, and one for an act, start no task', async () => {
    const w = world();
    const { decision } = call(w.approvals, taskRequest());
    const card = onlyCard(w.approvals);
    press(w, 'allow');
    await decision;
    expect(press(w, 'allow', { id: card.id, digest: card.digest })).toMatchObject({ ok: false, code: 'settled' });
    const act = call(w.approvals, actOf());
    press(w, 'allow');
    expect(w.approvals.tasks.start(callerOf(), PURPOSE, await act.decision)).toBeNull();
  });

  it('that the policy lets through starts no task', async () => {
    const w = world({ policy: presetPolicy('unattended') });
    const decision = await call(w.approvals, taskRequest()).decision;
    expect(w.approvals.tasks.start(callerOf(), PURPOSE, decision)).toBeNull();
  });

  it('is refused where the policy allows no grants, also if it came before', async () => {
    const w = world();
    call(w.approvals, taskRequest()).decision.catch(() => undefined);
    w.approvals.setPolicy({ ...presetPolicy('standard'), grants: false }, { by: 'key-1', where: 'page' });
    expect(press(w, 'allow')).toMatchObject({ ok: false, code: 'policy' });
    expect(w.approvals.tasks.problem(callerOf())).not.toBeNull();
  });

  it('is answered in the popover where there is one, and never by a program', () => {
    const w = world({ popover: true });
    call(w.approvals, taskRequest()).decision.catch(() => undefined);
    expect(press(w, 'allow')).toMatchObject({ ok: false, code: 'popover_only' });
    for (const where of ['cli', 'agent', 'host', 'unproven'] as const)
      expect(press(w, 'allow', { ...answerOf(w), where })).toMatchObject({ ok: false, code: 'not_allowed_here' });
  });

  it('keeps what was edited for a caller that comes back, and gives it once', async () => {
    const w = world();
    const request = taskRequest();
    const first = call(w.approvals, request);
    edited(w, { effects: ['see'] });
    first.end('detach');
    await first.decision.catch(() => undefined);
    expect(press(w, 'allow')).toEqual({ ok: true });
    const again = await call(w.approvals, request).decision;
    expect(again).toMatchObject({ kind: 'allowed', task: { effects: ['see'] } });
    const third = call(w.approvals, request);
    expect(await third.state()).toBe('pending');
  });
});

function answerOf(w: World) {
  const { id, digest } = onlyCard(w.approvals);
  return { id, digest };
}
