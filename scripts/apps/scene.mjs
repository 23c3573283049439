/** A private desktop of an ordinary user, an agent of it that is an MCP client, and a person who allows on a paired page what the host asks. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ENTRY } from '../../bench/processes.mjs';
import { startPerson } from '../demo/person.mjs';
import { until } from '../demo/until.mjs';
import { run, Stop } from '../lib/run.mjs';
import { ordinaryUser, processesWith } from './user.mjs';
import { serve } from './web.mjs';

/** Rough, as in bench/tokens.mjs. */
const CHARACTERS_PER_TOKEN = 4;
const PIXELS_PER_TOKEN = 750;
/** A call that takes longer has failed. */
const CALL_MS = 120_000;

/** Everything is allowed but what has consequences outside this machine or cannot be undone. */
const ASKS = { preset: 'standard', effects: { disclose: 'allow', pointer: 'allow', input: 'allow', dangerous: 'ask' } };

/**
 * `close` ends all that was started, and throws where something goes on running. `denies`: the person is asked about acts with
 * consequences, and denies those whose heading this fits; left out: nobody is asked. `person` and `policy`: another person at the page,
 * who is asked by another policy. `options`: of `chaperone mcp`.
 */
export async function openScene(
  user = ordinaryUser(),
  denies = undefined,
  { person = startPerson, policy = undefined, options = [] } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'chaperone-apps-'));
  const closers = [async () => rmSync(folder, { recursive: true, force: true })];
  const own = (close) => void closers.unshift(close);
  const close = async () => {
    const failed = [];
    for (const one of closers) await one().catch((error) => failed.push(error));
    if (failed.length > 0) throw failed[0];
  };
  try {
    const work = join(folder, 'work');
    mkdirSync(work);
    for (const path of [folder, work]) user.give(path);
    own(() => noneStays(folder));
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      // An ordinary user has one, and nobody has none.
      SHELL: '/bin/bash',
      XDG_RUNTIME_DIR: folder,
      CHAPERONE_HOME: join(folder, 'state'),
    };
    const file = join(folder, 'policy.json');
    if (denies !== undefined) writeFileSync(file, JSON.stringify(ASKS));
    const asks = policy ?? (denies === undefined ? 'unattended' : file);
    const link = await startHost({ user, env, work, policy: asks }, own);
    await person(link, own, (heading) => denies?.test(heading) === true);
    const agent = await connect({ user, env, work, options }, own);
    // What the window manager was started with.
    const desktop = processesWith(folder).find((one) => one.env.DISPLAY !== undefined)?.env ?? {};
    return { ...agent, user, work, home: desktop.HOME, ask: asker(user, desktop), web: await serve(own), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Asks the desktop beside Chaperone, for what an application leaves in no file: what a program prints there. */
const asker =
  ({ as }, env) =>
  async (...command) => {
    const [program, ...args] = [...as, ...command];
    const { code, output } = await run(program, args, { capture: true, env });
    if (code !== 0) throw new Error(`${command.join(' ')}: ${output.trim()}`);
    return output;
  };

async function noneStays(folder) {
  try {
    await until(() => processesWith(folder).length === 0, 'every process of the desktop has ended');
  } catch (error) {
    for (const { pid } of processesWith(folder)) process.kill(pid, 'SIGKILL');
    throw error;
  }
}

async function startHost({ user, env, work, policy }, own) {
  const options = ['--backend', 'linux', '--display', 'virtual', '--policy', policy, '--print-pairing'];
  const [program, ...args] = [...user.as, process.execPath, ENTRY, 'host', ...options, '--workspace-root', work];
  const child = spawn(program, args, { env, cwd: work, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  own(async () => (child.kill('SIGTERM'), ended));
  const lines = createInterface({ input: child.stdout });
  const link = new Promise((resolve) => lines.on('line', (line) => line.includes('/#pair=') && resolve(line.trim())));
  const found = await Promise.race([link, ended.then(() => null)]);
  if (found === null) throw new Stop('The host did not start; the lines above say why.');
  return found;
}

async function connect({ user, env, work, options }, own) {
  const limit = ['--call-limit', String(CALL_MS / 1000 - 5)];
  const [command, ...args] = [...user.as, process.execPath, ENTRY, 'mcp', ...limit, ...options];
  const client = new Client({ name: 'apps', version: '1.0.0' });
  own(() => client.close());
  await client.connect(new StdioClientTransport({ command, args, env, cwd: work, stderr: 'ignore' }));
  const spent = { calls: 0, tokens: 0 };
  const told = [];
  return {
    spent,
    told,
    /** The structured value of a result. An error is what the agent reads of it. */
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given }, { timeout: CALL_MS });
      const text = result.content.map((block) => block.text ?? '').join('\n');
      const value = result.structuredContent ?? result._meta?.['dev.chaperone/value'] ?? {};
      const { width = 0, height = 0 } = result.content.some(({ type }) => type === 'image') ? value.image : {};
      told.push(text, JSON.stringify(value));
      spent.calls += 1;
      spent.tokens += text.length / CHARACTERS_PER_TOKEN + (width * height) / PIXELS_PER_TOKEN;
      if (result.isError === true) {
        const { details } = result._meta?.['dev.chaperone/error'] ?? {};
        throw Object.assign(new Error(`${name} ${JSON.stringify(given)}: ${text}`), { details });
      }
      return { ...value, text };
    },
  };
}
