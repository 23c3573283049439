import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { reduce, type PageEvent } from '../../src/renderer/state/store.js';
import { busyAgents, chipState, isFresh, turns, waitingCount } from '../../src/renderer/state/select.js';
import { initialState, type PageState } from '../../src/renderer/state/state.js';
import type { Activity, ToPage } from '../../src/main/protocol/index.js';
import { NOTHING } from '../support/page-host.js';
import { activity, ago, answer, card, CLAUDE, question, STATUS } from '../support/page-samples.js';
import { verbatim } from '../../src/messages/index.js';

const from = (state: PageState, ...messages: ToPage[]): PageState =>
  messages.reduce((now, message) => reduce(now, { type: 'host', message }), state);
const on = (state: PageState, ...happenings: PageEvent[]): PageState => happenings.reduce(reduce, state);
const greet = (over: Partial<Extract<ToPage, { type: 'connected' }>> = {}): ToPage => ({
  type: 'connected',
  ...NOTHING,
  role: 'paired',
  nonce: 'n',
  ...over,
});
const paired = from(initialState, greet());
const ids = (state: PageState): string[] => state.slots.map((slot) => slot.card.id);

describe('slots', () => {
  const [a, b, c] = [card(), card(), card()];

  test('keep their order, whatever is settled first', () => {
    const asked = from(paired, ...[a, b, c].map((approval): ToPage => ({ type: 'approvalRequested', approval })));
    const ended = from(asked, { type: 'approvalResolved', id: a.id, decision: 'allow', by: 'page' });
    expect(ids(ended)).toEqual([a.id, b.id, c.id]);
    expect(ended.slots.map((slot) => slot.settled?.decision)).toEqual(['allow', undefined, undefined]);
    expect(ids(on(ended, { type: 'answeredCleared' }))).toEqual([b.id, c.id]);
  });

  test('a reconnect keeps places, ends what is gone and adds what is new at the end', () => {
    const before = from(paired, greet({ approvals: [a, b] }));
    const after = from(on(before, { type: 'connectionLost', retryAt: 1 }), greet({ approvals: [c, b] }));
    expect(ids(after)).toEqual([a.id, b.id, c.id]);
    expect(after.slots[0]?.settled?.reason).toBe('gone');
    expect(after.connection).toBe('open');
  });

  test('another digest swaps the content and drops a decision on its way', () => {
    const sent = on(from(paired, greet({ approvals: [a] })), { type: 'decisionSent', id: a.id, decision: 'allow' });
    expect(sent.slots[0]?.sent).toBe('allow');
    const changed = from(sent, { type: 'approvalChanged', approval: { ...a, digest: 'other' } });
    expect(changed.slots[0]).toMatchObject({ changed: true, sent: null, card: { digest: 'other' } });
    const orphan = from(sent, { type: 'approvalChanged', approval: { ...a, orphaned: true } });
    expect(orphan.slots[0]).toMatchObject({ changed: false, sent: 'allow' });
  });

  test('a settled card takes no news, and a refusal frees the buttons', () => {
    const done = from(paired, greet({ approvals: [a] }), {
      type: 'approvalResolved',
      id: a.id,
      decision: 'deny',
      by: 'page',
      reason: 'timeout',
    });
    expect(from(done, { type: 'approvalChanged', approval: { ...a, digest: 'x' } }).slots).toEqual(done.slots);
    const sent = on(from(paired, greet({ approvals: [b] })), { type: 'decisionSent', id: b.id, decision: 'allow' });
    const refused = from(sent, { type: 'error', code: 'stale', message: verbatim('No.'), about: b.id });
    expect(refused.slots[0]).toMatchObject({ sent: null, problem: 'No.', settled: null });
    expect(refused.notice).toBeNull();
  });

  test('a lost connection frees what was sent; an unpaired greeting holds no card', () => {
    const sent = on(from(paired, greet({ approvals: [a] })), { type: 'decisionSent', id: a.id, decision: 'allow' });
    expect(on(sent, { type: 'connectionLost', retryAt: 5 }).slots[0]?.sent).toBeNull();
    expect(from(sent, greet({ role: 'unpaired' })).slots).toEqual([]);
  });
});

describe('conversation', () => {
  const asked = question(1, 'Which?');
  const told = answer(2, asked, 'That one');

  test('opens a question once and closes it with its answer', () => {
    const open = from(paired, asked, asked);
    expect(open.chat).toHaveLength(1);
    expect(open.pending).toEqual([asked.ack_id]);
    const closed = from(on(open, { type: 'replySent', id: asked.ack_id }), told);
    expect(closed.pending).toEqual([]);
    expect(closed.replying).toEqual({});
    expect(from(closed, asked).pending).toEqual([]);
  });

  test('replays without doubling or losing, and starts over when the host forgot', () => {
    const later = question(5, 'And now?');
    const known = from(paired, asked, told);
    const replayed = from(known, greet({ history: [told, later], pendingAckIds: [later.ack_id], cursor: 5, since: 1 }));
    expect(replayed.chat.map((event) => event.seq)).toEqual([1, 2, 5]);
    expect(from(replayed, greet({ history: [], cursor: 0 })).chat).toEqual([]);
  });

  test('tells what became of each message', () => {
    const delivered = { type: 'delivered' as const, ack_id: asked.ack_id, seq: 3, at: '2026-11-21T10:00:00.000Z' };
    const [said, replied] = turns([asked, told, delivered], [], null);
    expect(said).toMatchObject({ kind: 'agent', state: 'answered' });
    expect(replied).toMatchObject({ kind: 'person', to: { name: 'Claude Code' }, deliveredAt: delivered.at });
    expect(turns([asked, { ...delivered, type: 'withdrawn' }], [], null)[0]).toMatchObject({ state: 'withdrawn' });
    expect(turns([asked], [asked.ack_id], null)[0]).toMatchObject({ state: 'waiting' });
  });

  test('a refused reply is said beside its question', () => {
    const refused = from(on(from(paired, asked), { type: 'replySent', id: asked.ack_id }), {
      type: 'error',
      code: 'x',
      message: verbatim('Too long.'),
      about: asked.ack_id,
    });
    expect(refused).toMatchObject({ replying: {}, replyProblems: { [asked.ack_id]: 'Too long.' }, notice: null });
  });
});

describe('what is shown', () => {
  test('one row an execution, newest first', () => {
    const [a, b] = [activity({ outcome: 'running' }), activity()];
    const done = from(
      paired,
      { type: 'activity', activity: a },
      { type: 'activity', activity: b },
      { type: 'activity', activity: { ...a, outcome: 'confirmed' } },
    );
    expect(done.activity.map((row) => [row.executionId, row.outcome])).toEqual([[b.executionId, 'confirmed'], [a.executionId, 'confirmed']]); // prettier-ignore
  });

  test('the chip: no connection over no pairing over paused over waiting over acting', () => {
    expect(chipState(initialState)).toBe('connecting');
    const acting = from(paired, { type: 'status', status: { ...STATUS, state: 'acting' } });
    expect(chipState(acting)).toBe('acting');
    const waiting = from(acting, { type: 'approvalRequested', approval: card() });
    expect(chipState(waiting)).toBe('waiting');
    expect(chipState(from(waiting, { type: 'status', status: { ...STATUS, state: 'paused' } }))).toBe('paused');
    const alone = on(from(initialState, greet({ role: 'unpaired' })), {
      type: 'identityChecked',
      identity: 'none',
      refusal: null,
    });
    expect(chipState(alone)).toBe('chat_only');
    expect(chipState(on(waiting, { type: 'connectionLost', retryAt: 1 }))).toBe('lost');
  });

  test('counts requests and questions', () => {
    const asked = question(1, '?');
    expect(waitingCount(from(paired, asked))).toBe(1);
    expect(
      waitingCount(
        from(
          paired,
          asked,
          { type: 'approvalRequested', approval: card() },
          { type: 'approvalRequested', approval: card() },
        ),
      ),
    ).toBe(3);
  });

  test('an answered agent is at work, one with an open question is not', () => {
    const asked = question(1, '?');
    const idle = from(
      paired,
      { type: 'status', status: { ...STATUS, agents: [{ ...CLAUDE, since: asked.at, state: 'idle' }] } },
      asked,
    );
    expect(busyAgents(idle)).toEqual([]);
    const told = from(idle, answer(2, asked, 'yes'));
    expect(busyAgents(told)).toHaveLength(1);
    const seen = (over: Partial<Activity>) =>
      from(told, { type: 'activity', activity: activity({ at: ago(0), ...over }) });
    expect(busyAgents(seen({ effect: 'bookkeeping', tool: 'send_message' }))).toHaveLength(1);
    expect(busyAgents(seen({ effect: 'input' }))).toEqual([]);
    const written = answer(2, asked, 'look there');
    expect(busyAgents(from(idle, { ...written, ack_id: randomUUID(), to: asked.agent }))).toEqual([]);
  });

  test('is fresh only while there is nothing at all', () => {
    expect(isFresh(paired)).toBe(true);
    expect(isFresh(from(paired, { type: 'status', status: STATUS }))).toBe(false);
  });
});
