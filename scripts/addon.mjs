/** `node scripts/addon.mjs [arm64 | x64]`: builds native-addon/ for macOS with node-gyp. Elsewhere there is nothing to build. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Stop, main, root, runBin } from './lib/run.mjs';

/** Headers that came with this Node; without them node-gyp fetches them from nodejs.org. */
function ownHeaders(node = process.execPath) {
  const prefix = dirname(dirname(node));
  return existsSync(join(prefix, 'include/node/node_api.h')) ? [`--nodedir=${prefix}`] : [];
}

/** node-gyp's arguments. Node-API is the same in Node and Electron, so one build serves both. */
export function gypArguments(arch, node) {
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

if (import.meta.filename === process.argv[1])
  await main(async ([arch]) => {
    if (process.platform !== 'darwin') return console.log('The addon is for macOS; there is nothing to build here.');
    if (!(await buildAddon(arch)))
      throw new Stop('The addon does not build; the lines above say why. It needs `xcode-select --install`.');
  });
