import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Stop } from '../lib/run.mjs';
import { fromElectron } from './builder.mjs';

const require = createRequire(import.meta.url);

/**
 * Electron for the package: the given zip or folder, else the download that Electron's installer uses, checked against the
 * checksums of the npm package.
 */
export async function electronFor({ platform, arch, named, download = downloadArtifact }) {
  if (named !== undefined) {
    const path = resolve(named);
    if (!existsSync(path)) throw new Stop(`--electron-dist names ${path}, which is not there.`);
    return path;
  }
  const { version } = require('electron/package.json');
  try {
    const checksums = require('electron/checksums.json');
    return await download({ version, platform, arch, artifactName: 'electron', checksums });
  } catch (error) {
    throw new Stop(
      [
        `Electron ${version} for ${platform}-${arch} is not here and could not be fetched: ${reasons(error)}.`,
        'Packages are made around its own program, which comes from github.com, not from npm. Either',
        '  run this where github.com can be reached,',
        '  or set ELECTRON_MIRROR to a mirror of its releases,',
        `  or bring electron-v${version}-${platform}-${arch}.zip and pass --electron-dist <zip or folder>.`,
      ].join('\n'),
    );
  }
}

async function downloadArtifact(options) {
  const get = await fromElectron('@electron/get');
  return get.downloadArtifact(options);
}

function reasons(error) {
  const cause = error?.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error instanceof Error ? error.message : String(error)}${cause}`;
}
