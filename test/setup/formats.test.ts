import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import fc from 'fast-check';
import { parse as parseYaml } from 'yaml';
import { describe, expect, it } from 'vitest';
import { withoutPath, type Format } from '../../src/main/setup/edit.js';
import { JSONC } from '../../src/main/setup/jsonc.js';
import { TOML } from '../../src/main/setup/toml.js';
import { YAML } from '../../src/main/setup/yaml.js';
import { jsonc, missingLines, toml, yaml } from './documents.js';

const ENTRY = { command: '/opt/node', args: ['/a b/"c".js', 'mcp'], timeout: 1_800_000, on: true };
const FORMATS: [string, Format, string[], fc.Arbitrary<string>, (text: string) => unknown][] = [
  ['JSON', JSONC, ['mcpServers', 'chaperone'], jsonc(['mcpServers']), (text) => (text.trim() === '' ? {} : parseJson(text))],
  ['TOML', TOML, ['mcp_servers', 'chaperone'], toml('mcp_servers'), (text) => parseToml(text)],
  ['YAML', YAML, ['extensions', 'chaperone'], yaml('extensions'), (text) => parseYaml(text) ?? {}],
]; // prettier-ignore

describe.each(FORMATS)('[req:AP-S-2] any %s', (name, format, path, documents, parse) => {
  it('keeps all else as it is when the entry is added, changed and taken away', () => {
    fc.assert(
      fc.property(documents, (before) => {
        const added = format.write(before, path, ENTRY);
        expect(format.read(added, path)).toEqual(ENTRY);
        expect(withoutPath(parse(added), path)).toEqual(withoutPath(parse(before), path));
        const changed = format.write(added, path, { ...ENTRY, command: '/other', more: 'x' });
        expect(format.read(changed, path)).toEqual({ ...ENTRY, command: '/other', more: 'x' });
        const left = format.remove(changed, path);
        expect(withoutPath(parse(left), path)).toEqual(withoutPath(parse(before), path));
        expect(format.read(left, path)).toBeUndefined();
        if (name !== 'JSON') expect(missingLines(before, added)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('is the same text when it is there already', () => {
    fc.assert(
      fc.property(documents, (before) => {
        const added = format.write(before, path, ENTRY);
        expect(format.write(added, path, ENTRY)).toBe(added);
        expect(format.remove(before, path)).toBe(before);
      }),
    );
  });

  it('has every character of its comments and values afterwards, in their order', () => {
    fc.assert(
      fc.property(documents, (before) => {
        const after = format.remove(format.write(before, path, ENTRY), path);
        expect(bareOf(after)).toBe(bareOf(before));
      }),
      { numRuns: 300 },
    );
  });
});

/** Space and commas aside, and an empty object that was made for the entry. */
function bareOf(text: string): string {
  const bare = text.replaceAll(/[\s,]+/g, '').replaceAll(/"mcpServers":\{\}|extensions:\{\}/g, '');
  return bare === '{}' ? '' : bare;
}
