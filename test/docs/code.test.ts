/** The code of the documentation: its examples run, its commands exist. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePolicy } from '../../src/main/approvals/policy.js';
import { readAppEntries } from '../../src/main/gabp/config.js';
import { ENTRY } from '../support/command.js';
import { startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';
import { commandFault, commandsOf, mentionFault } from './commands.js';
import { allPages, blocks, handWritten, inlineCode } from './pages.js';

const ALL = allPages();
const { FILES } = (await import(new URL('../../scripts/docs/tables.mjs', import.meta.url).href)) as {
  FILES: [string, string, string][];
};

/** The code block under `<!-- example:NAME -->`, on whatever page. */
function example(name: string): string {
  const found = ALL.flatMap(blocks).filter((block) => block.example === name);
  if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} examples are named ${name}`);
  return found[0].code;
}

describe('code', () => {
  const hand = ALL.map(handWritten);
  const written = hand.flatMap((one) => blocks(one).map((block) => ({ ...block, path: one.path })));

  test('is of a kind that these tests know', () => {
    const examples = written.filter(({ example }) => example !== null).map((block) => block.example);
    expect(examples.toSorted()).toEqual([
      'boxed',
      'calls',
      'displays.mjs',
      'gabp-apps.json',
      'policy.json',
      'press.py',
    ]);
    for (const { language, example, path } of written)
      expect(['sh', 'json', 'text', 'mermaid', ...(example === null ? [] : ['python', 'js'])], path).toContain(
        language,
      );
  });

  test('every command of a block or in a sentence exists, with its options', async () => {
    const lines = written
      .filter(({ language, example }) => language === 'sh' && example !== 'boxed')
      .flatMap(commandsOf);
    const inline = hand.flatMap(inlineCode).filter((code) => /^(?:chaperone|npm) (?!X)/.test(code));
    expect(lines.length).toBeGreaterThan(40);
    const faults = await Promise.all([...lines.map((line) => commandFault(line)), ...inline.map(mentionFault)]);
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });

  test('a command or option that does not exist is told', async () => {
    for (const line of ['chaperone nosuch', 'chaperone host --nosuch', 'npm run nosuch', 'npx vitest run test/nosuch'])
      expect(await commandFault(line), line).not.toBeNull();
  });

  test('every JSON block is JSON, and a policy is a policy', () => {
    const json = written.filter(({ language }) => language === 'json');
    for (const { code } of json) expect(() => JSON.parse(code) as unknown, code).not.toThrow();
    const policies = json.filter(({ code }) => code.includes('"preset"'));
    expect(policies).toHaveLength(3);
    for (const { code } of policies)
      expect(['ask', 'deny']).toContain(parsePolicy(JSON.parse(code), 'policy.json').effects.dangerous);
  });

  test('the applications of gabp-apps.json are read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'chp-'));
    const file = join(folder, 'gabp-apps.json');
    writeFileSync(file, example('gabp-apps.json'), { mode: 0o600 });
    expect([...readAppEntries(file).keys()]).toEqual(['game', 'editor']);
    rmSync(folder, { recursive: true });
  });

  test('the script of the sandbox is one that sh reads', async () => {
    expect(await run('/bin/sh', ['-n', '-c', example('boxed')], {})).toEqual({ code: 0, output: '' });
  });
});

describe('examples', () => {
  let chaperone: TestHost;
  let person: Person;

  beforeAll(async () => {
    chaperone = await startHost();
    person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  });
  afterAll(async () => {
    person.close();
    await chaperone.close();
  });

  const started = (command: string, args: string[]) =>
    run(command, args, {
      cwd: chaperone.workspace,
      env: { PATH: process.env['PATH'] ?? '', CHAPERONE_HOME: chaperone.home },
    });

  /** The person's answer comes only when there is a card; a script that ended without one has failed. */
  const press = async (decision: 'allow' | 'deny') => {
    const script = started('/usr/bin/python3', ['-c', example('press.py'), 'simulated.mail', 'Send']);
    const card = await Promise.race([
      person.answer(decision),
      script.then(({ output }) => Promise.reject(new Error(`ended without asking: ${output}`))),
    ]);
    return { card, ...(await script) };
  };

  test('the JSON-RPC script presses what the person allows', async () => {
    const { code, output, card } = await press('allow');
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(card.tool).toBe('desktop.click');
    const [, dir = ''] = /^host \S+\nconfirmed (\S+)\n$/.exec(output) ?? [];
    expect(readdirSync(dir)).toEqual(expect.arrayContaining(['before.png', 'after.png', 'result.json']));
  });

  test('and ends with the code when the person denies', async () => {
    const { code, output } = await press('deny');
    expect(code).toBe(1);
    expect(output).toContain('DESKTOP_CONFIRM_REQUIRED');
  });

  test('the GABP script lists the displays', async () => {
    const { code, output } = await started(process.execPath, ['--input-type=module', '-e', example('displays.mjs')]);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(JSON.parse(output)).toMatchObject({ displays: [{ main: true }] });
  });

  test('the calls of the command line are answered, and one that acts is asked about', async () => {
    const results: string[] = [];
    for (const line of commandsOf({ language: 'sh', example: 'calls', code: example('calls') })) {
      const child = started('/bin/sh', ['-c', line.replace(/^chaperone/, `"${process.execPath}" "${ENTRY}"`)]);
      const asks = /list_windows|click_element/.test(line);
      if (asks)
        await Promise.race([person.answer('allow'), child.then(({ output }) => Promise.reject(new Error(output)))]);
      const { code, output } = await child;
      expect({ line, code, output }).toMatchObject({ code: 0 });
      results.push(output);
    }
    expect(results).toHaveLength(4);
    expect(results[2]).toMatch(/^Clicked/m);
  });

  test('the files of the state folder have the names it gives', () => {
    const named = FILES.map(([name]) => name.replaceAll('`', ''));
    const made = readdirSync(join(chaperone.home, 'state'));
    expect(named).toEqual(expect.arrayContaining(made.filter((name) => /\.(jsonl?|sock)$/.test(name))));
    expect(made).toEqual(expect.arrayContaining(['bridge.json', 'audit.jsonl', 'chat.jsonl', 'pairings.json']));
  });
});

interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
}

/** Its two outputs as one. */
function run(command: string, args: string[], options: RunOptions): Promise<{ code: number | null; output: string }> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}
