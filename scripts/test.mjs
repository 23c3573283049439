/** `npm test [-- vitest arguments]`: sets up the clone, checks types and style, runs the tests. The last line is `N passed, N failed`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count, unproven, verdict } from './lib/results.mjs';
import { main, run, runBin } from './lib/run.mjs';
import { survivors } from './mutants.mjs';
import { setup } from './setup.mjs';

const CHECKS = [
  ['types', ['run', '--silent', 'typecheck']],
  ['style', ['run', '--silent', 'lint']],
];

/** The names of the checks that failed. They count as failures in the last line. */
async function check() {
  const failed = [];
  for (const [name, args] of CHECKS) {
    const { code } = await run('npm', args);
    if (code !== 0) failed.push(name);
  }
  return failed;
}

/**
 * Counts from vitest's JSON report. A failed test is not run again. Unproven requirements are reported only for a run of all
 * tests.
 */
async function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), 'chaperone-test-'));
  const file = join(folder, 'report.json');
  try {
    const { code } = await runBin('vitest/vitest.mjs', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...args,
    ]);
    const report = readReport(file);
    return { code, counts: count(report), unproven: args.length === 0 ? unproven(report) : [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

const DAY_MS = 86_400_000;

/** In continuous integration: tries a tenth of the known faults, a different one each day. Resolves with the number that no test noticed. */
async function undetected() {
  if (process.env.CI === undefined) return 0;
  return (await survivors(['--part', `${Math.floor(Date.now() / DAY_MS) % 10}/10`])).length;
}

await main(async (args) => {
  await setup({ test: true });
  const unclean = await check();
  const { code, counts, unproven } = await runTests(args);
  if (unproven.length > 0) console.error(`Requirements whose every test was skipped: ${unproven.join(', ')}`);
  counts.failed += unclean.length + unproven.length + (args.length === 0 ? await undetected() : 0);
  for (const name of unclean)
    console.error(`The check of ${name} failed: run \`npm run ${name === 'style' ? 'lint' : 'typecheck'}\`.`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return verdict(counts, code);
});
