import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { createEventStore } from '../../../src/main/serve/http/session.js';

const textOf = (text: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { text },
});

type Store = ReturnType<typeof createEventStore>;

async function after(store: Store, id: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  await store.replayEventsAfter(id, { send: async (event, message) => void sent.push([event, message]) });
  return sent;
}

test('what follows an event is that of its own stream', async () => {
  const store = createEventStore();
  for (const [stream, text] of [
    ['a', 'one'],
    ['b', 'two'],
    ['a', 'three'],
  ] as const)
    await store.storeEvent(stream, textOf(text));
  expect(await after(store, '1')).toEqual([['3', textOf('three')]]);
  expect(await after(store, '2')).toEqual([]);
});

test('the newest 512 are kept, and an earlier one is told from one that never was', async () => {
  const store = createEventStore();
  for (let count = 1; count <= 513; count++) await store.storeEvent('a', textOf('x'));
  expect(['0', '1', '2', '513', '514', '1e1', ''].map(store.find)).toEqual(
    ['unknown', 'dropped', 'kept', 'kept', 'unknown', 'unknown', 'unknown'], // prettier-ignore
  );
  await expect(after(store, '1')).rejects.toThrow('no longer kept');
  expect(await store.getStreamIdForEventId('1')).toBeUndefined();
  expect(await after(store, '2')).toHaveLength(511);
});

test('eight million characters are kept, and the newest event whatever its length', async () => {
  const store = createEventStore();
  const long = textOf('x'.repeat(3 * 1024 * 1024));
  for (let count = 1; count <= 3; count++) await store.storeEvent('a', long);
  expect(['1', '2', '3'].map(store.find)).toEqual(['dropped', 'kept', 'kept']);
  await store.storeEvent('a', textOf('x'.repeat(9 * 1024 * 1024)));
  expect(['2', '3', '4'].map(store.find)).toEqual(['dropped', 'dropped', 'kept']);
});
