/** Where pictures are encoded: in the threads of Node's pool, while other calls are answered. */
import { expect, onTestFinished, test } from 'vitest';
import { openSimulated } from '../../src/native/simulated/index.js';
import { holdPool } from '../support/held-pool.js';
import { ALLOWED, createTestPipeline } from '../support/pipeline.js';

const frame = { x: 0, y: 0, width: 3840, height: 2160 };
const LARGE = { id: 'large', name: 'Large', frame, scale: 1, main: true };

/** A pipeline that says when encoding begins, and what has ended. */
async function scene() {
  const { desktop, deps, run } = createTestPipeline(undefined, openSimulated({ displays: [LARGE] }));
  const said: string[] = [];
  const { png, encode } = deps.imaging;
  // The first one also loads the library, for which the same threads are needed.
  await png(await desktop.capture({ kind: 'region', rect: { ...frame, width: 8, height: 8 } }, AbortSignal.any([])));
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const told = <T>(work: Promise<T>): Promise<T> => {
    begin();
    return work.finally(() => said.push('encoded'));
  };
  deps.imaging = {
    ...deps.imaging,
    png: (...of) => told(png(...of)),
    encode: (...of) => told(encode(...of)),
  };
  // Nobody is asked, so no card is drawn.
  deps.approver.decide = async () => ALLOWED;
  return { run, said, begun };
}

test('[req:PI-7] other calls are answered while a large picture is encoded', async () => {
  const { run, said, begun } = await scene();
  const pool = holdPool();
  onTestFinished(pool.release);
  const picture = run('capture_screenshot', {}).then(() => said.push('picture'));
  await Promise.race([begun, picture]);
  await run('list_windows', {});
  said.push('windows');
  await run('find_elements', { title: 'Send' });
  said.push('elements');
  expect(said).toEqual(['windows', 'elements']);
  await pool.release();
  await picture;
  expect([new Set(said.slice(2, -1)), said.at(-1)]).toEqual([new Set(['encoded']), 'picture']);
});
