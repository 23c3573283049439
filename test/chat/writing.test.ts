import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agent, ask, clock, openChat, tempFile } from './support.js';

const live = () => new AbortController().signal;
const A = agent('a');

test('a message of the person’s waits for the agent that it is for, once, and over a restart', async () => {
  const file = tempFile('chat.jsonl');
  const before = await openChat(file);
  expect(before.write(A, 'Use the other folder')).toMatchObject({ ok: true });
  expect(before.pending()).toEqual([]);
  await before.close();
  const chat = await openChat(file);
  expect(chat.collectWritten('b', 'c1', live())).toEqual([]);
  expect(chat.collectWritten('a', 'c1', live())).toMatchObject([{ text: 'Use the other folder' }]);
  expect(chat.collectWritten('a', 'c2', live())).toEqual([]);
  expect(chat.collect('a', 'c2', live())).toEqual([]);
  chat.resultWritten('a', 'c1');
  expect(chat.events(1)).toMatchObject([{ type: 'given' }]);
  chat.confirmDelivery('b', null);
  chat.confirmDelivery('a', null);
  expect(chat.events(2)).toMatchObject([{ type: 'delivered' }]);
  expect(chat.collectWritten('a', 'c3', live())).toEqual([]);
});

test('it answers no question, even one in the same words, and no page can answer it', async () => {
  const chat = await openChat();
  chat.write(A, 'Go?');
  const { ackId } = await ask(chat, 'a', 'c1', 'Go?');
  expect(chat.pending()).toEqual([ackId]);
  const [written] = chat.events(0);
  expect(chat.answer(written?.ack_id ?? '', 'no', [], true)).toMatchObject({ code: 'already_answered' });
});

test('it has the limits of other messages, and no more than some wait at once', async () => {
  const chat = await openChat();
  expect(chat.write(A, ' ')).toMatchObject({ ok: false, code: 'empty' });
  expect(chat.write(A, 'x'.repeat(100_001))).toMatchObject({ ok: false, code: 'too_large' });
  for (let count = 0; count < 20; count += 1) expect(chat.write(A, 'x')).toMatchObject({ ok: true });
  expect(chat.write(A, 'x')).toMatchObject({ ok: false, code: 'too_many' });
  expect(chat.write(agent('b'), 'x')).toMatchObject({ ok: true });
});

/** What happens between a person and two agents; `loss`: the result of a call does not arrive. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), who: fc.constantFrom('a', 'b') }),
  fc.record({ kind: fc.constantFrom('call', 'loss'), who: fc.constantFrom('a', 'b') }),
  fc.constant({ kind: 'restart' as const, who: 'a' }),
);

test('however writing, calls, lost results and restarts follow each other, each message arrives once, in order, with its agent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const file = tempFile('chat.jsonl');
      let chat = await openChat(file, clock().now);
      const sent: Record<string, string[]> = { a: [], b: [] };
      const got: Record<string, string[]> = { a: [], b: [] };
      let number = 0;
      const call = (who: string, arrives: boolean) => {
        const id = `c${(number += 1)}`;
        chat.confirmDelivery(who, id);
        const texts = chat.collectWritten(who, id, live()).map(({ text }) => text);
        if (!arrives) return chat.notReceived(who, id);
        chat.resultWritten(who, id);
        got[who]?.push(...texts);
        // Its next call proves it.
        chat.confirmDelivery(who, `c${(number += 1)}`);
      };
      for (const { kind, who } of steps) {
        if (kind === 'call' || kind === 'loss') call(who, kind === 'call');
        else if (kind === 'write') {
          const text = `m${(number += 1)}`;
          if (chat.write(agent(who), text).ok) sent[who]?.push(text);
        } else {
          await chat.close();
          chat = await openChat(file, clock().now);
        }
      }
      for (const who of ['a', 'b']) call(who, true);
      expect(got).toEqual(sent);
      await chat.close();
    }),
    { numRuns: 60 },
  );
});
