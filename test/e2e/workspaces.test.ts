/** Where the evidence of an agent’s calls goes: judged by what the call says and what lies there. */
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(workspaceRoot?: string): Promise<TestHost> {
  const started = await startHost({
    policy: 'unattended',
    ...(workspaceRoot === undefined ? {} : { workspaceRoot }),
  });
  closers.push(() => started.close());
  return started;
}

async function evidenceOf(started: TestHost, cwd: string): Promise<string> {
  const agent = await startAgent(started.home, { cwd });
  const result = await agent.client.callTool({ name: 'find_elements', arguments: { parent: 'simulated.mail' } });
  await agent.close();
  const { evidence } = (result._meta?.['dev.chaperone/call'] ?? {}) as { evidence?: string };
  if (evidence === undefined) throw new Error(JSON.stringify(result));
  expect(existsSync(evidence)).toBe(true);
  return evidence.slice(0, evidence.indexOf('/artifacts/desktop/'));
}

test('[req:DS-5-16] [req:DS-8-1] in the agent’s folder, where that is inside the root', async () => {
  const started = await open();
  expect(await evidenceOf(started, started.workspace)).toBe(started.workspace);
});

test('[req:DS-5-16] in the state folder, where the agent works outside the root', async () => {
  const started = await open();
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-outside-')));
  closers.push(() => rm(outside, { recursive: true }));
  expect(await evidenceOf(started, outside)).toBe(join(started.home, 'state'));
  expect(existsSync(join(outside, 'artifacts'))).toBe(false);
});

test('[req:DS-5-16] in the state folder, where the agent works in / or in the home folder, inside the root or not', async () => {
  const started = await open('/');
  expect(await evidenceOf(started, started.workspace)).toBe(started.workspace);
  for (const cwd of ['/', homedir()]) expect(await evidenceOf(started, cwd)).toBe(join(started.home, 'state'));
  expect(existsSync('/artifacts')).toBe(false);
});
