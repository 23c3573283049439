import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { HostRunningError, hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { WireError } from '../../src/main/protocol/index.js';
import { connectHost } from '../../src/main/cli/host-client.js';
import { createInPlace } from '../../src/main/cli/handover.js';
import { localHost } from '../../src/main/shim/local-host.js';
import { ENTRY, createHome } from '../support/command.js';
import { until } from '../shim/support.js';

const INITIALIZE = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } })}\n`; // prettier-ignore

it('[req:PN-4] `host` in a terminal takes the place of one that an agent started, and proves that terminal', async () => {
  const own = createHome();
  const shim = own.startShim();
  shim.child.stdin?.write(INITIALIZE);
  await until(() => existsSync(join(own.path, 'state', 'bridge.json')));
  expect((await own.run(['stop', '--host'])).stderr).toContain('run `');
  expect((await own.run(['status'])).stdout).toContain('state: watching');
  const [before] = own.hosts();
  const [here, url] = [`${process.execPath} ${ENTRY}`, join(own.path, 'url')];
  const line = `${here} host --workspace-root ${own.path} > /dev/tty & while kill -0 ${before} 2>/dev/null || ! ${here} status | grep -q 'record: '; do :; done; ${here} status > ${url}; ${here} stop --host; wait`;
  const ended = await promisify(execFile)('script', ['-qec', line, '/dev/null'], { env: own.env });
  expect(readFileSync(url, 'utf8')).not.toContain('counts only');
  expect(ended.stdout).toContain('stay paused after the next start');
  shim.child.kill('SIGKILL');
  await own.close();
}); // prettier-ignore

it('takes the place of each host that agents start while it asks the last one to leave', async () => {
  const own = createHome();
  const paths = hostPaths(own.env);
  const started: number[] = [];
  const create = async (): Promise<string> => {
    const [running] = own.hosts();
    if (running !== undefined) throw new HostRunningError(running, paths.state);
    if (started.length === 3) return 'made';
    own.startShim().child.stdin?.write(INITIALIZE);
    await until(() => own.hosts().includes(readBridge(paths)?.metadata.pid ?? 0));
    started.push(...own.hosts());
    throw new HostRunningError(started.at(-1) ?? null, paths.state);
  };
  expect(await createInPlace(create, { name: 'test', env: own.env, paths })).toBe('made');
  expect(new Set(started).size).toBe(3);
  await own.close();
});

it('finds the host that listens already while bridge.json still names the last one', async () => {
  const own = createHome();
  const file = join(own.path, 'state', 'bridge.json');
  own.startShim().child.stdin?.write(INITIALIZE);
  await until(() => existsSync(file));
  const now = readFileSync(file, 'utf8');
  const bridge = JSON.parse(now) as { metadata: object };
  const write = (text: string) => writeFileSync(file, text, { mode: 0o600 });
  write(JSON.stringify({ ...bridge, metadata: { ...bridge.metadata, pid: process.pid } }));
  const place = localHost({ name: 'test', version: '1', entry: '', env: own.env });
  const recorded = await place.find();
  const opened = recorded?.open();
  await expect(Promise.race([opened, nextTurn('still looking')])).resolves.toBe('still looking');
  write(now);
  // Not told as somebody else's: the next attempt finds the host.
  await expect(opened).rejects.not.toBeInstanceOf(WireError);
  const session = await connectHost(place, false, new AbortController().signal);
  expect(session).not.toBeNull();
  session?.close();
  await own.close();
});
