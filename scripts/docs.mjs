/** `npm run docs`: writes the generated files: the parameters of the English messages as a module, the names of keys, and docs/reference with the tables of docs/clients.md from the built action tables. `--check` writes nothing and exits with 1 when one is stale. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { keyNames } from './docs/key-names.mjs';
import { replaceSections } from './docs/markers.mjs';
import { referencePages } from './docs/reference.mjs';
import { sections } from './docs/tables.mjs';
import { Stop, main, root } from './lib/run.mjs';
import { parametersModule } from './messages/parameters.mjs';

async function product() {
  await build();
  const [
    { allTools },
    { bridgeActions },
    { describeTool },
    { publish },
    { CLIENT_LIMITS },
    { createProgram },
    { ERRORS },
    { registration },
    { formatEnglish },
  ] = await Promise.all([
    import('../dist/main/tools/index.js'),
    import('../dist/main/bridge/index.js'),
    import('../dist/main/calls/descriptors.js'),
    import('../dist/main/mcp/backend.js'),
    import('../dist/main/mcp/limits.js'),
    import('../dist/main/cli/program.js'),
    import('../dist/main/protocol/errors.js'),
    import('../dist/main/setup/index.js'),
    import('../dist/messages/index.js'),
  ]);
  const tools = { allTools, bridgeActions, describeTool, publish };
  return { ...tools, createProgram, ERRORS, registration, formatEnglish, CLIENT_LIMITS };
}

const generated = [
  {
    path: 'src/messages/parameters.ts',
    make: () => parametersModule(JSON.parse(readFileSync(join(root, 'src/messages/en.json'), 'utf8'))),
  },
  { path: 'src/main/desktop/key-names.json', make: keyNames },
];

/** What is made from the built product. */
async function pages() {
  const built = await product();
  const reference = [...referencePages(built)].map(([path, text]) => ({ path, make: () => text }));
  return [{ path: 'docs/clients.md', make: (before) => replaceSections(before, sections(built)) }, ...reference];
}

await main(async (args) => {
  // The product is built of the first.
  for (const one of generated) await write(one, args);
  for (const one of await pages()) await write(one, args);
});

async function write({ path, make }, args) {
  const file = join(root, path);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const after = await make(before);
  if (after === before) return;
  if (args.includes('--check')) throw new Stop(`${path} is stale. Run \`npm run docs\` and commit what it writes.`);
  writeFileSync(file, after);
}
