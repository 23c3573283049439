import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

/** Loads packages that electron-builder and electron depend on, in their versions. */
const library = createRequire(createRequire(require.resolve('electron-builder')).resolve('app-builder-lib'));
const electron = createRequire(require.resolve('electron/package.json'));

export const fromBuilder = (name) => library(name);
export const fromElectron = (name) => import(pathToFileURL(electron.resolve(name)).href);

export const BUILDER = { darwin: '--mac', linux: '--linux' };

/** A development identity has no team, but the hardened runtime's library validation needs one. */
const DEVELOPMENT = ['-c.mac.hardenedRuntime=false', '-c.mac.notarize=false'];
/** Without any signature Apple's processors end a program whose fuses were changed before it runs. */
const AD_HOC = '-c.mac.identity=-';

/** electron-builder's arguments. */
export const builderArgs = ({ platform, arch, dir, unsigned, channel }, electronDist) => [
  BUILDER[platform],
  ...(dir ? ['dir'] : []),
  `--${arch}`,
  '--publish=never',
  `-c.electronDist=${electronDist}`,
  ...channel,
  ...(platform !== 'darwin' ? [] : dir ? DEVELOPMENT : ['-c.forceCodeSigning=true']),
  ...(unsigned && platform === 'darwin' ? [AD_HOC] : []),
];
