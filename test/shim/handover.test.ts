import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { HostRunningError, hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { createInPlace } from '../../src/main/shim/handover.js';
import { ENTRY, createHome } from '../support/command.js';
import { until } from './support.js';

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
