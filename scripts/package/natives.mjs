import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages whose code depends on system and processor; each names its variants as optional dependencies. */
const OWNERS = ['koffi', 'sharp'];

function entries(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/** The variants one package for `platform` and `arch` needs, as name → version, by the lock file. */
export function nativePackages(root, platform, arch) {
  const locked = entries(join(root, 'package-lock.json'));
  const needed = new Map();
  for (const owner of OWNERS) {
    for (const name of Object.keys(locked[`node_modules/${owner}`]?.optionalDependencies ?? {})) {
      const { os, cpu, libc, version } = locked[`node_modules/${name}`] ?? {};
      if (os?.includes(platform) && cpu?.includes(arch) && !libc?.includes('musl')) needed.set(name, version);
    }
  }
  return needed;
}

/** Those that are not installed, as npm wants to hear them. */
export function missingNatives(root, platform, arch) {
  const present = entries(join(root, 'node_modules/.package-lock.json'));
  return [...nativePackages(root, platform, arch)]
    .filter(([name, version]) => present[`node_modules/${name}`]?.version !== version)
    .map(([name, version]) => `${name}@${version}`);
}
