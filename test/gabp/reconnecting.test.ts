/** How an application is waited for that is not there: the times between attempts, in the life of one. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProcessTable } from '../../src/native/peer/index.js';
import { appEntrySchema } from '../../src/main/gabp/config.js';
import { runApp, type RunningApp } from '../../src/main/gabp/app.js';

test('[req:GT-6.2-1] [req:TP-56] each attempt comes after a longer wait than the one before, with a part of chance, and none after the end', async () => {
  const waits: number[] = [];
  let chance = 0;
  const processes = createProcessTable();
  const app: RunningApp = runApp('game', appEntrySchema.parse({ attach: { bridgeFile: '/nowhere/bridge.json' } }), {
    ...{ env: {}, folders: { state: tmpdir(), sockets: join(tmpdir(), 'none') }, processes, version: '1' },
    now: () => 0,
    random: () => (chance = 1 - chance),
    async delay(ms) {
      waits.push(ms);
      if (waits.length === 9) void app.stop();
    },
  });
  await expect.poll(() => app.state()).toBe('stopped');
  expect(waits).toEqual([312.5, 375, 1250, 1500, 5000, 6000, 20_000, 22_500, 37_500].map(Math.round));
  expect(app.log.lines().filter(({ text }) => text.includes('bridge.json'))).toHaveLength(9);
});
