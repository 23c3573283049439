/** Programs that an agent starts, and that speak for it as the shim does: only the real shim has what the agent was allowed. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { ENTRY } from '../support/command.js';
import { openPipe } from '../support/pipe.js';
import { connectAs, gone } from '../support/other.js';
import { askedFor } from '../support/trusted-agent.js';
import { startScene, type Scene } from '../support/world.js';

const AT = { x: 90, y: 498 };
let scene: Scene;
let real: TestAgent;
let folder: string;
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chap-shim-'));
  scene = await startScene();
  real = await startAgent(scene.home, { cwd: scene.workspace });
  const card = await askedFor(scene.person, click(real), 'session');
  expect(card?.agent.pid).toBe(process.pid);
  expect(await askedFor(scene.person, click(real))).toBeNull();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await real.close();
  await scene.close();
  rmSync(folder, { recursive: true });
});

const failed = ({ isError, text }: { isError: boolean; text: string }) => (isError ? { error: text } : {});
const click = async (agent: TestAgent) => failed(await agent.call('click', AT));

async function expectAsked(call: Promise<{ error?: unknown }>): Promise<void> {
  const card = await askedFor(scene.person, call);
  expect(card?.agent.pid).toBe(process.pid);
  expect(card?.notes).toContainEqual(expect.objectContaining({ code: 'grant.other_shim' }));
  expect(card?.grants.map(({ kind }) => kind)).toEqual(['once']);
}

async function modified(more: Parameters<typeof startAgent>[1]): Promise<TestAgent> {
  const agent = await startAgent(scene.home, { cwd: scene.workspace, ...more });
  closers.push(agent.close);
  return agent;
}

/** Speaks for the agent that started it. */
async function speakFor(stream: Duplex): Promise<() => Promise<{ error?: unknown }>> {
  const pipe = await openPipe(scene, { stream, claim: 'Claude Code 2' });
  closers.push(pipe.close);
  return async () => ((await pipe.tool('click', AT)).isError === true ? { error: 'failed' } : {});
}

describe('[req:ID-6] what an agent was allowed is not used by', () => {
  test('another program that it started, which speaks as the shim does', async () => {
    const other = connectAs({ path: scene.host.socketPath });
    closers.push(other.close);
    const act = await speakFor(other.stream);
    await expectAsked(act());
    expect(await askedFor(scene.person, click(real))).toBeNull();
  });

  test('a program of the shim’s name, at another place', async () => {
    const script = join(folder, 'index.js');
    const relay = `const s = require('net').connect(process.argv[2]); process.stdin.pipe(s); s.pipe(process.stdout);`;
    writeFileSync(script, relay);
    const child = spawn(process.execPath, [script, scene.host.socketPath], { stdio: ['pipe', 'pipe', 'inherit'] });
    closers.push(async () => (child.kill('SIGKILL'), gone(child)));
    const act = await speakFor(Duplex.from({ readable: child.stdout, writable: child.stdin }));
    await expectAsked(act());
  });

  test.each<[string, (evil: string) => Record<string, string>]>([
    ['NODE_OPTIONS', (evil) => ({ NODE_OPTIONS: `--require ${evil}` })],
    ['NODE_PATH', () => ({ NODE_PATH: folder })],
    ['LD_LIBRARY_PATH', () => ({ LD_LIBRARY_PATH: folder })],
  ])('the real shim with other code in it (%s)', async (_, env) => {
    const evil = join(folder, 'evil.cjs');
    writeFileSync(evil, '');
    await expectAsked(click(await modified({ env: env(evil) })));
  });

  test('the real shim with a module that is loaded before it', async () => {
    const evil = join(folder, 'evil.cjs');
    writeFileSync(evil, '');
    await expectAsked(click(await modified({ command: [process.execPath, '-r', evil, ENTRY, 'mcp'] })));
  });
});

test('[req:ID-6] a second real shim of the same agent has what the agent was allowed', async () => {
  const second = await modified({ env: { NODE_OPTIONS: '--max-old-space-size=256', NODE_ENV: 'production' } });
  expect(await askedFor(scene.person, click(second))).toBeNull();
});
