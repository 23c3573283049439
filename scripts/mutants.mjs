/**
 * `npm run mutants [-- NAME …] [-- --part N/M]`: puts known faults into the program, each for the test that must notice it, and
 * fails where one survives: that test passed all the same. The list is in mutants/list.mjs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stop, main, root } from './lib/run.mjs';
import { MUTANTS } from './mutants/list.mjs';

export function mutated(source, { name, file, from, to }) {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Stop(`${name}: “${from}” stands ${parts.length - 1} times in ${file}, not once.`);
  return parts.join(to);
}

/** This machine cannot run the test of the fault: it lacks namespaces, for example. */
const isSkipped = ({ failed, passed, skipped }) => failed.length + passed.length === 0 && skipped.length > 0;

/** Throws where a test fails, or is not there, without any fault. */
function assertNoneFails(mutants, results) {
  mutants.forEach(({ test, fails }, index) => {
    const { failed, passed, errors } = results[index];
    if (failed.length > 0)
      throw new Stop([`${test} fails without any fault: ${failed.join(' | ')}`, ...errors].join('\n'));
    if (passed.length === 0 && !isSkipped(results[index]))
      throw new Stop([`${test} has no test “${fails}”, or did not start:`, ...errors].join('\n'));
  });
}

function report({ name, test }, result) {
  if (isSkipped(result)) return console.log(`skipped   ${name}: this machine cannot run its test`);
  const { failed, passed, errors } = result;
  if (failed.length + passed.length === 0) throw new Stop(`${test} did not run with ${name}:\n${errors.join('\n')}`);
  console.log(`${failed.length > 0 ? 'killed  ' : 'SURVIVED'}  ${name}`);
}

function chosen(args) {
  const part = args.indexOf('--part') < 0 ? null : /^(\d+)\/(\d+)$/.exec(args[args.indexOf('--part') + 1] ?? '');
  if (part !== null) return MUTANTS.filter((_, index) => index % Number(part[2]) === Number(part[1]) % Number(part[2]));
  const unknown = args.filter((name) => MUTANTS.every((mutant) => mutant.name !== name));
  if (unknown.length > 0) throw new Stop(`There is no mutant ${unknown.join(', ')}; see scripts/mutants/list.mjs.`);
  return args.length === 0 ? MUTANTS : MUTANTS.filter(({ name }) => args.includes(name));
}

/** Resolves with the names of the faults that no test noticed. With `passed`, the tests are known to pass without a fault. */
export async function survivors(args, { passed = false } = {}) {
  const mutants = chosen(args);
  for (const mutant of mutants) mutated(readFileSync(join(root, mutant.file), 'utf8'), mutant);
  const { runFaults } = await import('./mutants/run.mjs');
  if (!passed) assertNoneFails(mutants, await runFaults(mutants, (_, source) => source));
  const fault = (mutant, source) => mutated(source, mutant);
  const results = await runFaults(mutants, fault);
  // A worker that did not start says nothing about the fault.
  for (const [index, result] of results.entries())
    if (result.failed.length + result.passed.length === 0 && !isSkipped(result))
      [results[index]] = await runFaults([mutants[index]], fault);
  mutants.forEach((mutant, index) => report(mutant, results[index]));
  const tried = mutants.filter((_, index) => !isSkipped(results[index]));
  const survived = mutants.filter((_, index) => results[index].passed.length > 0 && results[index].failed.length === 0);
  console.log(`${tried.length - survived.length} of ${tried.length} faults noticed`);
  return survived.map(({ name }) => name);
}

if (import.meta.filename === process.argv[1])
  await main(async (args) => ((await survivors(args)).length === 0 ? 0 : 1));
