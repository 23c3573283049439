import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClientSetup } from '../../src/main/host/pages.js';
import { silent, tempFile } from '../chat/support.js';

it('[req:DS-7-17] sets nothing up for a page that was unpaired before its turn came', async () => {
  const home = tempFile('home');
  const clients = createClientSetup({
    launcher: { command: '/opt/chaperone', args: ['mcp'], env: {} },
    machine: { platform: 'linux', home, env: {} },
    seen: { connected: () => false, lastSeen: () => null, close: async () => undefined },
    log: silent,
  });
  const person = { where: 'page', by: 'k' } as const;
  const [staying, leaving] = [new AbortController(), new AbortController()];
  const first = clients.setUp({ client: 'cursor', remove: false }, person, staying.signal);
  const second = clients.setUp({ client: 'codex', remove: false }, person, leaving.signal);
  leaving.abort();
  await expect(second).rejects.toBe(leaving.signal.reason);
  expect(await first).toMatchObject({ outcome: 'added' });
  const files = [join('.cursor', 'mcp.json'), join('.codex', 'config.toml')];
  expect(files.map((file) => existsSync(join(home, file)))).toEqual([true, false]);
});
