/**
 * `npm run mutants [-- NAME …] [-- --part N/M]`: applies one known fault after another to a copy of the sources and runs the test
 * that must fail. The run fails where a fault survives: no test noticed it. The list is in mutants/list.mjs.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stop, main, root, run } from './lib/run.mjs';
import { MUTANTS } from './mutants/list.mjs';

const COPIED = ['src', 'test', 'scripts', 'package.json', 'vitest.config.ts', 'vite.config.ts', 'tsconfig.json', 'tsconfig.base.json', 'tsconfig.main.json', 'tsconfig.test.json']; // prettier-ignore
const LINKED = ['node_modules', 'dist'];

/** Copies the sources to a folder where they can be changed. */
function copySources() {
  const folder = mkdtempSync(join(tmpdir(), 'chaperone-mutants-'));
  for (const name of COPIED) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(root, name), join(folder, name));
  return folder;
}

/** Full names of the tests of `file` that failed; throws where none could run. */
async function failingTests(folder, file) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const args = ['run', '--maxWorkers=1', '--config', 'scripts/mutants/vitest.config.ts', '--reporter=json', `--outputFile=${report}`, file]; // prettier-ignore
  const { output } = await run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: folder,
    capture: true,
  });
  try {
    const tests = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap((each) => each.assertionResults);
    if (tests.length === 0) throw new Error('no test ran');
    return tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  } catch {
    throw new Stop(`${file} did not run:\n${output.slice(-4_000)}`);
  }
}

export function mutated(source, { name, file, from, to }) {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Stop(`${name}: “${from}” stands ${parts.length - 1} times in ${file}, not once.`);
  return parts.join(to);
}

/** True when the named test failed with the fault in place. */
async function isKilled(folder, mutant) {
  const path = join(folder, mutant.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, mutated(source, mutant));
  try {
    const failed = await failingTests(folder, mutant.test);
    const killed = failed.some((title) => title.includes(mutant.fails));
    console.log(`${killed ? 'killed  ' : 'SURVIVED'}  ${mutant.name}`);
    if (!killed && failed.length > 0) console.log(`  other tests failed: ${failed.join(' | ')}`);
    return killed;
  } finally {
    writeFileSync(path, source);
  }
}

function chosen(args) {
  const part = args.indexOf('--part') < 0 ? null : /^(\d+)\/(\d+)$/.exec(args[args.indexOf('--part') + 1] ?? '');
  if (part !== null) return MUTANTS.filter((_, index) => index % Number(part[2]) === Number(part[1]) % Number(part[2]));
  const unknown = args.filter((name) => MUTANTS.every((mutant) => mutant.name !== name));
  if (unknown.length > 0) throw new Stop(`There is no mutant ${unknown.join(', ')}; see scripts/mutants/list.mjs.`);
  return args.length === 0 ? MUTANTS : MUTANTS.filter(({ name }) => args.includes(name));
}

/** Resolves with the names of the faults that no test noticed. */
export async function survivors(args) {
  const mutants = chosen(args);
  for (const mutant of mutants) mutated(readFileSync(join(root, mutant.file), 'utf8'), mutant);
  const folder = copySources();
  try {
    for (const file of new Set(mutants.map(({ test }) => test))) {
      const failed = await failingTests(folder, file);
      if (failed.length > 0) throw new Stop(`${file} fails without any fault: ${failed.join(' | ')}`);
    }
    const survived = [];
    for (const mutant of mutants) if (!(await isKilled(folder, mutant))) survived.push(mutant.name);
    console.log(`${mutants.length - survived.length} of ${mutants.length} faults noticed`);
    return survived;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.filename === process.argv[1])
  await main(async (args) => ((await survivors(args)).length === 0 ? 0 : 1));
