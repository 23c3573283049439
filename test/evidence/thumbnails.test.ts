import { expect, it, vi } from 'vitest';
import { toPng } from '../../src/main/evidence/index.js';
import type { Activity } from '../../src/main/protocol/index.js';
import { endOf, places, startOf } from './support.js';

const place = places();
const rgb = new Uint8Array(300 * 200 * 3).fill(200);

it('a thumbnail of an act that nobody is told of is made only when it is asked for', async () => {
  const { workspace, open } = await place();
  const recorder = await open();
  const seen: Activity[] = [];
  let watched = false;
  recorder.onRecorded(
    (activity) => seen.push(activity),
    () => watched,
  );
  const act = async () => {
    const evidence = await recorder.begin(startOf(workspace));
    await evidence.write('after.png', await toPng({ width: 300, height: 200, rgb, origin: { x: 0, y: 0 }, scale: 1 }));
    await evidence.finish(endOf());
    await vi.waitUntil(() => seen.some(({ executionId }) => evidence.dir?.endsWith(executionId)), { timeout: 50_000 });
  };
  await act();
  watched = true;
  await act();
  expect(seen.map(({ thumbnail }) => thumbnail?.mimeType ?? null)).toEqual([null, 'image/webp']);
  const drawn = await recorder.archive.thumbnails([seen[0]?.executionId ?? '']);
  expect(drawn.map(({ picture }) => picture?.mimeType)).toEqual(['image/webp']);
});
