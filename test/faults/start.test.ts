import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { createHome } from '../support/command.js';
import { startHost, type TestHost } from '../support/host.js';
import { openRpc } from '../support/rpc.js';

let started: TestHost;
beforeEach(async () => {
  started = await startHost();
});
afterEach(() => started.close());

const serves = async (place: TestHost) => {
  const rpc = await openRpc(place.host.socketPath, place.workspace);
  const health = await rpc.result('desktop.health');
  rpc.close();
  return health;
};

describe('a host that cannot start', () => {
  test('because one runs in this home: says so and harms it in nothing [req:DS-3-18]', async () => {
    const paths = hostPaths({ CHAPERONE_HOME: started.home });
    const before = readBridge(paths);
    await expect(startHost({ paths })).rejects.toThrow(`Another host runs (pid ${process.pid})`);
    expect(readBridge(paths)).toEqual(before);
    expect(await serves(started)).toMatchObject({ bridge: { schemaVersion: 1 } });
  });

  test('because its port is taken: names port and address, and leaves nothing behind', async () => {
    const squatter = createServer();
    squatter.listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    await started.host.close();
    await expect(started.restart({ port })).rejects.toThrow(`Another program already uses port ${port}. `);
    squatter.close();
    await started.restart({ port });
    expect(new URL(started.host.url).port).toBe(String(port));
    expect(await serves(started)).toBeDefined();
  });

  test.each([
    ['no JSON', '{', 0o600, /config\/policy\.json is not valid JSON/],
    ['a field nobody knows', '{"preset":"standard","allowEverything":true}', 0o600, /allowEverything/],
    ['a rule nobody knows', '{"preset":"standard","effects":{"input":"maybe"}}', 0o600, /effects\.input/],
    ['wider than standard, unconfirmed', '{"preset":"unattended"}', 0o600, /no person confirmed it/],
    ['writable by others', '{"preset":"standard"}', 0o666, /others can write/],
    ['too large', `{"preset":"standard","x":"${'x'.repeat(70_000)}"}`, 0o600, /64 KiB/],
  ])('because of a policy file that is %s [req:DS-6-4]', async (_why, text, mode, words) => {
    const folder = join(started.home, 'config');
    const file = join(folder, 'policy.json');
    await mkdir(folder, { recursive: true });
    await writeFile(file, text);
    await chmod(file, mode);
    await started.host.close();
    await expect(started.restart()).rejects.toThrow(words);
    expect(readBridge(hostPaths({ CHAPERONE_HOME: started.home }))).toBeNull();
    await writeFile(file, '{"preset":"strict"}');
    await chmod(file, 0o600);
    await started.restart();
    expect(await serves(started)).toBeDefined();
  });

  test('because its state folder is a link [req:DS-3-18]', async () => {
    const home = join(started.workspace, 'home');
    await mkdir(home);
    await mkdir(join(started.workspace, 'real'), { mode: 0o700 });
    await symlink(join(started.workspace, 'real'), join(home, 'state'));
    await expect(startHost({ paths: hostPaths({ CHAPERONE_HOME: home }) })).rejects.toThrow();
  });
});

test('of several that start at once in one home, one serves and the others name it', async () => {
  const home = createHome();
  const all = Array.from({ length: 3 }, () => home.start(['host']));
  const losers = await Promise.all(all.map(endOrNull));
  const [winner] = losers.flatMap((end, at) => (end === null ? [all[at]] : []));
  expect(losers.filter((end) => end === null)).toHaveLength(1);
  for (const end of losers)
    if (end !== null) {
      expect(end.code).not.toBe(0);
      expect(end.stderr).toContain(`Another host runs (pid ${winner?.child.pid})`);
    }
  expect(readBridge(hostPaths({ CHAPERONE_HOME: home.path }))?.metadata.pid).toBe(winner?.child.pid);
  await home.close();
});

type Command = ReturnType<ReturnType<typeof createHome>['start']>;

/** null once it serves. */
async function endOrNull({ ended, stdout }: Command): Promise<Awaited<Command['ended']> | null> {
  const over: Awaited<Command['ended']>[] = [];
  void ended.then((end) => over.push(end));
  while (over.length === 0 && !/^http:/m.test(stdout())) await new Promise((resolve) => setTimeout(resolve, 20));
  return over[0] ?? null;
}
