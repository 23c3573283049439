/**
 * What only a Mac can build, where a package for macOS looks for it: for the whole run, because other packages are made from the same
 * folder beside it.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BUILT = join(import.meta.dirname, '../../dist/native-addon');

export function setup(): (() => void) | undefined {
  if (existsSync(BUILT)) return undefined;
  for (const arch of ['arm64', 'x64']) {
    mkdirSync(join(BUILT, `darwin-${arch}`), { recursive: true });
    for (const name of ['desktop_bridge.node', 'permissions.node'])
      writeFileSync(join(BUILT, `darwin-${arch}`, name), arch);
  }
  return () => rmSync(BUILT, { recursive: true, force: true });
}
