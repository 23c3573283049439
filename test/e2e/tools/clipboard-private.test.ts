/** What the person copies where agents may not look stays there. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../../support/agent.js';
import { eventually } from '../../support/eventually.js';
import { startWorld, type WorldHost } from '../../support/world.js';

let folder: string;
let scene: WorldHost;
let agent: TestAgent;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chap-private-'));
  const policy = join(folder, 'policy.json');
  await writeFile(policy, JSON.stringify({ preset: 'unattended', excludedApps: ['simulated.notes'] }), { mode: 0o600 });
  scene = await startWorld({ policy });
  agent = await startAgent(scene.home, { cwd: scene.workspace });
});
afterAll(async () => {
  await agent.close();
  await scene.close();
  await rm(folder, { recursive: true, force: true });
});

/** The person goes to this application and copies. */
async function copyIn(appId: string, text: string): Promise<void> {
  const windows = await scene.desktop.windows(AbortSignal.timeout(5000));
  scene.world.raiseWindow(windows.find(({ app }) => app.id === appId)?.id ?? '');
  scene.world.setClipboard({ text });
}

const history = async () =>
  ((await agent.call('get_clipboard_history')).value['entries'] as { text: string }[]).map(({ text }) => text);

test('copies in an excluded application are neither given nor remembered, those in others are', async () => {
  expect(await history()).toEqual([]);
  await copyIn('simulated.notes', 'dear diary');
  const refused = await agent.call('get_clipboard');
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('excluded application') as string });
  expect(JSON.stringify(refused)).not.toContain('diary');

  await copyIn('simulated.mail', 'dear colleagues');
  expect((await agent.call('get_clipboard')).value).toMatchObject({ text: 'dear colleagues' });
  await eventually(history).toEqual(['dear colleagues']);

  await copyIn('simulated.notes', 'dear diary');
  expect((await agent.call('get_clipboard')).isError).toBe(true);
  expect((await agent.call('write_clipboard', { text: 'over it' })).value).toMatchObject({ effect: 'confirmed' });
  expect((await agent.call('get_clipboard')).value).toMatchObject({ text: 'over it' });
  expect(await history()).toEqual(['over it', 'dear colleagues']);
});
