import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { presetPolicy, savePolicy } from '../../src/main/approvals/index.js';
import { createHome, environmentOf, type Home } from '../support/command.js';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';

let home: Home;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.close());

test('a shim’s environment and the folder it names widen nothing [req:DS-6-32] [req:DS-6-3] [req:DS-10-3]', async () => {
  await mkdir(join(home.path, 'config'), { mode: 0o700 });
  savePolicy(join(home.path, 'config/policy.json'), presetPolicy('unattended'));
  const trace = join(home.path, 'injected');
  await writeFile(
    join(home.path, 'evil.cjs'),
    `require('node:fs').appendFileSync(${JSON.stringify(trace)}, process.argv.join(' ') + '\\n')`,
  );
  const shim = home.startShim({
    NODE_OPTIONS: `--require ${join(home.path, 'evil.cjs')}`,
    NODE_PATH: home.path,
    LD_PRELOAD: '',
    LD_LIBRARY_PATH: home.path,
    CHAPERONE_POLICY: 'unattended',
    POLICY: 'unattended',
    WORKSPACE_ROOT: '/',
    CHAPERONE_BACKEND: 'simulated',
    NODE_EXTRA_CA_CERTS: '/nowhere',
    PATH: `${home.path}:${process.env['PATH'] ?? ''}`,
  });
  shim.child.stdin?.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } })}\n`,
  );
  const paths = hostPaths({ CHAPERONE_HOME: home.path });
  while (readBridge(paths) === null && shim.child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const bridge = readBridge(paths);
  if (bridge === null) throw new Error(`no host: ${shim.stderr()}`);
  const { pid } = bridge.metadata;
  const injected = await readFile(trace, 'utf8');
  expect(injected).toContain(' mcp');
  expect(injected).not.toContain(' host');
  expect(environmentOf(pid)).toContain(`CHAPERONE_HOME=${home.path}`);
  const names = environmentOf(pid).map((entry) => entry.split('=')[0] ?? '');
  for (const name of [
    'NODE_OPTIONS',
    'NODE_PATH',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'CHAPERONE_POLICY',
    'POLICY',
    'WORKSPACE_ROOT',
  ])
    expect(names).not.toContain(name);
  expect(environmentOf(pid).find((entry) => entry.startsWith('PATH='))).not.toContain(home.path);
  const { stdout } = await home.type(['policy', 'show', '--json']);
  const policy = JSON.parse(stdout) as { confirmPhrase: string; effects: Record<string, string> };
  expect(policy.confirmPhrase).toBe('ask');
  expect(policy.effects).toMatchObject({
    pointer: 'ask',
    input: 'ask',
    dangerous: 'ask',
    disclose: 'ask_once_per_session',
  });
});
