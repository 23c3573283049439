// Writes src/main/pipeline/consequence/confusables.json: characters that look like Latin letters or digits, by what they look like.
// Source: confusables.txt of Unicode's UTS #39, as the npm package unhomoglyph 1.0.6 holds it. Characters that compatibility
// folding or dropping marks handles are left out.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = 'unhomoglyph@1.0.6';
const TARGET = new URL('../src/main/pipeline/consequence/confusables.json', import.meta.url);

const folder = mkdtempSync(join(tmpdir(), 'confusables-'));
try {
  execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', PACKAGE], { stdio: 'ignore' });
  const table = JSON.parse(readFileSync(join(folder, 'node_modules/unhomoglyph/data.json'), 'utf8'));
  const plain = (text) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const alike = {};
  for (const [character, prototype] of Object.entries(table)) {
    const like = plain(prototype);
    if (!/^[a-z0-9]+$/i.test(like) || plain(character) === like || /^[a-z]$/i.test(character)) continue;
    alike[like] = (alike[like] ?? '') + character;
  }
  const sorted = Object.fromEntries(Object.entries(alike).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(TARGET, `${JSON.stringify(sorted, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
