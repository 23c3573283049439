import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface AddonPlace {
  platform?: string;
  arch?: string;
  /** Of built addons, one folder for each system and processor. */
  folder?: string;
}

const BUILT = fileURLToPath(new URL('../../native-addon', import.meta.url));

/** The system's loader opens real files only, which are beside the packaged app's archive. */
export function addonFile(
  name: string,
  { platform = process.platform, arch = process.arch, folder = BUILT }: AddonPlace = {},
): string {
  return join(folder.replace(/\.asar(?=[\\/])/, '.asar.unpacked'), `${platform}-${arch}`, name);
}
