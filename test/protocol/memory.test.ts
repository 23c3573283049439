import { expect, it, vi } from 'vitest';
import { linkedPair } from '../../src/main/protocol/memory.js';

it('carries messages in order, through JSON, also before anyone listens', async () => {
  const [a, b] = linkedPair();
  const sent = { date: new Date(0), gone: undefined, list: [1] };
  await a.send(sent);
  await a.send('second');
  const seen: unknown[] = [];
  b.onMessage((message) => seen.push(message));
  await a.send('third');
  expect(seen).toEqual([{ date: '1970-01-01T00:00:00.000Z', list: [1] }, 'second', 'third']);
});

it('delivers what was sent before the close, tells both ends once, and rejects later sends', async () => {
  const [a, b] = linkedPair();
  const ends: [string, string | null][] = [];
  const seen: unknown[] = [];
  b.onMessage((message) => seen.push(message));
  a.onClose((reason) => ends.push(['a', reason]));
  b.onClose((reason) => ends.push(['b', reason]));
  const last = a.send('last');
  a.close('enough');
  a.close('again');
  await last;
  await vi.waitFor(() => expect(ends).toHaveLength(2));
  expect(ends).toEqual([['a', 'enough'], ['b', 'enough']]); // prettier-ignore
  expect(seen).toEqual(['last']);
  await expect(b.send(1)).rejects.toThrow('closed');
});

it('refuses what is no JSON value', async () => {
  const [a] = linkedPair();
  await expect(a.send(undefined)).rejects.toThrow('JSON');
});
