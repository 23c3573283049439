import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Path of Electron's executable where it is installed, else null. Never downloads it. */
export function electronBinary(): string | null {
  const folder = packageFolder();
  if (folder === null) return null;
  const binary = join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist'), executableName(folder));
  return existsSync(binary) ? binary : null;
}

function packageFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

/** The package stores the executable's path in path.txt after the download. */
function executableName(folder: string): string {
  try {
    return readFileSync(join(folder, 'path.txt'), 'utf8').trim();
  } catch {
    return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
  }
}
