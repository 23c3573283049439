/** How often what is observed is read until it counts as still. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readStableSnapshot, type WatchSnapshot } from '../../../src/main/desktop/watch/snapshot.js';
import type { DesktopReader } from '../../../src/native/desktop.js';
import { never, openBench, row, type Bench } from './support.js';

let bench: Bench;
let hints: number;
beforeEach(async () => {
  bench = await openBench();
  hints = 0;
});
afterEach(() => bench.close());

/** Reads the form, or the windows; `meanwhile` runs within each reading, with its number. */
async function reading(
  given: { types?: 'tree_changes' | 'window_changes'; before?: WatchSnapshot; hinted?: boolean },
  meanwhile: (reading: number) => void = () => {},
) {
  const { desktop, world, pid, request, references } = bench;
  let readings = 0;
  const windows: DesktopReader['windows'] = async (signal) => {
    const found = await desktop.windows(signal);
    meanwhile((readings += 1));
    return found;
  };
  const { seen } = await readStableSnapshot(
    {
      desktop: { ...desktop, windows },
      references: () => references,
      allWindows: async () => new Map([[bench.windowId, pid]]),
      isRunning: () => true,
    },
    request({ types: [given.types ?? 'tree_changes'] }),
    { snapshot: given.before ?? null, hinted: given.hinted ?? false, hints: () => hints },
    never,
  );
  const titles = [...(seen.elements?.byId.values() ?? [])].map(({ title }) => title);
  return { seen, readings, titles, world };
}

test('[req:WE-2] elements of an application that told of their change are read once', async () => {
  const { seen } = await reading({});
  bench.world.addElement(bench.id('list'), row(4));
  const after = await reading({ before: seen, hinted: true });
  expect(after.readings).toBe(1);
  expect(after.titles).toContain('Row 4');
});

test('[req:WE-2] elements are read again where a hint came meanwhile', async () => {
  const { seen } = await reading({});
  bench.world.addElement(bench.id('list'), row(4));
  const after = await reading({ before: seen, hinted: true }, (count) => {
    if (count > 1) return;
    bench.world.addElement(bench.id('list'), row(5));
    hints += 1;
  });
  expect(after.readings).toBe(2);
  expect(after.titles).toContain('Row 5');
});

test('[req:WE-2] elements of an application that tells of nothing are read until they are the same twice', async () => {
  const { seen } = await reading({});
  bench.world.addElement(bench.id('list'), row(4));
  const after = await reading({ before: seen }, (count) => {
    if (count < 3) bench.world.addElement(bench.id('list'), row(4 + count));
  });
  expect(after.readings).toBe(4);
  expect(after.titles).toContain('Row 6');
});

test('[req:WE-2] a window that moves is read until it stands, whatever was told', async () => {
  const types = 'window_changes' as const;
  const { seen } = await reading({ types });
  bench.world.moveWindow(bench.windowId, { x: 100 });
  const after = await reading({ types, before: seen, hinted: true }, (count) => {
    if (count < 3) bench.world.moveWindow(bench.windowId, { x: 100 + count });
  });
  expect(after.readings).toBe(4);
});

test('what is as it was is read once', async () => {
  const { seen } = await reading({});
  expect((await reading({ before: seen })).readings).toBe(1);
});
