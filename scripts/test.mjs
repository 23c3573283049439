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

/** In the time that the tests beside them leave. Resolves with the names and outputs of those that failed. */
async function check() {
  const failed = [];
  for (const [name, args] of CHECKS) {
    const { code, output } = await run('npm', args, { capture: true, low: true });
    if (code !== 0) failed.push({ name, output });
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

/**
 * In continuous integration, after all tests have passed: tries a tenth of the known faults, a different one each day. Resolves with
 * the number that no test noticed.
 */
async function undetected() {
  if (process.env.CI === undefined) return 0;
  return (await survivors(['--part', `${Math.floor(Date.now() / DAY_MS) % 10}/10`], { passed: true })).length;
}

await main(async (args) => {
  await setup({ test: true });
  const [unclean, { code, counts, unproven }] = await Promise.all([check(), runTests(args)]);
  if (unproven.length > 0) console.error(`Requirements whose every test was skipped: ${unproven.join(', ')}`);
  if (args.length === 0 && verdict(counts, code) === 0) counts.failed += await undetected();
  counts.failed += unclean.length + unproven.length;
  for (const { name, output } of unclean)
    console.error(`${output}The check of ${name} failed: run \`npm run ${name === 'style' ? 'lint' : 'typecheck'}\`.`);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return verdict(counts, code);
});
