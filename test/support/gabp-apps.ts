/** A host with applications in its gabp-apps.json, a person, and whoever asks for them. */
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HostOptions } from '../../src/main/host/index.js';
import { eventually } from './eventually.js';
import { openGabp, type Gabp } from './gabp.js';
import { startScene, type Scene } from './world.js';

export const PEER = join(import.meta.dirname, 'gabp-app.mjs');

export type Trap = 'hang' | 'both' | 'nulls' | 'oneBased' | 'parameters' | 'flood' | 'many' | 'lying' | 'changing';

export interface Apps {
  scene: Scene;
  agent: Gabp;
  /** Starts it by the command line's own request, which the person allows; resolves once it is connected. */
  start(name: string): Promise<void>;
  write(apps: Record<string, unknown>): Promise<void>;
  list(): Promise<Record<string, unknown>[]>;
  state(name: string): Promise<unknown>;
  /** The names that an agent is told. */
  toolNames(): Promise<string[]>;
  close(): Promise<void>;
}

/** An entry that launches the test application. */
export const launched = (traps: Trap[] = [], more: object = {}, launch: object = {}): object => ({
  launch: { command: [process.execPath, PEER, JSON.stringify({ traps })], folder: '/', ...launch },
  ...more,
});

/** An entry that starts with the host, in a folder with nothing beside the test application. */
export async function peerAlone(): Promise<(traps: Trap[]) => object> {
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-game-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await copyFile(PEER, join(folder, 'peer.mjs'));
  const command = (traps: Trap[]) => [process.execPath, 'peer.mjs', JSON.stringify({ traps })];
  return (traps) => launched(traps, { start: 'auto' }, { command: command(traps), folder });
}

export const peerCommand = (options: object): [string, string, string] => [
  process.execPath,
  PEER,
  JSON.stringify(options),
];

export async function startApps(apps: Record<string, unknown>, more: Partial<HostOptions> = {}): Promise<Apps> {
  const scene = await startScene(more);
  const agent = await openGabp(scene);
  const write = async (entries: Record<string, unknown>): Promise<void> => {
    const folder = join(scene.home, 'config');
    const file = join(folder, 'gabp-apps.json');
    await mkdir(folder, { recursive: true });
    await writeFile(file, JSON.stringify({ version: 1, apps: entries }));
    await chmod(file, 0o600);
  };
  await write(apps);
  const list = async () => (await agent.request('admin/apps'))['apps'] as Record<string, unknown>[];
  /** An agent that has made a call sees only how many there are; the person's page tells of each change. */
  const state = async (name: string): Promise<unknown> => {
    const seen = scene.person.seen.findLast((one) => one.type === 'gabpApps');
    const onPage = seen?.type === 'gabpApps' ? seen.apps : [];
    const all: { name?: unknown; state?: unknown }[] = [...(await list()), ...onPage];
    return all.find((app) => app.name === name)?.state;
  };
  return {
    scene,
    agent,
    write,
    list,
    state,
    async start(name) {
      const isConfirmed = (await list()).some((app) => app['name'] === name && app['confirmed'] === true);
      const started = agent.request('admin/apps/start', { name });
      started.catch(() => undefined);
      if (!isConfirmed) await scene.person.answer('allow');
      await started;
      await eventually(() => state(name)).toBe('connected');
    },
    async toolNames() {
      return (await agent.tools()).map(({ name }) => name);
    },
    async close() {
      agent.close();
      await scene.close();
    },
  };
}
