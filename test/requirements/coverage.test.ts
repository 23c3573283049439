import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citationsIn } from './citations.js';
import { allTools } from '../../src/main/tools/index.js';
import type { Tool } from '../../src/main/tools/tool.js';
import { REQUIREMENTS } from './index.js';
import type { OwedBy } from './requirement.js';

const script = new URL('../../scripts/docs/tools.mjs', import.meta.url).href;
const { toolsOf } = (await import(script)) as { toolsOf(tables: typeof allTools): Tool[] };

/** Pieces of work that are done: all but Windows, which Chaperone does not run on. */
const OWED = new Set<OwedBy>(['main-job', 'tools', 'app', 'gabp', 'macos']);
const TESTS = join(import.meta.dirname, '..');

async function citations(): Promise<Map<string, string[]>> {
  const files = await readdir(TESTS, { recursive: true });
  const cited = new Map<string, string[]>();
  for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
    for (const id of citationsIn(await readFile(join(TESTS, file), 'utf8'), file))
      cited.set(id, [...(cited.get(id) ?? []), file]);
  }
  return cited;
}

describe('[req:DS-12-1] requirements', () => {
  it('have ids of their own', () => {
    const ids = REQUIREMENTS.map((each) => each.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('are all cited by a test, where a piece of work that is done owes them', async () => {
    const cited = await citations();
    const owed = REQUIREMENTS.filter((each) => OWED.has(each.owedBy));
    const missing = owed
      .filter((each) => !cited.has(each.id))
      .map((each) => `${each.id}  ${each.source}  ${each.text}`);
    if (missing.length > 0)
      throw new Error(`${missing.length} of ${owed.length} owed requirements have no test:\n${missing.join('\n')}`);
  });

  it('have a row for each tool, and no row for none', () => {
    const rows = REQUIREMENTS.flatMap(({ id }) => (id.startsWith('MT-T-') ? [id.replace('MT-T-', '')] : []));
    expect(rows.toSorted()).toEqual(
      toolsOf(allTools)
        .map(({ action }) => action.name)
        .toSorted(),
    );
  });

  it('exist, where a test cites them', async () => {
    const known = new Set(REQUIREMENTS.map((each) => each.id));
    const unknown = [...(await citations())]
      .filter(([id]) => !known.has(id))
      .map(([id, files]) => `${id} in ${files.join(', ')}`);
    expect(unknown).toEqual([]);
  });
});

describe('citations', () => {
  it('are read from titles of tests, several in one too', () => {
    const source = `describe('[req:A-1] [req:B-2.3-4] x', () => { it(\`[req:C-1] \${name}\`, run); it.each([1])('[req:D-1]', run); })`;
    expect(citationsIn(source, 'x.test.ts')).toEqual(['A-1', 'B-2.3-4', 'C-1', 'D-1']);
  });

  it('are not read from comments, other strings, skipped or empty tests', () => {
    const source = [
      '// [req:A-1]',
      "const title = '[req:B-1]';",
      "it.skip('[req:C-1]', run);",
      "it.todo('[req:D-1]');",
      "it('[req:E-1]');",
      "describe.skip('x', () => { it('[req:F-1]', run); });",
    ].join('\n');
    expect(citationsIn(source, 'x.test.ts')).toEqual([]);
  });
});
