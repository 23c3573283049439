import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChat } from '../../src/main/chat/index.js';
import { ask, clock, openChat, silent, tempFile } from './support.js';

const step = fc.oneof(
  fc.record({
    kind: fc.constant('ask' as const),
    agent: fc.constantFrom('a', 'b'),
    text: fc.string({ unit: 'binary', minLength: 1 }),
  }),
  fc.record({
    kind: fc.constant('answer' as const),
    which: fc.nat(),
    text: fc.string({ unit: 'binary', minLength: 1 }),
  }),
  fc.record({ kind: fc.constant('seen' as const), agent: fc.constantFrom('a', 'b') }),
  fc.record({ kind: fc.constant('detach' as const), which: fc.nat() }),
);

/** Plays the steps into a fresh chat, as agents and a person would. */
async function play(file: string, steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
  const chat = await createChat({ file, now: clock().now, log: silent });
  const askings: Awaited<ReturnType<typeof ask>>[] = [];
  for (const [index, each] of steps.entries()) {
    if (each.kind === 'ask') askings.push(await ask(chat, each.agent, `c${index}`, each.text));
    if (each.kind === 'seen') {
      for (const { callId } of askings) chat.resultWritten(each.agent, callId);
      chat.confirmDelivery(each.agent, null);
    }
    const asking = 'which' in each ? askings[each.which % Math.max(1, askings.length)] : undefined;
    if (each.kind === 'answer' && asking) chat.answer(asking.ackId, each.text, [], true);
    if (each.kind === 'detach') asking?.controller.abort();
  }
  return chat;
}

describe('the log on disk', () => {
  it('[req:DS-7-4] replays to the same events, questions and answers, from any cursor', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(40), async (steps, cursor) => {
        const file = tempFile('chat.jsonl');
        const chat = await play(file, steps);
        const again = await createChat({ file, now: clock().now, log: silent });
        expect(again.events(0)).toEqual(chat.events(0));
        expect(again.events(0).map(({ seq }) => seq)).toEqual(chat.events(0).map((_event, index) => index + 1));
        expect(again.events(cursor)).toEqual(chat.events(0).slice(cursor));
        expect(again.pending()).toEqual(chat.pending());
        await again.close();
        await chat.close();
      }),
      { numRuns: 40 },
    );
  });

  it('cut at any byte, gives a prefix of the events and takes new ones after it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (steps, where) => {
          const file = tempFile('chat.jsonl');
          const chat = await play(file, steps);
          const events = chat.events(0);
          await chat.close();
          const bytes = readFileSync(file);
          writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length * where)));

          const healed = await createChat({ file, now: clock().now, log: silent });
          const left = healed.events(0);
          expect(left).toEqual(events.slice(0, left.length));
          await ask(healed, 'z', 'new', 'after the tear');
          const third = await createChat({ file, now: clock().now, log: silent });
          expect(third.events(0)).toEqual(healed.events(0));
          expect(third.events(left.length)).toMatchObject([{ text: 'after the tear', seq: left.length + 1 }]);
          await third.close();
          await healed.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps a good last line that only lacks its end', async () => {
    const file = tempFile('chat.jsonl');
    await ask(await openChat(file), 'a', 'c1', 'one');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, -1));
    const healed = await openChat(file);
    await ask(healed, 'a', 'c2', 'two');
    expect((await openChat(file)).events(0)).toMatchObject([{ text: 'one' }, { text: 'two' }]);
  });

  it('passes over a line it cannot read and keeps what follows', async () => {
    const file = tempFile('chat.jsonl');
    const first = await openChat(file);
    await ask(first, 'a', 'c1', 'one');
    appendFileSync(file, '{"kind":"event","event":{"type":"userMessage","paired":true}}\nnot json\n\u0000\n');
    await ask(first, 'a', 'c2', 'two');
    const again = await openChat(file);
    expect(again.events(0)).toMatchObject([{ text: 'one' }, { text: 'two', seq: 2 }]);
    expect(readFileSync(file, 'utf8')).toContain('not json');
  });

  it('tightens the mode of a file that was open to others', async () => {
    const file = tempFile('chat.jsonl');
    writeFileSync(file, '', { mode: 0o644 });
    await openChat(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
