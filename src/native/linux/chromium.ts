/** Programs built on Chromium: browsers by their names, Electron and similar by files in the program's folder. */
import { access, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

const BROWSERS = /^(chromium|chromium-browser|google-chrome.*|chrome|brave.*|microsoft-edge.*|msedge|vivaldi.*|opera)$/;
const MARKER_FILES = ['chrome_100_percent.pak', 'resources/app.asar', 'resources/default_app.asar'];

/** With this switch their pages are accessible from the start. */
export const ACCESSIBLE_PAGES = '--force-renderer-accessibility';

export async function isChromium(program: string, path = ''): Promise<boolean> {
  if (BROWSERS.test(basename(program))) return true;
  const file = await fileOf(program, path);
  if (file === null) return false;
  const folder = dirname(file);
  // A launcher in `bin` belongs to the program in the folder above.
  const folders = basename(folder) === 'bin' && folder.split('/').length > 3 ? [folder, dirname(folder)] : [folder];
  const marks = folders.flatMap((one) => MARKER_FILES.map((mark) => join(one, mark)));
  return (await Promise.all(marks.map(exists))).includes(true);
}

async function fileOf(program: string, path: string): Promise<string | null> {
  const places = program.includes('/') ? [program] : path.split(delimiter).map((folder) => join(folder, program));
  for (const place of places) {
    const real = await realpath(place).catch(() => null);
    if (real !== null) return real;
  }
  return null;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
