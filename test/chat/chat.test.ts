import { statSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { WaitEnded } from '../../src/main/approvals/request.js';
import { CHAT_LIMITS } from '../../src/main/chat/limits.js';
import { chatEventSchema } from '../../src/main/protocol/index.js';
import { agent, ask, openChat, tempFile } from './support.js';

const live = () => new AbortController().signal;

describe('asking and answering', () => {
  it('gives the person’s reply to the call that waits', async () => {
    const chat = await openChat();
    const asked = await ask(chat, 'a', 'c1', 'Which one?', ['Left', 'Right']);
    expect(chat.pending()).toEqual([asked.ackId]);
    expect(chat.answer(asked.ackId, 'Left', [], true)).toEqual({ ok: true, seq: 2 });
    expect(await asked.reply).toEqual({ reply: 'Left', paired: true, images: [] });
    expect(chat.pending()).toEqual([]);
    expect(chat.events(0)).toMatchObject([
      {
        type: 'agentMessage',
        text: 'Which one?',
        quickReplies: ['Left', 'Right'],
        agent: { id: 'a', tile: 'AG' },
        seq: 1,
      },
      { type: 'userMessage', text: 'Left', paired: true, seq: 2, ack_id: asked.ackId },
    ]);
    for (const event of chat.events(0)) chatEventSchema.parse(event);
  });

  it('[req:DS-7-2] keeps several agents and several questions apart', async () => {
    const chat = await openChat();
    const first = await ask(chat, 'a', 'c1', 'one');
    const second = await ask(chat, 'a', 'c2', 'two');
    const third = await ask(chat, 'b', 'c1', 'one');
    expect(chat.pending()).toEqual([first.ackId, second.ackId, third.ackId]);
    chat.answer(third.ackId, '3', [], false);
    chat.answer(second.ackId, '2', [], true);
    chat.answer(first.ackId, '1', [], true);
    expect((await first.reply).reply).toBe('1');
    expect((await second.reply).reply).toBe('2');
    expect(await third.reply).toMatchObject({ reply: '3', paired: false });
  });

  it('settles a question once, whoever answers second', async () => {
    const chat = await openChat();
    const { ackId, reply } = await ask(chat, 'a', 'c1', 'Now?');
    chat.answer(ackId, 'yes', [], true);
    expect(chat.answer(ackId, 'no', [], true)).toMatchObject({ ok: false, code: 'already_answered' });
    expect((await reply).reply).toBe('yes');
    expect(chat.events(0).filter(({ type }) => type === 'userMessage')).toHaveLength(1);
    expect(chat.answer('00000000-0000-4000-8000-000000000000', 'x', [], true)).toMatchObject({
      code: 'unknown_question',
    });
  });

  it('keeps control, bidi and zero-width characters as data', async () => {
    const chat = await openChat();
    const text = 'a\u0000\u001b[2J\u202Eb\u200B\u2028\n"';
    const { ackId, reply } = await ask(chat, 'a', 'c1', text);
    chat.answer(ackId, text, [], true);
    expect((await reply).reply).toBe(text);
    expect(chat.events(0)[0]).toMatchObject({ text });
  });

  it('[req:DS-7-3] carries images and refuses bad ones', async () => {
    const chat = await openChat();
    const { ackId, reply } = await ask(chat, 'a', 'c1', 'Show me');
    const big = { mimeType: 'image/png', base64: 'A'.repeat(CHAT_LIMITS.imageCharacters + 4) };
    expect(chat.answer(ackId, '', [big], true)).toMatchObject({ code: 'too_large' });
    expect(chat.answer(ackId, '', [{ mimeType: 'image/png', base64: '<svg>' }], true)).toMatchObject({
      code: 'malformed',
    });
    expect(chat.answer(ackId, ' ', [], true)).toMatchObject({ code: 'empty' });
    expect(chat.answer(ackId, 'x'.repeat(CHAT_LIMITS.reply + 1), [], true)).toMatchObject({ code: 'too_large' });
    expect(chat.pending()).toEqual([ackId]);
    chat.answer(ackId, '', [{ mimeType: 'image/png', base64: 'AAAA' }], true);
    expect(await reply).toMatchObject({ reply: '', images: [{ mimeType: 'image/png', base64: 'AAAA' }] });
  });

  it('tells listeners in order and goes on when one of them fails', async () => {
    const chat = await openChat();
    const told: string[] = [];
    chat.on(() => {
      throw new Error('page trouble');
    });
    const off = chat.on((event) => told.push(event.type));
    const { ackId } = await ask(chat, 'a', 'c1', 'hello');
    chat.answer(ackId, 'hi', [], true);
    off();
    chat.resultWritten('a', 'c1');
    chat.confirmDelivery('a', null);
    expect(told).toEqual(['agentMessage', 'userMessage']);
    expect(chat.cursor()).toBe(4);
    expect(chat.events(3)).toMatchObject([{ type: 'delivered' }]);
  });

  it('writes a private file and refuses a link in its place', async () => {
    const file = tempFile('chat.jsonl');
    await openChat(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { symlinkSync } = await import('node:fs');
    symlinkSync(file, `${file}.link`);
    await expect(openChat(`${file}.link`)).rejects.toThrow();
  });
});

describe('limits', () => {
  it.each([
    ['no text', { text: '  ' }],
    ['an empty quick reply', { quickReplies: [' '] }],
    ['an empty call id', { callId: '' }],
  ])('refuses %s', async (_name, change) => {
    const chat = await openChat();
    const question = { callId: 'c', agent: agent('a'), text: 'ok', quickReplies: [], ...change };
    await expect(chat.ask(question, () => {}, live())).rejects.toMatchObject({ code: 'DESKTOP_INVALID_REQUEST' });
    expect(chat.cursor()).toBe(0);
  });

  it('bounds the open questions of one agent without touching another', async () => {
    const chat = await openChat();
    for (let n = 0; n < CHAT_LIMITS.openPerAgent; n += 1) await ask(chat, 'a', `c${n}`, `question ${n}`);
    await expect((await ask(chat, 'a', 'more', 'one more')).reply).rejects.toMatchObject({
      code: 'DESKTOP_HOST_NOT_READY',
      details: { reason: 'too_many_questions' },
    });
    expect((await ask(chat, 'a', 'again', 'question 3')).ackId).toBe(chat.pending()[3]);
    expect((await ask(chat, 'b', 'c', 'hello')).ackId).not.toBe('');
  });
});

describe('giving up', () => {
  it('withdraws the question of the call, and only there', async () => {
    const chat = await openChat();
    const mine = await ask(chat, 'a', 'c1', 'one');
    const other = await ask(chat, 'b', 'c1', 'two');
    mine.controller.abort(new WaitEnded('withdraw'));
    await expect(mine.reply).rejects.toMatchObject({ mode: 'withdraw' });
    expect(chat.pending()).toEqual([other.ackId]);
    expect(chat.answer(mine.ackId, 'late', [], true)).toMatchObject({ code: 'withdrawn' });
    expect(chat.events(2)).toMatchObject([{ type: 'withdrawn', ack_id: mine.ackId }]);
  });

  it('withdraws when the signal says so, but not while another call waits for the same answer', async () => {
    const chat = await openChat();
    const first = await ask(chat, 'a', 'c1', 'Go?');
    const joined = await ask(chat, 'a', 'c2', 'Go?');
    first.controller.abort(new WaitEnded('withdraw'));
    expect(chat.pending()).toEqual([first.ackId]);
    joined.controller.abort(new WaitEnded('withdraw'));
    await expect(joined.reply).rejects.toMatchObject({ mode: 'withdraw' });
    expect(chat.pending()).toEqual([]);
  });

  it('refuses to put a question for a call that has ended already', async () => {
    const chat = await openChat();
    const signal = AbortSignal.abort(new WaitEnded('detach'));
    await expect(
      chat.ask({ callId: 'c', agent: agent('a'), text: 'x', quickReplies: [] }, vi.fn(), signal),
    ).rejects.toBeInstanceOf(WaitEnded);
    expect(chat.cursor()).toBe(0);
  });

  it('ends waits on close and takes nothing after it', async () => {
    const chat = await openChat();
    const { ackId, reply } = await ask(chat, 'a', 'c1', 'Go?');
    await chat.close();
    await expect(reply).rejects.toMatchObject({ mode: 'detach' });
    expect(chat.answer(ackId, 'late', [], true)).toMatchObject({ ok: false, code: 'not_saved' });
    await expect((await ask(chat, 'a', 'c1', 'Go?')).reply).rejects.toBeInstanceOf(WaitEnded);
    await expect((await ask(chat, 'a', 'c2', 'New?')).reply).rejects.toMatchObject({ code: 'DESKTOP_HOST_NOT_READY' });
  });
});
