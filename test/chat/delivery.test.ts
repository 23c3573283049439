import { describe, expect, it } from 'vitest';
import { WaitEnded } from '../../src/main/approvals/request.js';
import { agent, ask, openChat, tempFile } from './support.js';

const live = () => new AbortController().signal;

describe('[req:DS-7-1] a reply is delivered at least once', () => {
  it('is proven by the agent’s next call, once, and not by another agent’s', async () => {
    const chat = await openChat();
    const { ackId, reply } = await ask(chat, 'a', 'c1', 'Go?');
    chat.answer(ackId, 'go', [], true);
    await reply;
    chat.confirmDelivery('a', null);
    chat.resultWritten('a', 'c1');
    chat.confirmDelivery('b', null);
    expect(chat.cursor()).toBe(3);
    chat.confirmDelivery('a', null);
    expect(chat.events(3)).toMatchObject([{ type: 'delivered', ack_id: ackId, seq: 4 }]);
  });

  it('[req:PG-19] is given once the result of its call was written, and only that call’s', async () => {
    const file = tempFile('chat.jsonl');
    const chat = await openChat(file);
    const asked = await ask(chat, 'a', 'c1', 'Go?');
    chat.resultWritten('a', 'c1');
    chat.answer(asked.ackId, 'go', [], true);
    await asked.reply;
    chat.resultWritten('a', 'c2');
    chat.resultWritten('b', 'c1');
    expect(chat.events(2)).toEqual([]);
    chat.resultWritten('a', 'c1');
    chat.resultWritten('a', 'c1');
    expect(chat.events(2)).toMatchObject([{ type: 'given', ack_id: asked.ackId, seq: 3 }]);
    const next = await openChat(file);
    expect(next.collect('a', 'c3', live())).toMatchObject([{ reply: { reply: 'go' } }]);
    next.resultWritten('a', 'c3');
    next.confirmDelivery('a', 'c4');
    next.resultWritten('a', 'c3');
    expect(next.events(3)).toMatchObject([{ type: 'delivered', ack_id: asked.ackId }]);
  });

  it('is kept for the next call where the caller had left before the answer came, though nobody knew', async () => {
    const chat = await openChat();
    const { ackId, reply } = await ask(chat, 'a', 'c1', 'Go?');
    chat.answer(ackId, 'go', [], true);
    await reply;
    chat.resultWritten('a', 'c1');
    chat.notReceived('b', 'c1');
    chat.notReceived('a', 'c2');
    chat.notReceived('a', 'c1');
    chat.confirmDelivery('a', null);
    const again = await ask(chat, 'a', 'c3', 'Go?');
    expect(again.ackId).toBe('');
    expect(await again.reply).toMatchObject({ reply: 'go' });
    chat.resultWritten('a', 'c3');
    chat.confirmDelivery('a', null);
    expect(chat.events(3)).toMatchObject([{ type: 'delivered', ack_id: ackId }]);
  });

  it('is kept for the next call where the caller had left while the person was asked', async () => {
    const chat = await openChat();
    const { ackId, reply } = await ask(chat, 'a', 'c1', 'Go?');
    chat.notReceived('a', 'c1');
    chat.answer(ackId, 'go', [], true);
    await reply;
    chat.resultWritten('a', 'c1');
    chat.confirmDelivery('a', null);
    expect(chat.collect('a', 'c2', live())).toMatchObject([{ callId: 'c1', reply: { reply: 'go' } }]);
  });

  it('stays open when its call ends, and the same call gets the answer later', async () => {
    const chat = await openChat();
    const first = await ask(chat, 'a', 'c1', 'Go?');
    first.controller.abort(new WaitEnded('detach'));
    await expect(first.reply).rejects.toMatchObject({ mode: 'detach' });
    expect(chat.pending()).toEqual([first.ackId]);
    chat.answer(first.ackId, 'go', [], true);
    chat.confirmDelivery('a', null);
    expect(chat.events(2)).toEqual([]);
    const again = await ask(chat, 'a', 'c1', 'Go?');
    expect(await again.reply).toMatchObject({ reply: 'go', givenAt: '2026-01-01T00:00:00.000Z' });
    chat.resultWritten('a', 'c1');
    chat.confirmDelivery('a', null);
    expect(chat.events(3)).toMatchObject([{ type: 'delivered' }]);
  });

  it('is not swallowed by a call that died after taking it: resume by call id', async () => {
    const chat = await openChat();
    const { ackId, reply } = await ask(chat, 'a', 'c1', 'Go?');
    chat.answer(ackId, 'go', [], true);
    await reply;
    chat.confirmDelivery('a', 'c1');
    expect(chat.events(2)).toEqual([]);
    expect((await (await ask(chat, 'a', 'c1', 'Go?')).reply).reply).toBe('go');
    expect(chat.pending()).toEqual([]);
  });

  it('is not swallowed by a call that died after taking it: the same text again', async () => {
    const chat = await openChat();
    const first = await ask(chat, 'a', 'c1', 'Go?');
    chat.answer(first.ackId, 'go', [], true);
    await first.reply;
    first.controller.abort(new WaitEnded('detach'));
    chat.confirmDelivery('a', null);
    expect(chat.events(2)).toEqual([]);
    const again = await ask(chat, 'a', 'c2', 'Go?');
    expect((await again.reply).reply).toBe('go');
    chat.resultWritten('a', 'c2');
    chat.confirmDelivery('a', null);
    expect(chat.events(3)).toMatchObject([{ type: 'delivered' }]);
  });

  it('is not swallowed by a connection that was lost after taking it', async () => {
    const chat = await openChat();
    let ackId = '';
    const asked = { callId: 'c1', agent: agent('a'), text: 'Go?', quickReplies: [], connectionId: 'k1' };
    const reply = chat.ask(asked, (id) => (ackId = id), live());
    chat.answer(ackId, 'go', [], true);
    await reply;
    chat.resultWritten('a', 'c1');
    chat.connectionClosed('k2');
    chat.connectionClosed('k1');
    chat.confirmDelivery('a', 'c2');
    expect(chat.events(3)).toEqual([]);
    const again = chat.ask({ ...asked, callId: 'c2', connectionId: 'k2' }, () => {}, live());
    expect(await again).toMatchObject({ reply: 'go', givenAt: expect.any(String) });
    chat.resultWritten('a', 'c2');
    chat.confirmDelivery('a', 'c3');
    expect(chat.events(3)).toMatchObject([{ type: 'delivered', ack_id: ackId }]);
  });

  it('asks anew when the earlier answer has arrived: an old yes is no new consent', async () => {
    const chat = await openChat();
    const first = await ask(chat, 'a', 'c1', 'May I push?');
    chat.answer(first.ackId, 'yes', [], true);
    await first.reply;
    chat.resultWritten('a', 'c1');
    chat.confirmDelivery('a', null);
    const second = await ask(chat, 'a', 'c2', 'May I push?');
    expect(second.ackId).not.toBe(first.ackId);
    expect(chat.pending()).toEqual([second.ackId]);
  });

  it('does not give one agent’s answer to another that asks the same, even under the same call id', async () => {
    const chat = await openChat();
    const first = await ask(chat, 'a', 'c1', 'Go?');
    first.controller.abort();
    chat.answer(first.ackId, 'secret', [], true);
    const other = await ask(chat, 'b', 'c1', 'Go?');
    expect(other.ackId).not.toBe('');
    expect(chat.pending()).toEqual([other.ackId]);
    const reused = await ask(chat, 'a', 'c1', 'Something else?');
    expect(chat.pending()).toEqual([other.ackId, reused.ackId]);
  });

  it('is not taken for arrived when the agent called on while the asking call seemed to wait', async () => {
    const chat = await openChat();
    const silent = await ask(chat, 'a', 'c1', 'Colour?');
    chat.confirmDelivery('a', null);
    chat.answer(silent.ackId, 'blue', [], true);
    await silent.reply;
    chat.resultWritten('a', 'c1');
    chat.confirmDelivery('a', null);
    expect(chat.events(3)).toEqual([]);
    const collected = chat.collect('a', 'c9', live());
    expect(collected).toMatchObject([{ callId: 'c1', text: 'Colour?', reply: { reply: 'blue', paired: true } }]);
    expect(chat.collect('a', 'c9', live())).toEqual([]);
    chat.resultWritten('a', 'c9');
    chat.confirmDelivery('a', null);
    expect(chat.events(3)).toMatchObject([{ type: 'delivered', ack_id: silent.ackId }]);
    expect(chat.collect('a', 'c10', live())).toEqual([]);
  });

  it('is collected again when the collecting call died', async () => {
    const chat = await openChat();
    const lost = await ask(chat, 'a', 'c1', 'Colour?');
    lost.controller.abort();
    chat.answer(lost.ackId, 'blue', [], true);
    const dying = new AbortController();
    expect(chat.collect('a', 'c2', dying.signal)).toHaveLength(1);
    dying.abort(new WaitEnded('detach'));
    chat.confirmDelivery('a', null);
    expect(chat.collect('b', 'c3', live())).toEqual([]);
    expect(chat.collect('a', 'c3', live())).toHaveLength(1);
  });

  it('reaches every call that joined the question', async () => {
    const chat = await openChat();
    const first = await ask(chat, 'a', 'c1', 'Go?');
    const joined = await ask(chat, 'a', 'c2', 'Go?');
    expect(joined.ackId).toBe(first.ackId);
    expect(chat.cursor()).toBe(1);
    chat.answer(first.ackId, 'go', [], true);
    expect((await first.reply).reply).toBe('go');
    expect((await joined.reply).reply).toBe('go');
  });
});
