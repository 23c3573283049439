/** Scripts and benchmarks import modules of the build by their paths; no compiler tells when one of these moves. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = ['scripts', 'bench'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name)),
);
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const sourceOf = (module: string) => join(root, `src/${module}.ts`);

test('every module of the build that a script names has its source', () => {
  const named = files.flatMap((file) =>
    [...textOf(file).matchAll(/['"/]dist\/((?:main|native|base|messages)\/[\w/-]+)\.js'/g)].map(([, module = '']) => ({
      file,
      module,
    })),
  );
  expect(named.length).toBeGreaterThan(20);
  // Made by bundling, from no file of its own.
  const gone = named.filter(({ module }) => !module.startsWith('main/bundled/') && !existsSync(sourceOf(module)));
  expect(gone).toEqual([]);
});

const IMPORTED = /(?:import|const) \{([^}]+)\}(?: from| = await import\()\s*\(?['"](?:\.\.\/)+dist\/([\w/-]+)\.js['"]/g;

test('and exports what the script takes from it', async () => {
  const taken = files.flatMap((file) =>
    [...textOf(file).matchAll(IMPORTED)].map(([, names = '', module = '']) => ({
      file,
      module,
      names: names.split(',').flatMap((name) => name.trim().split(' as ')[0] || []),
    })),
  );
  expect(taken.length).toBeGreaterThan(15);
  const lacking = await Promise.all(
    taken.map(async ({ file, module, names }) => {
      const exported = (await import(pathToFileURL(sourceOf(module)).href)) as Record<string, unknown>;
      return names.filter((name) => !(name in exported)).map((name) => `${file}: ${module} has no ${name}`);
    }),
  );
  expect(lacking.flat()).toEqual([]);
});
