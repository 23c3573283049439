import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages with native code. Each has its variants for systems and processors as optional dependencies. */
const OWNERS = ['koffi', 'libsql', 'sharp'];

function entries(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/** The variants that a package for `platform` and `arch` needs, with versions from the lock file. */
function nativePackages(root, platform, arch) {
  const locked = entries(join(root, 'package-lock.json'));
  const needed = new Map();
  for (const owner of OWNERS) {
    for (const name of Object.keys(locked[`node_modules/${owner}`]?.optionalDependencies ?? {})) {
      const { os, cpu, libc, version } = locked[`node_modules/${name}`] ?? {};
      const isMusl = libc?.includes('musl') || name.endsWith('-musl');
      if (os?.includes(platform) && cpu?.includes(arch) && !isMusl) needed.set(name, version);
    }
  }
  return needed;
}

/** Those that are not installed, as arguments of `npm install`. */
export function missingNatives(root, platform, arch) {
  const present = entries(join(root, 'node_modules/.package-lock.json'));
  return [...nativePackages(root, platform, arch)]
    .filter(([name, version]) => present[`node_modules/${name}`]?.version !== version)
    .map(([name, version]) => `${name}@${version}`);
}
