/**
 * `npm run clients [-- FOLDER]`: tries the real Claude Code and Codex programs against a scripted local model, without an account. They are
 * installed from the npm registry (about 640 MB) into FOLDER, else into a temporary one that is removed. Fails where a test was skipped.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Stop, main, run, runBin } from './lib/run.mjs';
import { setup } from './setup.mjs';

const PACKAGES = ['@anthropic-ai/claude-code', '@openai/codex'];
const PROGRAMS = ['claude', 'codex'];

const has = (folder) => PROGRAMS.every((name) => existsSync(join(folder, 'node_modules/.bin', name)));

async function install(folder) {
  mkdirSync(folder, { recursive: true });
  if (has(folder)) return;
  console.log(`installing ${PACKAGES.join(' and ')} into ${folder} …`);
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES];
  const { code } = await run('npm', args);
  if (code !== 0 || !has(folder)) throw new Stop('The clients could not be installed; the lines above say why.');
}

async function versions(folder) {
  for (const name of PROGRAMS) {
    const { code, output } = await run(join(folder, 'node_modules/.bin', name), ['--version'], { capture: true });
    if (code !== 0) throw new Stop(`${name} does not start:\n${output}`);
    console.log(`${name}: ${output.trim()}`);
  }
}

await main(async ([given]) => {
  await setup({ test: true });
  const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'chaperone-clients-')) : resolve(given);
  try {
    await install(folder);
    await versions(folder);
    const env = { ...process.env, CHAPERONE_CLIENTS: folder };
    const args = ['run', '--maxWorkers=1', '--reporter=verbose', 'test/e2e/clients.test.ts'];
    const { code, output } = await runBin('vitest/vitest.mjs', args, { env, capture: true });
    console.log(output);
    if (code === 0 && /\d+ skipped/.test(output)) throw new Stop('A test was skipped, so this proves nothing.');
    return code;
  } finally {
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
  }
});
