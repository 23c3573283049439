/**
 * `npm run clients [-- FOLDER] [--if-available]`: tries the real Claude Code and Codex programs against a scripted local model, without an
 * account. They are installed from the npm registry (about 640 MB) into FOLDER, else into a temporary one that is removed; what FOLDER
 * has already is tried as it is. Takes about three minutes, for the person in it answers after two. Fails where a test was skipped, and
 * where they cannot be installed or do not start, unless `--if-available` is given.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Stop, main, run, runBin } from './lib/run.mjs';
import { setup } from './setup.mjs';

const PACKAGES = ['@anthropic-ai/claude-code@2.1.330', '@openai/codex@0.169.0'];
const PROGRAMS = ['claude', 'codex'];
const TESTS = ['test/e2e/clients.test.ts', 'test/e2e/coding-agents.test.ts'];
const OPTIONAL = '--if-available';

const has = (folder) => PROGRAMS.every((name) => existsSync(join(folder, 'node_modules/.bin', name)));

async function install(folder) {
  mkdirSync(folder, { recursive: true });
  if (has(folder)) return true;
  console.log(`installing ${PACKAGES.join(' and ')} into ${folder} …`);
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES];
  const { code } = await run('npm', args);
  return code === 0 && has(folder);
}

/** Prints the versions. False where one does not start. */
async function starts(folder) {
  for (const name of PROGRAMS) {
    const { code, output } = await run(join(folder, 'node_modules/.bin', name), ['--version'], { capture: true });
    console.log(`${name}: ${output.trim()}`);
    if (code !== 0) return false;
  }
  return true;
}

async function tryClients(folder) {
  await setup({ test: true });
  const env = { ...process.env, CHAPERONE_CLIENTS: folder };
  const args = ['run', '--maxWorkers=1', '--reporter=verbose', ...TESTS];
  const { code, output } = await runBin('vitest/vitest.mjs', args, { env, capture: true });
  console.log(output);
  if (code === 0 && /\d+ skipped/.test(output)) throw new Stop('A test was skipped, so this proves nothing.');
  return code;
}

await main(async (args) => {
  const given = args.find((arg) => arg !== OPTIONAL);
  const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'chaperone-clients-')) : resolve(given);
  try {
    if ((await install(folder)) && (await starts(folder))) return await tryClients(folder);
    const why = 'They could not be installed or started; the lines above say why.';
    if (!args.includes(OPTIONAL)) throw new Stop(why);
    console.log(`The real coding agents were not tried. ${why}`);
    return 0;
  } finally {
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
  }
});
