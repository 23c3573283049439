/** The generated pages hold what the product's own tables say, and all pages keep to their budgets. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bridgeActions } from '../src/main/bridge/index.js';
import { describeTool } from '../src/main/calls/descriptors.js';
import { createProgram } from '../src/main/cli/program.js';
import { PERMISSION_NAMES } from '../src/main/host/health.js';
import { publish } from '../src/main/mcp/backend.js';
import { CLIENT_LIMITS } from '../src/main/mcp/limits.js';
import { CLIENT_IDS } from '../src/main/protocol/client-names.js';
import { ERRORS } from '../src/main/protocol/errors.js';
import { registration } from '../src/main/setup/index.js';
import { allTools } from '../src/main/tools/index.js';
import { formatEnglish, message } from '../src/messages/index.js';
import { LAYERS } from './architecture/layers.js';
import * as pages from './docs/pages.js';
import { ROOT, page } from './docs/pages.js';

const ALL = pages.allPages();
const CLIENTS = page('docs/clients.md').text;

interface Tables {
  sections(product: Record<string, unknown>): Map<string, string>;
  ENVIRONMENT: Map<string, string>;
}
const script = (name: string) => import(new URL(`../scripts/docs/${name}`, import.meta.url).href);
const tables = (await script('tables.mjs')) as Tables;
const { replaceSections } = (await script('markers.mjs')) as {
  replaceSections(text: string, sections: Map<string, string>): string;
};
const { referencePages } = (await script('reference.mjs')) as {
  referencePages(product: Record<string, unknown>): Map<string, string>;
};
const PRODUCT = {
  ...{ allTools, bridgeActions, describeTool, publish },
  ...{ createProgram, ERRORS, registration, formatEnglish, CLIENT_LIMITS },
};
const current = () => tables.sections(PRODUCT);

describe('generated pages', () => {
  test('[req:DS-2-3] they are what `npm run docs` writes', () => {
    const stale = 'stale: run `npm run docs` and commit what it writes';
    expect(CLIENTS, `docs/clients.md is ${stale}`).toBe(replaceSections(CLIENTS, current()));
    const reference = referencePages(PRODUCT);
    for (const [path, text] of reference) expect(page(path).text, `${path} is ${stale}`).toBe(text);
    const there = ALL.map(({ path }) => path).filter((path) => path.startsWith('docs/reference/'));
    expect(there).toEqual([...reference.keys()].toSorted());
  });

  test('a tool that is added, changed or dropped makes them stale', () => {
    const less = (deps: Parameters<typeof allTools>[0]) => allTools(deps).slice(1);
    const path = 'docs/reference/tools.md';
    expect(referencePages({ ...PRODUCT, allTools: less }).get(path)).not.toBe(page(path).text);
  });

  test('a marker that is missing or there twice is told, and nothing is written', () => {
    for (const text of [CLIENTS.replace('<!-- waits:end -->', ''), `${CLIENTS}<!-- waits:start -->`])
      expect(() => replaceSections(text, current())).toThrow(/waits:start.*waits:end/);
  });

  test('every tool and method is there with its effect class, its parameters and its name in GABP', () => {
    const reference = referencePages(PRODUCT);
    expect(reference.get('docs/reference/methods.md')).toMatch(/`desktop\.click` \|.*\| input \|/);
    const tools = reference.get('docs/reference/tools.md');
    expect(tools).toMatch(/\[`click_element`\]\(#click_element\) \|.*\| input \| yes \|/);
    expect(tools).toMatch(/### press_key\n[\s\S]*?`input\/press_key`[\s\S]*?\| `key` \(required\) \| string/);
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

describe('facts that pages repeat', () => {
  test('architecture.md says where every layer of the source lies, in the order of the layers', () => {
    const [, where = ''] = /\n## Where things are\n([\s\S]*?)\n## /.exec(page('docs/architecture.md').text) ?? [];
    const named = [...where.matchAll(/^\| `src\/([\w/]+)` \|/gm)].map((match) => match[1]);
    expect(named).toEqual(LAYERS.map(({ folder }) => folder).filter((folder) => !folder.startsWith('native/')));
    for (const [, folder = '', row = ''] of where.matchAll(/^\| `(src\/[\w/]+)` \|(.*)$/gm)) {
      const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
      for (const [, name = ''] of row.matchAll(/`([\w/-]+\.tsx?)`/g))
        expect(
          files.some((file) => `/${file}`.endsWith(`/${name}`)),
          `${folder} has ${name}`,
        ).toBe(true);
    }
  });

  test('every file of this repository that a page names is there', () => {
    const gone = ALL.flatMap((one) =>
      pages
        .inlineCode(one)
        .filter((code) => /^(?:src|test|scripts|bench|docs|container|native-addon)\/[\w./-]+$/.test(code))
        .filter((code) => !existsSync(join(ROOT, code)) && !code.startsWith('container/keys/'))
        .map((code) => `${one.path}: ${code}`),
    );
    expect(gone).toEqual([]);
  });

  test('README and clients.md name every client', () => {
    for (const path of ['README.md', 'docs/clients.md'])
      expect(
        CLIENT_IDS.filter((id) => !page(path).text.includes(`| \`${id}\` |`)),
        path,
      ).toEqual([]);
  });

  test('[req:DS-6-36] security.md says what lies out of scope', () => {
    const [, scope = ''] = page('docs/security.md').text.split('## What it does not protect against');
    const text = scope.split('\n## ')[0] ?? '';
    for (const words of ['unrestricted shell under your user', 'Root', 'accessibility rights', 'by its own means'])
      expect(text).toContain(words);
  });

  test('macos.md says the words of Health and doctor, in their order', () => {
    const [, section = ''] = page('docs/macos.md').text.split('\n## On a Mac\n');
    const asked = Object.values(PERMISSION_NAMES).map((permission) =>
      formatEnglish(message('health.grant_in_settings', { permission, app: 'it' })),
    );
    const words = (['page.health.open_settings', 'page.health.relaunch'] as const).map((code) => `*${formatEnglish(message(code))}*`); // prettier-ignore
    const [open = '', relaunch = ''] = words;
    const places = [open, ...asked, relaunch].map((text) => section.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('the README names the button of the demo as the page does', () => {
    expect(page('README.md').text).toContain(`**${formatEnglish(message('page.setup.demo.run'))}**`);
  });
});

describe('[req:DS-2-13] budgets', () => {
  test('README has 250 lines and 16 kB at most, CHANGELOG 60 lines', () => {
    const [readme, changelog] = [page('README.md').text, page('CHANGELOG.md').text];
    expect(readme.split('\n').length).toBeLessThanOrEqual(250);
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(16_000);
    expect(changelog.split('\n').length).toBeLessThanOrEqual(60);
  });

  test('no sentence has more than 30 words, no paragraph more than 5 lines', () => {
    expect(ALL.flatMap(tooLong)).toEqual([]);
  });

  test('a sentence or paragraph that is too long is found wherever it stands', () => {
    const long = `${'word '.repeat(30)}end.`;
    const faults = (text: string) => tooLong({ path: 'x', text }).length;
    for (const text of [long, `- ${long}`, `| a | ${long} |`, `Short. ${long} Short.`, `1. **Bold.** ${long}`])
      expect(faults(text), text).toBe(1);
    for (const text of [`\`${long}\``, '```text\n' + long + '\n```', `${long.replace(' word', '. Word')}`])
      expect(faults(text), text).toBe(0);
    expect(faults(`${'A short sentence. '.repeat(40)}`)).toBe(1);
    expect(faults('A line.\n'.repeat(6))).toBe(1);
  });

  test('every link resolves, to a heading where it names one', () => {
    const broken = ALL.flatMap((one) =>
      pages
        .localLinks(one)
        .filter((target) => !resolves(one, target))
        .map((target) => `${one.path}: ${target}`),
    );
    expect(broken).toEqual([]);
    for (const target of ['nowhere.md', 'README.md#nowhere', 'docs/none.png'])
      expect(resolves(page('README.md'), target), target).toBe(false);
  });

  test('each picture is there, dark and light', () => {
    const named = ALL.flatMap(pages.localLinks).filter((target) => target.endsWith('.png'));
    expect(named.map((path) => path.replace('docs/', ''))).toEqual(
      ['approval', 'popover', 'evidence'].flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]),
    );
  });
});

const tooLong = (one: pages.Page): string[] =>
  pages.units(one).flatMap((unit) => [
    ...(pages.linesOf(unit) > 5 ? [`${one.path}: paragraph: ${unit}`] : []),
    ...pages
      .sentences(unit)
      .filter((sentence) => pages.words(sentence) > 30)
      .map((sentence) => `${one.path}: ${sentence}`),
  ]);

function resolves(from: pages.Page, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from.path : join(dirname(from.path), file);
  if (!existsSync(join(ROOT, path))) return false;
  return anchor === undefined || pages.anchors(page(path)).includes(anchor);
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
