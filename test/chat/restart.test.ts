import { describe, expect, it } from 'vitest';
import { CHAT_LIMITS } from '../../src/main/chat/limits.js';
import { ask, clock, openChat, tempFile } from './support.js';

const live = () => new AbortController().signal;

describe('host restart', () => {
  it('keeps an open question; its answer reaches the agent that resumes', async () => {
    const file = tempFile('chat.jsonl');
    const { ackId } = await ask(await openChat(file), 'a', 'c1', 'Go?');
    const next = await openChat(file);
    expect(next.pending()).toEqual([ackId]);
    const resumed = await ask(next, 'a', 'c1', 'Go?');
    expect(resumed.ackId).toBe(ackId);
    next.answer(ackId, 'go', [], true);
    expect(await resumed.reply).toEqual({ reply: 'go', paired: true, images: [] });
  });

  it('keeps an answer given before or after the restart until the agent comes back', async () => {
    const file = tempFile('chat.jsonl');
    const first = await openChat(file);
    const before = await ask(first, 'a', 'c1', 'one');
    const after = await ask(first, 'a', 'c2', 'two');
    first.answer(before.ackId, '1', [], true);
    await before.reply;
    const next = await openChat(file);
    next.answer(after.ackId, '2', [], false);
    next.confirmDelivery('a', null);
    expect(next.events(4)).toEqual([]);
    expect((await (await ask(next, 'a', 'c1', 'one')).reply).reply).toBe('1');
    expect(await (await ask(next, 'a', 'c2', 'two')).reply).toMatchObject({ reply: '2', paired: false });
    for (const callId of ['c1', 'c2']) next.resultWritten('a', callId);
    next.confirmDelivery('a', null);
    const third = await openChat(file);
    expect(third.events(0)).toEqual(next.events(0));
    expect(third.events(4).map(({ type }) => type)).toEqual(['given', 'given', 'delivered', 'delivered']);
    expect(third.collect('a', 'c9', live())).toEqual([]);
  });

  it('finds a joined call by its own id after the restart', async () => {
    const file = tempFile('chat.jsonl');
    const first = await openChat(file);
    const { ackId } = await ask(first, 'a', 'c1', 'Go?');
    await ask(first, 'a', 'c2', 'Go?');
    first.answer(ackId, 'go', [], true);
    first.resultWritten('a', 'c1');
    first.confirmDelivery('a', null);
    const next = await openChat(file);
    expect((await (await ask(next, 'a', 'c2', 'Go?')).reply).reply).toBe('go');
  });

  it('withdraws questions nobody answered for a week', async () => {
    const file = tempFile('chat.jsonl');
    const time = clock();
    await ask(await openChat(file, time.now), 'a', 'c1', 'old');
    time.advance(CHAT_LIMITS.questionAgeMs - 1000);
    const second = await openChat(file, time.now);
    const fresh = await ask(second, 'a', 'c2', 'new');
    time.advance(2000);
    expect((await openChat(file, time.now)).pending()).toEqual([fresh.ackId]);
  });
});
