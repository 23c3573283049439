/** `node scripts/addon.mjs [arm64 | x64]`: builds native-addon/ for macOS with node-gyp. Elsewhere there is nothing to build. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Stop, main, root, run, runBin } from './lib/run.mjs';
import { readStamp, stampOf, writeStamp } from './lib/sources.mjs';

const SOURCES = ['addon.mm', 'request.mm', 'service.mm', 'service.h'].map((name) => `native-addon/${name}`);

/** Headers that came with this Node; without them node-gyp fetches them from nodejs.org. */
function ownHeaders(node = process.execPath) {
  const prefix = dirname(dirname(node));
  return existsSync(join(prefix, 'include/node/node_api.h')) ? [`--nodedir=${prefix}`] : [];
}

/** node-gyp's arguments. Node-API is the same in Node and Electron, so one build serves both. */
function gypArguments(arch, node) {
  return ['rebuild', '--directory', 'native-addon', `--arch=${arch}`, ...ownHeaders(node)];
}

/** True when it was built. */
export async function buildAddon(arch = process.arch, { platform = process.platform, exec = runBin } = {}) {
  if (platform !== 'darwin') return false;
  const { code } = await exec('node-gyp/bin/node-gyp.js', gypArguments(arch));
  const built = join(root, 'native-addon/build/Release/desktop_bridge.node');
  if (code !== 0 || !existsSync(built)) return false;
  const folder = join(root, 'dist/native-addon', `darwin-${arch}`);
  mkdirSync(folder, { recursive: true });
  cpSync(built, join(folder, 'desktop_bridge.node'));
  return true;
}

/**
 * For a clone: builds it where it is stale and Apple's compiler is there. Resolves with what there is to say, or null. Nothing needs
 * it but the bridge service.
 */
export async function ensureAddon({
  platform = process.platform,
  arch = process.arch,
  exec = run,
  build = buildAddon,
} = {}) {
  if (platform !== 'darwin') return null;
  const stampFile = join(root, 'dist', `.addon-${arch}.stamp`);
  const stamp = stampOf(root, ['native-addon/binding.gyp', ...SOURCES]);
  const built = join(root, 'dist/native-addon', `darwin-${arch}`, 'desktop_bridge.node');
  if (readStamp(stampFile) === stamp && existsSync(built)) return null;
  if ((await exec('xcode-select', ['-p'], { capture: true })).code !== 0)
    return 'The bridge service needs Xcode’s command line tools: xcode-select --install. Everything else works without it.';
  console.log('building the addon of the bridge service …');
  if (!(await build(arch)))
    return 'The addon of the bridge service does not build; the lines above say why. Everything else works without it.';
  writeStamp(stampFile, stamp);
  return null;
}

if (import.meta.filename === process.argv[1])
  await main(async ([arch]) => {
    if (process.platform !== 'darwin') return console.log('The addon is for macOS; there is nothing to build here.');
    if (!(await buildAddon(arch)))
      throw new Stop('The addon does not build; the lines above say why. It needs `xcode-select --install`.');
  });
