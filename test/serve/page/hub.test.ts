import { describe, expect, it } from 'vitest';
import { NEWEST, newestHistory } from '../../../src/main/serve/page/record.js';
import { MAX_PAGES, MAX_REFUSED_MESSAGES, MESSAGE_BYTES, OUTBOX_CHARS } from '../../../src/main/serve/page/page.js';
import type { ChatEvent } from '../../../src/main/protocol/index.js';
import { agent, ask } from '../../chat/support.js';
import { activity, at, card, fakePage, startPages, uuid } from './support.js';

describe('many pages', () => {
  it('[req:DS-7-2] 200 at once all hear everything, and one answer settles it in all', async () => {
    const { chat, open, openPaired, pages, news } = await startPages();
    const paired = await openPaired();
    const many = Array.from({ length: 200 }, () => open());
    expect(pages.count()).toEqual({ paired: 1, unpaired: 200 });
    const asked = await ask(chat, 'a', 'c1', 'Which?');
    for (const page of many) expect(page.last('agentMessage').ack_id).toBe(asked.ackId);
    await many[17]?.says({ type: 'ack', id: asked.ackId, message: 'left' });
    for (const page of [...many, paired])
      expect(page.last('userMessage')).toMatchObject({ ack_id: asked.ackId, text: 'left' });
    await many[18]?.says({ type: 'ack', id: asked.ackId, message: 'right' });
    expect(many[18]?.last('error')).toMatchObject({ code: 'already_answered', about: asked.ackId });
    expect((await asked.reply).reply).toBe('left');
    chat.resultWritten('a', 'c1');
    chat.confirmDelivery('a', null);
    expect(many[199]?.last('delivered').ack_id).toBe(asked.ackId);
    news.activity.tell(activity(8));
    expect(paired.last('activity').activity.seq).toBe(8);
  });

  it('a page that does not read is closed and holds up nobody', async () => {
    const { chat, open, openPaired } = await startPages();
    const stuck = fakePage({ stuck: true });
    open({}, stuck);
    const reader = await openPaired();
    const text = 'x'.repeat(40_000);
    let sent = 0;
    for (let n = 0; stuck.closed() === null && sent < 2 * OUTBOX_CHARS; n += 1) {
      const { ackId } = await ask(chat, 'a', `c${n}`, `${n} ${text}`);
      chat.answer(ackId, text, [], true);
      sent += 2 * text.length;
    }
    expect(stuck.closed()).toBe('the page reads too slowly');
    expect(sent).toBeLessThanOrEqual(OUTBOX_CHARS + 4 * text.length);
    expect(reader.all('userMessage').at(-1)?.seq).toBe(chat.cursor());
    expect(reader.closed()).toBeNull();
  });

  it('a flood of unpaired pages closes its own oldest and never a paired one', async () => {
    const { open, openPaired, pages } = await startPages();
    const paired = await openPaired();
    const flood = Array.from({ length: MAX_PAGES + 20 }, () => open());
    expect(pages.count()).toEqual({ paired: 1, unpaired: MAX_PAGES - 1 });
    expect(flood[0]?.closed()).not.toBeNull();
    expect(flood.at(-1)?.closed()).toBeNull();
    expect(paired.closed()).toBeNull();
  });

  it('forgets pages that left and stops listening when it is closed', async () => {
    const { chat, open, pages, news } = await startPages();
    const page = open();
    page.hangUp();
    expect(pages.count()).toEqual({ paired: 0, unpaired: 0 });
    const other = open();
    pages.close();
    expect(other.closed()).toBe('the host is closing');
    expect(Object.values(news).map((one) => one.size())).toEqual(Object.values(news).map(() => 0));
    await ask(chat, 'a', 'c1', 'anyone?');
    expect(other.all('agentMessage')).toEqual([]);
  });
});

describe('messages that are not as they should be', () => {
  it.each([
    ['no JSON', new Error('unreadable')],
    ['nothing', null],
    ['a list', []],
    ['an unknown type', { type: 'approveEverything' }],
    ['an inherited name', { type: 'constructor' }],
    ['a missing field', { type: 'ack', id: uuid(1) }],
    ['a wrong id', { type: 'approval', id: 'x', digest: 'd', decision: 'allow' }],
    ['an unknown decision', { type: 'approval', id: uuid(1), digest: 'd', decision: 'ALLOW' }],
    ['pause with a word', { type: 'pause', on: 'false' }],
    ['a megabyte of text', { type: 'ack', id: uuid(1), message: 'x'.repeat(1_000_000) }],
    ['a negative cursor', { type: 'resume', cursor: -1 }],
    [
      'a picture that is a page',
      { type: 'ack', id: uuid(1), message: '', images: [{ mimeType: 'image/svg+xml', base64: 'AAAA' }] },
    ],
  ])('%s is refused and changes nothing', async (_name, message) => {
    const { openPaired, chat, acts } = await startPages();
    const page = await openPaired();
    await page.says(message);
    expect(page.last('error').code).toBe('malformed');
    expect(page.closed()).toBeNull();
    expect(chat.cursor()).toBe(0);
    const { descends: _, ...rest } = acts;
    for (const act of Object.values(rest)) expect(act).not.toHaveBeenCalled();
  });

  it('close the page when they go on', async () => {
    const { open } = await startPages();
    const page = open();
    for (let n = 0; n < MAX_REFUSED_MESSAGES; n += 1) await page.says('nonsense');
    expect(page.closed()).toBe('too many messages were refused');
    expect(page.all('error')).toHaveLength(MAX_REFUSED_MESSAGES);
  });

  it('a flood is cut off without being read', async () => {
    const { open, acts } = await startPages();
    const page = open();
    for (let n = 0; n < 10_000; n += 1) await page.says({ type: 'pause', on: true });
    expect(page.closed()).not.toBeNull();
    expect(acts.stopAgents.mock.calls.length).toBeLessThanOrEqual(60);
  });

  it('a page that asks for everything over and over is cut off', async () => {
    const { open } = await startPages();
    const page = open();
    for (let n = 0; n < 50; n += 1) await page.says({ type: 'resume', cursor: 0 });
    expect(page.all('connected').length).toBeLessThanOrEqual(6);
    expect(page.closed()).not.toBeNull();
  });

  it('large ones are let in only from a paired page', async () => {
    const { open, openPaired } = await startPages();
    expect(open().limit()).toBe(MESSAGE_BYTES.unpaired);
    expect((await openPaired()).limit()).toBe(MESSAGE_BYTES.paired);
  });
});

describe('news for paired pages', () => {
  it('[req:DS-7-7] is sent as it happens', async () => {
    const { openPaired, news, state } = await startPages();
    const page = await openPaired();
    news.cards.tell({ kind: 'requested', card: card(2) });
    const resolved = { id: uuid(2), decision: 'deny', by: 'page', reason: 'denied' } as const;
    news.cards.tell({ kind: 'resolved', executionId: uuid(1002), effect: 'input', message: null, ...resolved });
    expect(page.last('approvalResolved')).toEqual({ type: 'approvalResolved', ...resolved });
    news.grants.tell([]);
    news.status.tell(state.status);
    expect(
      page
        .got()
        .slice(-4)
        .map(({ type }) => type),
    ).toEqual(['approvalRequested', 'approvalResolved', 'grants', 'status']);
  });
});

describe('resuming', () => {
  it('[req:DS-7-8] replays what was missed, with the questions that wait', async () => {
    const { chat, open } = await startPages();
    const first = await ask(chat, 'a', 'c1', 'one');
    const page = open();
    chat.answer(first.ackId, '1', [], true);
    const second = await ask(chat, 'a', 'c2', 'two');
    await page.says({ type: 'resume', cursor: 1 });
    const { history, pendingAckIds, cursor } = page.last('connected');
    expect(history.filter(({ seq }) => seq > 1)).toMatchObject([{ text: '1' }, { text: 'two' }]);
    expect({ pendingAckIds, cursor }).toEqual({ pendingAckIds: [second.ackId], cursor: 3 });
  });
});

describe('the history a page is given', () => {
  const asked = (seq: number, text = `q${seq}`): ChatEvent => ({
    type: 'agentMessage',
    text,
    ack_id: uuid(seq),
    seq,
    at,
    agent: agent('a'),
  });
  const pictured = (seq: number, size: number): ChatEvent => ({
    type: 'userMessage', text: 'see', ack_id: uuid(seq), seq, at, paired: true, images: [{ mimeType: 'image/png', base64: 'A'.repeat(size) }],
  }); // prettier-ignore
  const events = (count: number) => Array.from({ length: count }, (_, index) => asked(index + 1));

  it('is whole while it is short', () => {
    expect(newestHistory(events(10), [], null)).toEqual({ events: events(10), since: 0 });
    expect(newestHistory([], [], null)).toEqual({ events: [], since: 0 });
  });

  it('is the newest part of a long one, and says where it starts', () => {
    const all = events(NEWEST.events + 50);
    expect(newestHistory(all, [], null)).toEqual({ events: all.slice(50), since: 50 });
  });

  it('goes back as far as the page stopped reading', () => {
    const all = events(NEWEST.events + 50);
    expect(newestHistory(all, [], 20).since).toBe(20);
    const long = events(NEWEST.events * NEWEST.missed + 10);
    expect(newestHistory(long, [], 0).since).toBe(10);
  });

  it('has every question that waits, however old', () => {
    const all = events(NEWEST.events + 50);
    expect(newestHistory(all, [uuid(3)], null).events.slice(0, 2)).toEqual([asked(3), asked(51)]);
  });

  it('leaves images out before text', () => {
    const all = [pictured(1, NEWEST.imageChars), pictured(2, 100)];
    const { events: kept, since } = newestHistory(all, [], null);
    expect(since).toBe(0);
    expect(kept[0]).not.toHaveProperty('images');
    expect(kept[1]).toHaveProperty('images');
  });

  it('stops at its size', () => {
    const all = [asked(1, 'x'.repeat(NEWEST.textChars)), asked(2, 'y'.repeat(NEWEST.textChars / 2)), asked(3)];
    expect(newestHistory(all, [], null).events.map(({ seq }) => seq)).toEqual([2, 3]);
  });
});
