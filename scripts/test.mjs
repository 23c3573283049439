/** `npm test [-- vitest arguments]`: makes ready, checks types and style, runs the tests. The last line is `N passed, N failed`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count, verdict } from './lib/results.mjs';
import { main, root, run, runBin } from './lib/run.mjs';
import { setup } from './setup.mjs';

const CHECKS = [
  ['types', ['run', '--silent', 'typecheck']],
  ['style', ['run', '--silent', 'lint']],
];

async function check() {
  let bad = 0;
  for (const [name, args] of CHECKS) {
    const { code } = await run('npm', args);
    if (code === 0) continue;
    console.error(`The check of ${name} failed; the lines above say where.`);
    bad += 1;
  }
  return bad;
}

/** Vitest's verdict by its own JSON report: what it printed is for people. Real desktops have races; one second try each, named at the end. */
async function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), 'chaperone-test-'));
  const file = join(folder, 'report.json');
  try {
    const { code } = await runBin('vitest/vitest.mjs', [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      `--reporter=${join(root, 'scripts/lib/second-tries.mjs')}`,
      '--retry=1',
      ...args,
    ]);
    return { code, counts: count(readReport(file)) };
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

await main(async (args) => {
  await setup({ test: true });
  const bad = await check();
  const { code, counts } = await runTests(args);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return bad === 0 ? verdict(counts, code) : 1;
});
