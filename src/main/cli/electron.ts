import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Electron's own program, where it is already on this machine; nothing is downloaded by looking. */
export function electronBinary(env: Readonly<Record<string, string | undefined>> = process.env): string | null {
  const folder = packageFolder();
  if (folder === null) return null;
  const name = nameIn(folder);
  if (name === null) return null;
  const binary = join(env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist'), name);
  return existsSync(binary) ? binary : null;
}

function packageFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

/** Its package writes down where the program lies once it has been fetched. */
function nameIn(folder: string): string | null {
  try {
    return readFileSync(join(folder, 'path.txt'), 'utf8').trim();
  } catch {
    return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
  }
}
