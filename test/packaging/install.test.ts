/** The npm package as somebody else gets it: packed, installed into an empty folder from the registry, and used there. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { startAgent } from '../support/agent.js';
import { eventually } from '../support/eventually.js';
import { ROOT } from './assemble.js';

const work = mkdtempSync(join(tmpdir(), 'chp-install-'));
const folder = join(work, 'project');
const home = join(work, 'home');
const CHAPERONE = join(folder, 'node_modules/.bin/chaperone');
const env = { PATH: process.env['PATH'] ?? '', HOME: home, CHAPERONE_HOME: home, CHAPERONE_BACKEND: 'simulated' };
const semver = z
  .object({ satisfies: z.custom<(version: string, range: string) => boolean>((given) => typeof given === 'function') })
  .parse(createRequire(import.meta.url)('semver'));
const manifest = z
  .object({ engines: z.object({ node: z.string().startsWith('>=') }) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      engines: z.looseObject({ node: z.string().optional() }).optional(),
      hasInstallScript: z.boolean().default(false),
      deprecated: z.string().optional(),
    }),
  ),
});

let installed: { status: number | null; stderr: string };
beforeAll(() => {
  for (const made of [folder, home]) mkdirSync(made, { mode: 0o700 });
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier'];
  const packed = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', work], { cwd: ROOT, encoding: 'utf8' }); // prettier-ignore
  installed = spawnSync('npm', ['install', ...quiet, join(work, packed.trim())], { cwd: folder, encoding: 'utf8' });
}, 300_000);
afterAll(() => rmSync(work, { recursive: true, force: true }));

test('[req:FR-3] installs without a warning, and nothing in it would give one with another Node or npm', () => {
  expect(installed).toMatchObject({ status: 0, stderr: '' });
  const { packages } = lockSchema.parse(
    JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')),
  );
  const oldest = `${manifest.engines.node.slice('>='.length)}.0`;
  const warned = Object.entries(packages).filter(
    ([, { engines, hasInstallScript, deprecated }]) =>
      hasInstallScript || deprecated !== undefined || !semver.satisfies(oldest, engines?.node ?? '*'),
  );
  expect(warned).toEqual([]);
  expect(Object.keys(packages).length).toBeGreaterThan(3);
});

test('[req:FR-3] has nothing that only the app needs', () => {
  for (const name of ['electron', 'menubar', 'electron-updater', 'node-mac-permissions'])
    expect([name, existsSync(join(folder, 'node_modules', name))]).toEqual([name, false]);
});

async function ended(child: ChildProcess): Promise<void> {
  const end = new Promise((resolve) => child.once('close', resolve));
  child.kill();
  await end;
}

test('[req:FR-3] serves agents and its page', async () => {
  const host = spawn(CHAPERONE, ['host', '--port', '0'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [host.stdout, host.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  try {
    await eventually(() => said).toMatch(/^http:\/\/localhost:\d+$/m);
    const address = /^http:\S+$/m.exec(said)?.[0] ?? 'none';
    expect(await (await fetch(address)).text()).toContain('<title>Chaperone');
    const agent = await startAgent(home, { cwd: folder, env, command: [CHAPERONE, 'mcp'] });
    try {
      const { tools } = await agent.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['click', 'list_displays']));
      const answer = await agent.call('list_displays');
      expect(answer.isError, answer.text).toBe(false);
      expect(answer.value['displays']).toEqual([expect.objectContaining({ scale: expect.any(Number) })]);
    } finally {
      await agent.close();
    }
  } finally {
    await ended(host);
  }
}, 120_000);
