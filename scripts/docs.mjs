/** `npm run docs`: writes the README's tables anew from the built action tables. `--check` writes nothing and ends with 1 when they are stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { rewritten } from './docs/markers.mjs';
import { sections } from './docs/tables.mjs';
import { Stop, main, root } from './lib/run.mjs';

const README = join(root, 'README.md');

async function product() {
  await build();
  const [{ allTools }, { bridgeActions }, { publish }, { createProgram }, { ERRORS }, { registration }] =
    await Promise.all([
      import('../dist/main/tools/index.js'),
      import('../dist/main/bridge/index.js'),
      import('../dist/main/shim/descriptors.js'),
      import('../dist/main/cli/program.js'),
      import('../dist/main/protocol/errors.js'),
      import('../dist/main/cli/setup.js'),
    ]);
  return { allTools, bridgeActions, publish, createProgram, ERRORS, registration };
}

await main(async (args) => {
  const before = readFileSync(README, 'utf8');
  const after = rewritten(before, sections(await product()));
  if (after === before) return;
  if (args.includes('--check')) throw new Stop('README.md is stale. Run `npm run docs` and commit what it writes.');
  writeFileSync(README, after);
});
