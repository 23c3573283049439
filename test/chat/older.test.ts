/** A conversation that outgrows what is kept in memory: older messages are read from disk. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Chat } from '../../src/main/chat/index.js';
import { CHAT_LOG_LIMITS, isOutgrown, recordsToKeep } from '../../src/main/chat/journal.js';
import type { ChatRecord } from '../../src/main/chat/records.js';
import { ask, openChat, tempFile } from './support.js';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const at = '2026-01-01T00:00:00.000Z';
const asked = (n: number, seq: number): ChatRecord => ({
  kind: 'event',
  event: { type: 'agentMessage', text: `q${n}`, ack_id: id(n), seq, at, agent: { id: 'a', name: 'A', tile: 'A' } },
});
const delivered = (n: number, seq: number): ChatRecord => ({
  kind: 'event',
  event: { type: 'delivered', ack_id: id(n), seq, at },
});

/** Questions and their ends in turn. The first two events are questions that still wait. */
function longLog(records: number): { file: string; folder: string } {
  const file = tempFile('chat.jsonl');
  const lines = [asked(900_001, 1), asked(900_002, 2)];
  for (let seq = 3; seq <= records; seq += 1) lines.push(seq % 2 === 1 ? asked(seq, seq) : delivered(seq - 1, seq));
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { file, folder: file.replace('.jsonl', '-older') };
}

const newest = (chat: Chat): number[] => chat.events(chat.floor()).map(({ seq }) => seq);
const from = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The numbers of all events, by going back from the newest in memory. */
async function goBack(chat: Chat): Promise<number[]> {
  const seen = new Set(newest(chat));
  for (let before = chat.floor() + 1; before > 1;) {
    const { events, since } = await chat.earlier(before);
    const seqs = events.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
    expect(Math.max(...seqs)).toBeLessThan(before);
    expect(since).toBeLessThan(before - 1);
    for (const seq of seqs) seen.add(seq);
    before = since + 1;
  }
  return [...seen].sort((one, other) => one - other);
}

const { records: MOST, keptRecords: KEPT } = CHAT_LOG_LIMITS;

describe('a long conversation', () => {
  it('leaves the oldest settled records, and never a question or an answer that has not arrived', () => {
    const records: ChatRecord[] = [asked(0, 1)];
    for (let n = 1; records.length <= MOST; n += 1) records.push(asked(n, n * 2), delivered(n, n * 2 + 1));
    const kept = recordsToKeep(records);
    expect(kept).toHaveLength(KEPT + 1);
    expect(kept[0]).toBe(records[0]);
    expect(kept.at(-1)).toBe(records.at(-1));
    expect(isOutgrown(MOST, CHAT_LOG_LIMITS.bytes)).toBe(false);
    expect(isOutgrown(MOST + 1, 1) && isOutgrown(1, CHAT_LOG_LIMITS.bytes + 1)).toBe(true);
  });

  it('[req:DS-7-4] [req:GR-2] is shortened at the start, in memory and on disk, and all of it can be read back', async () => {
    const { file, folder } = longLog(3 * MOST);
    const size = statSync(file).size;
    const chat = await openChat(file);
    expect(chat.events(0)).toHaveLength(KEPT + 2);
    expect(chat.pending()).toEqual([id(900_001), id(900_002)]);
    expect(newest(chat)).toEqual(from(3 * MOST - KEPT + 1, 3 * MOST));
    expect(statSync(file).size).toBeLessThan(size / 4);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(await goBack(chat)).toEqual(from(1, 3 * MOST));
    const again = await openChat(file);
    expect(again.cursor()).toBe(3 * MOST);
    expect(await goBack(again)).toEqual(from(1, 3 * MOST));
  });

  it('[req:GR-2] is shortened while the host runs; what waited longer than its neighbours is found among newer ones later', async () => {
    const { file } = longLog(MOST - 1);
    const chat = await openChat(file);
    expect(chat.floor()).toBe(0);
    const { ackId } = await ask(chat, 'b', 'c1', 'Go?');
    chat.answer(ackId, 'go', [], true);
    // Beside the settled ones it keeps the newest three: they were not delivered.
    expect(chat.floor()).toBe(MOST - 2 - KEPT);
    expect(chat.events(0).map(({ seq }) => seq)).toEqual([1, 2, ...from(chat.floor() + 1, MOST + 1)]);
    chat.agentEnded('a');
    expect(chat.pending()).toEqual([]);
    const last = chat.cursor();
    await chat.close();
    const more = from(last + 1, last + MOST - KEPT).map((seq) => JSON.stringify(delivered(seq, seq)));
    writeFileSync(file, `${readFileSync(file, 'utf8')}${more.join('\n')}\n`);
    const again = await openChat(file);
    expect(again.events(0)).toHaveLength(KEPT + 2);
    expect(await goBack(again)).toEqual(from(1, last + MOST - KEPT));
  });

  it('goes on with the numbers of a log that was lost, and passes over a file that cannot be read', async () => {
    const { file, folder } = longLog(MOST + 1);
    const first = await openChat(file);
    const floor = first.floor();
    await first.close();
    rmSync(file);
    const [name = ''] = readdirSync(folder).sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
    const chat = await openChat(file);
    rmSync(join(folder, name));
    expect(chat.cursor()).toBe(floor);
    await ask(chat, 'b', 'c1', 'Still there?');
    expect(chat.events(floor)).toMatchObject([{ seq: floor + 1, text: 'Still there?' }]);
    expect(await goBack(chat)).toEqual(from(Number.parseInt(name, 10) + 1, floor + 1));
    expect(await chat.earlier(2)).toEqual({ events: [], since: 0 });
  });

  it('that cannot be moved stays whole where it is', async () => {
    const { file, folder } = longLog(MOST + 1);
    writeFileSync(folder, 'not a folder');
    const chat = await openChat(file);
    expect(chat.floor()).toBe(0);
    expect(chat.events(0)).toHaveLength(MOST + 1);
    await ask(chat, 'b', 'c1', 'And now?');
    expect(chat.events(MOST + 1)).toMatchObject([{ text: 'And now?' }]);
    expect(existsSync(file)).toBe(true);
  });
});
