import { posix } from 'node:path';
import { importsOf } from './imports.js';
import type { Source } from './source.js';

/** Groups of files that import each other, directly or not, for values or types. Each sorted; without `src/`. */
export function cyclesIn(sources: readonly Source[]): string[][] {
  const paths = new Set(sources.map(({ path }) => path));
  const imports = new Map(sources.map((source) => [source.path, targetsOf(source, paths)]));
  const reached = new Map([...paths].map((path) => [path, reachedFrom(path, imports)]));
  const groups = [...paths].map((path) =>
    [...(reached.get(path) ?? [])].filter((other) => reached.get(other)?.has(path)),
  );
  const unique = new Map(
    groups.filter((group) => group.length > 0).map((group) => [group.toSorted().join(' '), group.toSorted()]),
  );
  return [...unique.values()].map((group) => group.map((path) => path.replace(/^src\//, ''))).toSorted();
}

function targetsOf(source: Source, paths: ReadonlySet<string>): string[] {
  return importsOf(source).flatMap(({ name }) => {
    if (name === null || !name.startsWith('.')) return [];
    const path = posix.join(posix.dirname(source.path), name);
    return [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].filter((one) => paths.has(one));
  });
}

function reachedFrom(path: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [...(imports.get(path) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(imports.get(next) ?? []));
  }
  return reached;
}
