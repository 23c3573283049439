/**
 * Real MCP clients, with the configuration that setup wrote. The Inspector comes from the registry at the first run. Claude Code and Codex
 * weigh over 300 MB each: they run where CHAPERONE_CLIENTS names a folder they were installed into with npm.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it, type TestContext } from 'vitest';
import { withChaperoneHome } from '../../src/main/setup/index.js';
import { createMachine, type TestMachine } from '../setup/machine.js';
import { ENTRY } from '../support/command.js';
import { startHost, type TestHost } from '../support/host.js';
import { startModel } from '../support/scripted-model.js';

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/chaperone-clients/inspector-2.12.0');
const GIVEN = process.env['CHAPERONE_CLIENTS'] ?? '';
const run = promisify(execFile);

let chaperone: TestHost;
let machine: TestMachine;
beforeEach(async () => {
  chaperone = await startHost();
  machine = createMachine();
});
afterEach(async () => {
  machine.close();
  await chaperone.close();
});

const launcher = () =>
  withChaperoneHome({ command: process.execPath, args: [ENTRY, 'mcp'] }, { CHAPERONE_HOME: chaperone.home });
const env = (more: Record<string, string> = {}) => ({ HOME: machine.home, PATH: `${machine.path('bin')}:${process.env['PATH'] ?? ''}`, ...more }); // prettier-ignore

/** Null where the registry has it not. */
async function inspector(): Promise<string | null> {
  const entry = join(CACHE, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  if (existsSync(entry)) return entry;
  mkdirSync(CACHE, { recursive: true });
  const args = ['install', '--prefix', CACHE, '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'];
  await run('npm', [...args, INSPECTOR], { timeout: 150_000 }).catch(() => undefined);
  return existsSync(entry) ? entry : null;
}

it('[req:DS-12-4] the Inspector calls a tool through the entry that setup wrote', async (context: TestContext) => {
  const entry = await inspector();
  if (entry === null) return context.skip(`${INSPECTOR} cannot be installed from the registry`);
  await machine.register('cursor', { launcher: launcher() });
  const config = ['--config', machine.path('.cursor/mcp.json'), '--server', 'chaperone'];
  const inspect = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [entry, '--cli', ...config, ...args], {
      env: env({ MCP_INSPECTOR_SECRET_STORE: 'memory' }),
      cwd: chaperone.workspace,
      maxBuffer: 1e8,
    });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const called = await inspect('--method', 'tools/call', '--tool-name', 'list_displays');
  expect(called).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('displays/display-1') }] });
  const { tools } = await inspect('--method', 'tools/list', '--strict');
  expect(JSON.stringify(tools)).toContain('"send_message"');
}, 240_000);

/** As a model would be answered, and the entry of a live Claude Code is written by its own command. */
it('[req:DS-12-4] Claude Code, with a scripted model, reads the desktop through its entry', async (context: TestContext) => {
  if (!given('claude')) return context.skip('CHAPERONE_CLIENTS names no folder with @anthropic-ai/claude-code');
  const model = await startModel([{ tool: 'list_displays' }]);
  try {
    expect(await machine.register('claude', { launcher: launcher() })).toMatchObject({ outcome: 'added' });
    const more = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' }; // prettier-ignore
    const child = run('claude', ['-p', 'Which displays are there?', '--allowedTools', 'mcp__chaperone__list_displays'], { env: env(more), cwd: chaperone.workspace }); // prettier-ignore
    child.child.stdin?.end();
    expect((await child).stdout).toContain('Done.');
    expect(model.readings().map(({ text }) => text)).toEqual([expect.stringContaining('displays/display-1')]);
    expect(await machine.look('claude')).toMatchObject({ found: true });
    expect(await machine.unregister('claude')).toMatchObject({ outcome: 'removed' });
    expect(machine.read('.claude.json')).not.toContain('chaperone');
  } finally {
    await model.close();
  }
}, 120_000);

it('[req:DS-12-4] Codex calls a tool through its entry', async (context: TestContext) => {
  if (!given('codex')) return context.skip('CHAPERONE_CLIENTS names no folder with @openai/codex');
  machine.write('.codex/config.toml', '# mine\nmodel = "none"\n');
  await machine.register('codex', { launcher: launcher() });
  const child = spawn('codex', ['app-server'], {
    env: env(),
    cwd: chaperone.workspace,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout });
  const ask = (id: number, method: string, params: object) =>
    new Promise<Record<string, unknown>>((resolve) => {
      lines.on('line', (line) => {
        const message = JSON.parse(line) as { id?: number; result?: Record<string, unknown> };
        if (message.id === id) resolve(message.result ?? {});
      });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  try {
    await ask(1, 'initialize', { clientInfo: { name: 'test', version: '1' } });
    child.stdin.write('{"jsonrpc":"2.0","method":"initialized"}\n');
    const { thread } = await ask(2, 'thread/start', {});
    const threadId = (thread as { id: string }).id;
    const called = await ask(3, 'mcpServer/tool/call', { threadId, server: 'chaperone', tool: 'list_displays', arguments: {} }); // prettier-ignore
    expect(called).toMatchObject({ content: [{ text: expect.stringContaining('displays/display-1') }] });
  } finally {
    child.kill();
    await new Promise((resolve) => child.once('close', resolve));
  }
}, 120_000);

/** Puts the installed command on the person's search path. */
function given(name: string): boolean {
  const found = join(GIVEN, 'node_modules/.bin', name);
  if (GIVEN === '' || !existsSync(found)) return false;
  mkdirSync(machine.path('bin'), { recursive: true });
  symlinkSync(found, machine.path(`bin/${name}`));
  return true;
}
