import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/main/approvals/plan.js';
import type { ApprovalRequest } from '../../src/main/approvals/request.js';
import { MAX_TOGETHER } from '../../src/main/approvals/together.js';
import { presetPolicy, type PersonAnswer } from '../../src/main/approvals/index.js';
import { message } from '../../src/messages/index.js';
import type { Card, SeenCard } from '../../src/main/protocol/index.js';
import { agentOf, call, FIREFOX, MAIL, press, requestOf, turnAround, world, type World } from './support.js';

const NOTES = { id: 'org.gnome.Notes', name: 'Notes' };
const TITLES = { app: null, target: { kind: 'titles' } } as const;

/** A look at one application. */
const look = (w: World, app: typeof MAIL | null, more: Partial<Parameters<typeof requestOf>[0]> = {}) =>
  call(w.approvals, {
    effect: 'disclose',
    tool: 'capture_window_screenshot',
    args: { of: app?.id ?? 'all' },
    app,
    ...more,
  });

const threeLooks = (w: World) => [look(w, MAIL), look(w, FIREFOX), look(w, null, TITLES)] as const;

const seen = ({ id, digest }: Card): SeenCard => ({ id, digest });

/** One press on all that is shown, or on these. */
function pressAll(
  w: World,
  decision: 'allow' | 'deny',
  over: Partial<PersonAnswer> = {},
  [first, ...others] = w.approvals.cards().map(seen),
) {
  if (first === undefined) throw new Error('nothing is shown');
  return press(w, decision, { ...first, with: others, ...over });
}

describe('several looks of one agent', () => {
  it('[req:TG-1] come on one card, and one Allow is for each of them, in their order', async () => {
    const w = world();
    const order: number[] = [];
    const calls = threeLooks(w);
    calls.forEach(({ decision }, index) => void decision.then(() => order.push(index)));
    const cards = w.approvals.cards();
    expect(new Set(cards.map(({ group }) => group))).toEqual(new Set([cards[0]?.id]));
    expect(w.events.map(({ kind }) => kind)).toEqual(['requested', 'requested', 'requested']);
    expect(pressAll(w, 'allow')).toEqual({ ok: true });
    for (const [index, { decision }] of calls.entries())
      expect(await decision).toMatchObject({
        kind: 'allowed',
        by: 'person',
        approvalId: cards[index]?.id,
        grantId: null,
      });
    expect(order).toEqual([0, 1, 2]);
    expect(w.approvals.remembered('agent-100').map(({ what }) => what)).toEqual(
      expect.arrayContaining(['app:com.apple.mail', 'app:org.mozilla.firefox', 'titles']),
    );
  });

  it('[req:TG-1] are denied by one press, which counts as one denial', async () => {
    const w = world();
    const calls = threeLooks(w);
    expect(pressAll(w, 'deny', { message: 'Not now.' })).toEqual({ ok: true });
    for (const { decision } of calls) expect(await decision).toMatchObject({ kind: 'denied', reason: 'denied' });
    expect(w.approvals.shownPause()).toBeNull();
    for (const round of [2, 3]) {
      look(w, MAIL, { args: { round } });
      press(w, 'deny');
    }
    expect(w.approvals.shownPause()).not.toBeNull();
  });

  it('[req:TG-1] can be denied one by one, and what is left is allowed without them', async () => {
    const w = world();
    const calls = threeLooks(w);
    const [, firefox] = w.approvals.cards();
    if (firefox === undefined) throw new Error('no second card');
    expect(press(w, 'deny', seen(firefox))).toEqual({ ok: true });
    expect(await calls[1].decision).toMatchObject({ kind: 'denied' });
    expect(pressAll(w, 'allow')).toEqual({ ok: true });
    expect(await calls[0].decision).toMatchObject({ kind: 'allowed' });
    expect(await calls[2].decision).toMatchObject({ kind: 'allowed' });
  });

  it('[req:TG-4] of a page that answers for one stay closed for the others', async () => {
    const w = world();
    const calls = threeLooks(w);
    const [mail] = w.approvals.cards();
    if (mail === undefined) throw new Error('no card');
    expect(press(w, 'allow', seen(mail))).toEqual({ ok: true });
    expect(await calls[0].decision).toMatchObject({ kind: 'allowed' });
    expect(await calls[1].state()).toBe('pending');
    expect(await calls[2].state()).toBe('pending');
  });

  it('are asked again after a restart, and a caller that returns finds its own', async () => {
    const w = world();
    const calls = threeLooks(w);
    w.approvals.close();
    for (const { decision } of calls) await expect(decision).rejects.toThrow();
    const later = w.again();
    const cards = later.cards();
    expect(new Set(cards.map(({ group }) => group)).size).toBe(1);
    const back = call(later, calls[1].request);
    w.time.now += 600;
    const [first, ...others] = cards.map(seen);
    if (first === undefined) throw new Error('no card');
    expect(press(w, 'allow', { ...first, with: others }, later)).toEqual({ ok: true });
    expect(await back.decision).toMatchObject({ kind: 'allowed', approvalId: cards[1]?.id });
  });
});

describe('an answer for several', () => {
  const refused = (w: World, over: Partial<PersonAnswer>, shown?: SeenCard[]) => {
    const result = pressAll(w, 'allow', over, shown);
    return result.ok ? 'ok' : result.code;
  };

  it('[req:TG-3] covers none that came after it was read', async () => {
    const w = world();
    look(w, MAIL);
    look(w, FIREFOX);
    w.time.now += 300;
    const before = w.approvals.cards().map(seen);
    const late = look(w, null, TITLES);
    expect(w.approvals.cards()).toHaveLength(3);
    w.time.now += 250;
    const [first, ...others] = before;
    if (first === undefined) throw new Error('no card');
    const answer = { ...first, with: others, by: 'k', where: 'page', connection: 'page-1' } as const;
    w.approvals.pressBegan(answer);
    expect(w.approvals.answer({ ...answer, decision: 'allow' })).toMatchObject({ ok: false, code: 'too_soon' });
    expect(pressAll(w, 'allow', {}, before)).toEqual({ ok: true });
    expect(await late.state()).toBe('pending');
  });

  it('[req:TG-4] is for all or for none: one that ended or changed spoils it', async () => {
    const w = world();
    const calls = threeLooks(w);
    const cards = w.approvals.cards().map(seen);
    calls[2].end('withdraw');
    expect(refused(w, {}, cards)).toBe('settled');
    const [mail, firefox] = cards;
    if (mail === undefined || firefox === undefined) throw new Error('no cards');
    expect(refused(w, {}, [mail, { ...firefox, digest: 'another' }])).toBe('stale');
    expect(await calls[0].state()).toBe('pending');
    expect(await calls[1].state()).toBe('pending');
  });

  it('[req:TG-4] must end a press on the same ones', () => {
    const w = world();
    threeLooks(w);
    w.time.now += 600;
    const [first, ...others] = w.approvals.cards().map(seen);
    if (first === undefined) throw new Error('no card');
    const answer = { ...first, by: 'k', where: 'page', connection: 'page-1' } as const;
    w.approvals.pressBegan(answer);
    expect(w.approvals.answer({ ...answer, with: others, decision: 'allow' })).toMatchObject({ code: 'no_press' });
    w.approvals.pressBegan({ ...answer, with: others });
    expect(w.approvals.answer({ ...answer, decision: 'allow' })).toMatchObject({ code: 'no_press' });
  });

  it('[req:TG-4] is refused for requests that were not shown together, twice the same, or for longer', () => {
    const w = world({ policy: presetPolicy('strict') });
    look(w, MAIL);
    look(w, FIREFOX);
    const stranger = look(w, MAIL, { agent: agentOf({ pid: 101 }) });
    const [mail, firefox, other] = w.approvals.cards().map(seen);
    if (mail === undefined || firefox === undefined || other === undefined) throw new Error('no cards');
    expect(refused(w, {}, [mail, other])).toBe('stale');
    expect(refused(w, {}, [mail, mail])).toBe('stale');
    expect(refused(w, { grant: 'time' }, [mail, firefox])).toBe('stale');
    expect(stranger.waiting).toHaveLength(1);
  });

  it('leaves nothing of a paused agent', async () => {
    const w = world();
    const calls = threeLooks(w);
    w.approvals.stop({ by: 'me', where: 'page' });
    for (const { decision } of calls) expect(await decision).toMatchObject({ kind: 'denied', reason: 'stopped' });
    expect(w.approvals.cards()).toEqual([]);
  });

  it('ends with the time of each', async () => {
    const w = world({ expiryMs: 1000 });
    const first = look(w, MAIL);
    w.time.now += 400;
    const second = look(w, FIREFOX);
    w.pass(600);
    expect(await first.decision).toMatchObject({ kind: 'denied', reason: 'timeout' });
    expect(await second.state()).toBe('pending');
    w.pass(400);
    expect(await second.decision).toMatchObject({ kind: 'denied', reason: 'timeout' });
  });
});

describe('a card takes in no more', () => {
  it('[req:TG-3] three seconds after it appeared, when the person is deciding', async () => {
    const w = world();
    look(w, MAIL);
    w.time.now += 2_900;
    const soon = look(w, NOTES);
    expect(w.approvals.cards()).toHaveLength(2);
    w.time.now += 100;
    const late = look(w, FIREFOX);
    expect(w.approvals.cards()).toHaveLength(2);
    pressAll(w, 'allow');
    expect(await soon.decision).toMatchObject({ kind: 'allowed' });
    expect(w.approvals.cards()).toHaveLength(1);
    expect(await late.state()).toBe('pending');
  });

  it(`[req:TG-3] than ${MAX_TOGETHER}, of a hundred calls at once`, async () => {
    const w = world();
    const calls = Array.from({ length: 60 }, (_, index) => look(w, { id: `app.${index}`, name: `App ${index}` }));
    expect(w.approvals.cards()).toHaveLength(MAX_TOGETHER);
    pressAll(w, 'allow');
    await turnAround();
    expect((await Promise.all(calls.map(({ state }) => state()))).filter((state) => state !== 'pending')).toHaveLength(
      MAX_TOGETHER,
    );
    expect(w.approvals.cards()).toHaveLength(MAX_TOGETHER);
    w.approvals.stop({ by: 'me', where: 'page' });
  });

  it('[req:TG-2] of another agent', () => {
    const w = world();
    look(w, MAIL);
    look(w, FIREFOX, { agent: agentOf({ pid: 101 }) });
    expect(new Set(w.approvals.cards().map(({ group }) => group)).size).toBe(2);
  });

  it('[req:TG-2] while nobody waits for what is on it', () => {
    const w = world();
    look(w, MAIL).end('detach');
    look(w, FIREFOX);
    expect(w.approvals.cards()).toHaveLength(1);
  });
});

const plan = (request: ApprovalRequest, over: Partial<Plan>): ApprovalRequest =>
  request.plan === null ? request : { ...request, plan: { ...request.plan, ...over } };

const LOOK = { effect: 'disclose', tool: 'look', args: { at: 2 } } as const;
const ALONE: Record<string, ApprovalRequest> = {
  'a click': requestOf({ app: FIREFOX }),
  'a move of the pointer': requestOf({ app: FIREFOX, effect: 'pointer' }),
  'a command': requestOf({ app: FIREFOX, effect: 'dangerous' }),
  'what is always asked': requestOf({ ...LOOK, alwaysAsk: true }),
  'a look with a warning': plan(requestOf(LOOK), { notes: [message('note.no_name')] }),
  'a look with text': plan(requestOf(LOOK), { text: 'ls' }),
  'a look with a consequence': plan(requestOf(LOOK), { consequence: { kind: 'send', facts: [] } }),
  'a look that needs the focus': plan(requestOf(LOOK), { needsFocus: true }),
  'a look with steps': plan(requestOf(LOOK), { steps: [] as const, alwaysAsk: true }),
  'a look at a file': plan(requestOf(LOOK), { file: '/home/me/code/a' }),
  'the clipboard': requestOf({ ...LOOK, app: null, target: { kind: 'none' } }),
  'what belongs to no application': requestOf({ ...LOOK, app: null, target: { kind: 'window' } }),
  'where keys go': requestOf({ ...LOOK, target: { kind: 'focus', element: null } }),
  'a password manager': requestOf({ ...LOOK, app: { id: 'org.keepassxc.KeePassXC', name: 'KeePassXC' } }),
  'a terminal': requestOf({ ...LOOK, app: { id: 'org.gnome.Terminal', name: 'Terminal' } }),
  'hidden characters': requestOf({ ...LOOK, title: 'In\u202ebox' }),
  'hidden characters in arguments': requestOf({ ...LOOK, args: { note: 'a\u200bb\u0001' } }),
  'a name that is cut': requestOf({ ...LOOK, title: 'x'.repeat(81) }),
  'what is not planned': { ...requestOf(LOOK), plan: null },
  'what the agent may not see': { ...requestOf(LOOK), unseen: true },
  'a plan that says more': plan(requestOf(LOOK), { plain: true }),
};

it.each(Object.entries(ALONE))('[req:TG-2] %s stands alone, before and after a look', async (_, request) => {
  const first = world();
  look(first, MAIL);
  call(first.approvals, { ...request });
  await turnAround();
  expect(first.approvals.cards()).toHaveLength(1);
  const second = world();
  call(second.approvals, { ...request });
  look(second, MAIL);
  await turnAround();
  expect(second.approvals.cards()).toHaveLength(1);
  expect(second.approvals.cards()[0]?.group).toBeUndefined();
});

it('[req:TG-2] a look that says why it is asked anyway stands alone', async () => {
  const w = world();
  call(w.approvals, { app: FIREFOX, url: 'https://one.example/' });
  expect(press(w, 'allow', { grant: 'time' })).toEqual({ ok: true });
  look(w, MAIL);
  look(w, FIREFOX, { url: 'https://other.example/' });
  await turnAround();
  expect(w.approvals.cards()).toHaveLength(1);
});
