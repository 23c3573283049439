import { copyFile, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verifyEvidence } from '../../src/main/evidence/index.js';
import { FIRST_PREVIOUS_HASH, encodeLine, decodeLine } from '../../src/main/evidence/log-lines.js';
import { kinds, recordedAt } from './recorded.js';
import { places } from './support.js';

const place = places();
const recorded = () => recordedAt(place);

describe('[req:DS-8-9] verify finds in the log', () => {
  it('nothing where nothing was done to it', async () => {
    const record = await recorded();
    expect(await record.verify()).toEqual({ ok: true, lines: 9, problems: [], notes: [] });
  });

  it.each<[string, string, (lines: string[]) => string[]]>([
    [
      'an edited value',
      'edited',
      (lines) => lines.map((line, n) => (n === 4 ? line.replace('"Mail"', '"Bank"') : line)),
    ],
    ['an added space', 'edited', (lines) => lines.map((line, n) => (n === 4 ? line.replace(',', ', ') : line))],
    [
      'an edited hash',
      'edited',
      (lines) => lines.map((line, n) => (n === 4 ? line.replace(/"hash":"./, '"hash":"g') : line)),
    ],
    ['a removed line', 'gap', (lines) => lines.filter((_, n) => n !== 4)],
    ['a removed first line', 'gap', (lines) => lines.slice(1)],
    ['a repeated line', 'gap', (lines) => [...lines.slice(0, 5), ...lines.slice(4)]],
    [
      'two lines exchanged',
      'gap',
      (lines) => [...lines.slice(0, 3), lines[4] ?? '', lines[3] ?? '', ...lines.slice(5)],
    ],
    ['a line that is not JSON', 'malformed', (lines) => [...lines.slice(0, 3), 'hello', ...lines.slice(3)]],
    ['an empty line', 'malformed', (lines) => [...lines.slice(0, 3), '', ...lines.slice(3)]],
    ['a cut end', 'truncated', (lines) => lines.slice(0, -1)],
    ['a cut of everything', 'truncated', () => []],
  ])('%s', async (_name, kind, tamper) => {
    const record = await recorded();
    const before = await record.lines();
    const after = tamper(before);
    expect(after).not.toEqual(before);
    await record.rewrite(after);
    const verdict = await record.verify();
    expect(verdict.ok).toBe(false);
    expect(kinds(verdict)).toContain(
      kind === 'edited' && verdict.problems[0]?.kind === 'malformed' ? 'malformed' : kind,
    );
  });

  it('a new chain made from changed entries, because the head names another last line', async () => {
    const record = await recorded();
    await record.rewrite(forge(await record.lines()));
    expect(kinds(await record.verify())).toContain('head');
  });

  it('a log that is gone, and a head that is gone or damaged', async () => {
    const record = await recorded();
    await copyFile(record.head, `${record.head}.kept`);
    for (const content of ['', 'x', '{"v":1,"count":-1}', '{"v":1,"count":9,"hash":"short"}']) {
      await writeFile(record.head, content);
      expect(kinds(await record.verify())).toEqual(['head']);
    }
    await unlink(record.head);
    expect(kinds(await record.verify())).toEqual(['head']);
    await rename(`${record.head}.kept`, record.head);
    expect((await record.verify()).ok).toBe(true);
    await unlink(record.log);
    const verdict = await verifyEvidence({ stateDir: record.stateDir, workspace: record.workspace });
    expect(kinds(verdict)).toEqual(['truncated', 'unrecorded']);
    expect(verdict.lines).toBe(0);
  }, 30_000);

  it('any single byte changed, anywhere', async () => {
    const record = await recorded();
    const bytes = await readFile(record.log);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ by;
        await writeFile(record.log, changed);
        expect((await record.verify()).ok).toBe(false);
      }),
      { numRuns: 15 },
    );
  });

  it('any cut, anywhere', async () => {
    const record = await recorded();
    const bytes = await readFile(record.log);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), async (at) => {
        await writeFile(record.log, bytes.subarray(0, at));
        expect((await record.verify()).ok).toBe(false);
      }),
      { numRuns: 15 },
    );
  });

  it('a link in its place', async () => {
    const record = await recorded();
    await rename(record.log, `${record.log}.moved`);
    await symlink(`${record.log}.moved`, record.log);
    await expect(record.verify()).rejects.toThrow('ELOOP');
  });
});

function forge(lines: readonly string[]): string[] {
  let prev = FIRST_PREVIOUS_HASH;
  return lines.map((line, index) => {
    const entry = JSON.parse(line.replace('"Send"', '"Harmless"'));
    for (const name of ['v', 'seq', 'prev', 'hash']) delete entry[name];
    const sealed = encodeLine(entry, index + 1, prev);
    prev = sealed.hash;
    return sealed.line.trimEnd();
  });
}

describe('a sealed line', () => {
  it('reads back exactly, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, seq) => {
        const { line, hash } = encodeLine(
          { kind: 'x', text, fake: '","hash":"' + 'a'.repeat(64) + '"}' },
          seq,
          FIRST_PREVIOUS_HASH,
        );
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(decodeLine(Buffer.from(line.trimEnd()))).toMatchObject({
          seq,
          prev: FIRST_PREVIOUS_HASH,
          hash,
          intact: true,
          entry: { text: Buffer.from(text).toString() === text ? text : expect.any(String) },
        });
      }),
    );
    expect(decodeLine(Buffer.from('{}'))).toBeNull();
  });

  it('cuts very long strings', () => {
    expect(encodeLine({ text: 'x'.repeat(1e6) }, 1, FIRST_PREVIOUS_HASH).line.length).toBeLessThan(9000);
  });
});
