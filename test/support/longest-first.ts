import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Time that files take for their size, against other files of the same size. The first that fits counts. */
const COSTS: readonly (readonly [RegExp, number])[] = [
  // A few lines that run a whole suite.
  [/\/contract\/(?:linux|wayland|gnome)\.test/, 100],
  // Real applications, browsers, hosts and commands.
  [/\/(?:contract|e2e|adversary|native\/linux|packaging|faults|cli|shim)\/|\.page\.test/, 5],
];

/** Files that probably take longest start first, so that no worker is left with one of them at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => costOf(other) - costOf(one));
  }
}

function costOf({ moduleId }: TestSpecification): number {
  const [, factor] = COSTS.find(([fits]) => fits.test(moduleId)) ?? [null, 1];
  return factor * statSync(moduleId).size;
}
