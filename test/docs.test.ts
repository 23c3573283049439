/** The README holds what the product's own tables say, and its examples run. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePolicy } from '../src/main/approvals/policy.js';
import { bridgeActions } from '../src/main/bridge/index.js';
import { createProgram } from '../src/main/cli/program.js';
import { registration } from '../src/main/setup/index.js';
import { ERRORS } from '../src/main/protocol/errors.js';
import { publish } from '../src/main/mcp/descriptors.js';
import { CLIENT_LIMITS } from '../src/main/mcp/limits.js';
import { allTools } from '../src/main/tools/index.js';
import { PERMISSION_NAMES } from '../src/main/host/health.js';
import { formatEnglish, message } from '../src/messages/index.js';
import { LAYERS } from './architecture/layers.js';
import { startHost, type TestHost } from './support/host.js';
import { openPage, type Person } from './support/person.js';

const ROOT = join(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

interface Tables {
  sections(product: Record<string, unknown>): Map<string, string>;
  ENVIRONMENT: Map<string, string>;
  FILES: [string, string, string][];
}
const script = (name: string) => import(new URL(`../scripts/docs/${name}`, import.meta.url).href);
const tables = (await script('tables.mjs')) as Tables;
const { replaceSections } = (await script('markers.mjs')) as {
  replaceSections(text: string, sections: Map<string, string>): string;
};
const PRODUCT = { allTools, bridgeActions, publish, createProgram, ERRORS, registration, formatEnglish, CLIENT_LIMITS };
const current = () => tables.sections(PRODUCT);

/** The code block under `<!-- example:NAME -->`. */
function example(name: string): string {
  const found = new RegExp(`<!-- example:${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\n\`\`\``).exec(README);
  if (found?.[1] === undefined) throw new Error(`the README has no example ${name}`);
  return found[1];
}

describe('generated sections', () => {
  test('[req:DS-2-3] the README is what `npm run docs` writes', () => {
    expect(README, 'README.md is stale: run `npm run docs` and commit what it writes').toBe(
      replaceSections(README, current()),
    );
  });

  test('says where every layer of the source lies, in the order of the layers', () => {
    const [, inside = ''] = /\n## Inside\n([\s\S]*?)\n## /.exec(README) ?? [];
    const named = [...inside.matchAll(/^\| `src\/([\w/]+)` \|/gm)].map((match) => match[1]);
    expect(named).toEqual(LAYERS.map(({ folder }) => folder).filter((folder) => !folder.startsWith('native/')));
  });

  test('a tool that is added, changed or dropped makes it stale', () => {
    const less = (deps: Parameters<typeof allTools>[0]) => allTools(deps).slice(1);
    expect(replaceSections(README, tables.sections({ ...PRODUCT, allTools: less }))).not.toBe(README);
    const edited = README.replace('Moves', 'moves').replace('| `click_element` |', '| `press_element` |');
    expect(replaceSections(edited, current())).not.toBe(edited);
  });

  test('a marker that is missing or there twice is told, and nothing is written', () => {
    for (const text of [README.replace('<!-- tools:end -->', ''), `${README}<!-- tools:start -->`])
      expect(() => replaceSections(text, current())).toThrow(/tools:start.*tools:end/);
  });

  test('every tool and method is there with its effect class', () => {
    const methods = current().get('methods') ?? '';
    expect(methods).toMatch(/`desktop\.click` \|.*\| input \|/);
    expect(current().get('tools')).toMatch(/`click_element` \|.*\| input \| yes \|/);
  });

  test('the variables are those that host and command line read', () => {
    const read = new Set(
      sources(join(ROOT, 'src/main')).flatMap((text) =>
        [...text.matchAll(/\benv\['(CHAPERONE_[A-Z_]+|PORT|WORKSPACE_ROOT)'\]/g)].flatMap((match) => match[1] ?? []),
      ),
    );
    expect([...tables.ENVIRONMENT.keys()].sort()).toEqual([...read].sort());
  });
});

test('[req:DS-6-36] it says what lies out of scope', () => {
  const [, scope = ''] = README.split('## What it does not protect against');
  const text = scope.split('\n## ')[0] ?? '';
  for (const words of ['unrestricted shell under your user', 'Root', 'accessibility rights', 'by its own means'])
    expect(text).toContain(words);
});

test('On a Mac says the words of Health and doctor, in their order', () => {
  const [, section = ''] = README.split('\n### On a Mac\n');
  const asked = Object.values(PERMISSION_NAMES).map((permission) =>
    formatEnglish(message('health.grant_in_settings', { permission, app: 'it' })),
  );
  const words = (['page.health.open_settings', 'page.health.relaunch'] as const).map((code) => `*${formatEnglish(message(code))}*`); // prettier-ignore
  const [open = '', relaunch = ''] = words;
  const places = [open, ...asked, relaunch].map((text) => section.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('each picture is there, dark and light', () => {
  const named = [...README.matchAll(/(?:srcset|src)="([^"]+)"/g)].map((match) => match[1] ?? '');
  const pictures = ['approval', 'popover', 'evidence'];
  expect(named).toEqual(pictures.flatMap((name) => [`docs/${name}-dark.png`, `docs/${name}-light.png`]));
  for (const path of named) expect(existsSync(join(ROOT, path)), path).toBe(true);
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

  /** The person's answer comes only when there is a card; a script that ended without one has failed. */
  const press = async (decision: 'allow' | 'deny') => {
    const script = run('/usr/bin/python3', ['-c', example('press.py'), 'simulated.mail', 'Send']);
    const card = await Promise.race([
      person.answer(decision),
      script.then(({ output }) => Promise.reject(new Error(`ended without asking: ${output}`))),
    ]);
    return { card, ...(await script) };
  };

  const run = (command: string, args: string[]) => {
    const env = { PATH: process.env['PATH'] ?? '', CHAPERONE_HOME: chaperone.home };
    const child = spawn(command, args, { cwd: chaperone.workspace, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    return new Promise<{ code: number | null; output: string }>((resolve) =>
      child.on('close', (code) => resolve({ code, output })),
    );
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
    const { code, output } = await run(process.execPath, ['--input-type=module', '-e', example('displays.mjs')]);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(JSON.parse(output)).toMatchObject({ displays: [{ main: true }] });
  });

  test('the policy is one', () => {
    const policy = parsePolicy(JSON.parse(example('policy.json')), 'policy.json');
    expect(policy).toMatchObject({ preset: 'custom', effects: { disclose: 'ask', dangerous: 'deny' } });
  });

  test('the files of the state folder have the names it gives', () => {
    const named = tables.FILES.map(([name]) => name.replaceAll('`', ''));
    const made = readdirSync(join(chaperone.home, 'state'));
    expect(named).toEqual(expect.arrayContaining(made.filter((name) => /\.(jsonl?|sock)$/.test(name))));
    expect(made).toEqual(expect.arrayContaining(['bridge.json', 'audit.jsonl', 'chat.jsonl', 'pairings.json']));
  });
});

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
