import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SyncGroup } from '../../src/main/evidence/evidence-writer.js';
import { endOf, places, startOf } from './support.js';

function group() {
  const warnings: string[] = [];
  const done: string[] = [];
  const syncs = new SyncGroup({ warn: (_details, message) => void warnings.push(message) });
  const file = (path: string, error?: Error) => ({
    path,
    sync: async () => {
      if (error !== undefined) throw error;
      done.push(path);
    },
  });
  return { syncs, file, done, warnings };
}

describe('files that no call waits for', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are put on disk together soon, and at the end', async () => {
    const { syncs, file, done } = group();
    expect(syncs.add(file('a'))).toBe(true);
    expect(syncs.add(file('b'))).toBe(true);
    expect(done).toEqual([]);
    await vi.runAllTimersAsync();
    expect(done).toEqual(['a', 'b']);
    syncs.add(file('c'));
    await syncs.close();
    expect(done).toEqual(['a', 'b', 'c']);
  });

  it('are waited for once one could not be put there, and where too many are due', async () => {
    const { syncs, file, done, warnings } = group();
    syncs.add(file('a', new Error('EIO')));
    syncs.add(file('b'));
    await vi.runAllTimersAsync();
    expect({ done, warnings }).toEqual({ done: ['b'], warnings: ['evidence may not be on disk'] });
    expect(syncs.add(file('c'))).toBe(false);

    const busy = group();
    const added = Array.from({ length: 300 }, (_, at) => busy.syncs.add(busy.file(String(at))));
    expect(added.filter(Boolean)).toHaveLength(256);
  });
});

const place = places();

it('what was read is in its folder, whole, when its answer leaves', async () => {
  const { open, workspace } = await place();
  const recorder = await open();
  const evidence = await recorder.begin(startOf(workspace, { tool: 'observe', effect: 'disclose' }));
  await evidence.write('ax.json', '{"nodes":[]}');
  evidence.trace({ step: 'looked' });
  expect(await evidence.finish(endOf())).toMatchObject({ incomplete: false });
  const content = async (name: string) => await readFile(join(evidence.dir ?? '', name), 'utf8');
  expect(await content('ax.json')).toBe('{"nodes":[]}');
  expect(await content('trace.jsonl')).toContain('looked');
  expect(JSON.parse(await content('result.json'))).toMatchObject({ outcome: 'confirmed' });
});
