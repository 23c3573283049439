import { expect, test } from 'vitest';
import { ask, openChat, tempFile } from './support.js';

test('[req:MR-8] a client brings an answer to its own open question only, and once', async () => {
  const chat = await openChat();
  const { ackId, reply } = await ask(chat, 'a', 'c1', 'Which one?');
  const other = await ask(chat, 'b', 'c1', 'Mine?');
  expect(chat.answerInClient('b', 'c2', 'x')).toBe(false);
  expect(chat.answerInClient('nobody', 'c1', 'x')).toBe(false);
  expect(chat.answerInClient('b', 'c1', 'for b')).toBe(true);
  expect(await other.reply).toMatchObject({ reply: 'for b' });
  expect(chat.pending()).toEqual([ackId]);
  expect(chat.answerInClient('a', 'c1', '')).toBe(false);
  expect(chat.answerInClient('a', 'c1', 'left')).toBe(true);
  expect(await reply).toEqual({ reply: 'left', paired: false, inClient: true, images: [] });
  expect(chat.answerInClient('a', 'c1', 'right')).toBe(false);
  expect(chat.answer(ackId, 'right', [], true)).toMatchObject({ ok: false, code: 'already_answered' });
  expect(chat.events(0).at(-1)).toMatchObject({ type: 'userMessage', text: 'left', paired: false, inClient: true });
});

test('[req:MR-8] where an answer was given is known after a restart too', async () => {
  const file = tempFile('chat.jsonl');
  const before = await openChat(file);
  const asked = await ask(before, 'a', 'c1', 'Which one?');
  before.answerInClient('a', 'c1', 'left');
  await asked.reply;
  await before.close();
  const again = await ask(await openChat(file), 'a', 'c1', 'Which one?');
  expect(await again.reply).toMatchObject({ reply: 'left', inClient: true });
});
