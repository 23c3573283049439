/** Why a process shows no elements at all, and whether it may yet. */
import { readFile, readlink, access, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { errno } from '../../base/type-guards.js';
import { parseProcessStat } from '../../base/process-stat.js';
import { message, type Message } from '../../messages/index.js';
import { DesktopError } from '../desktop.js';

/** Files of toolkits that can speak AT-SPI, and of programs that bring their own. */
const SPEAKERS =
  /^(libatk|libatspi|libgtk|libQt\d|libxul|libvcl|libjvm|libflutter|libcef|chrom|electron|firefox|thunderbird|soffice)/;

/**
 * `no_toolkit` in its details: the process has loaded nothing that could show elements, so waiting for them is in vain. `ended`: there
 * is no such process any more.
 */
export async function missingElementsError(pid: number): Promise<DesktopError> {
  if (await hasEnded(pid)) return new DesktopError('not_found', message('native.process_ended', { pid }), ENDED);
  const [why, speaks] = await Promise.all([explain(pid), hasToolkit(pid)]);
  return new DesktopError('not_found', why, speaks ? {} : { reason: 'no_toolkit' });
}

const ENDED = {
  reason: 'ended',
  next: 'Open it again with open_application; what was not saved may be lost, and it may ask to restore it.',
};

async function hasEnded(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch((thrown: unknown) => {
    const why = errno(thrown);
    return why === 'ENOENT' || why === 'ESRCH' ? null : '';
  });
  return stat === null || parseProcessStat(stat)?.ending === true;
}

async function explain(pid: number): Promise<Message> {
  const executable = await readlink(`/proc/${pid}/exe`).catch(() => '');
  if (executable !== '' && (await isChromium(executable)))
    return message('native.chromium_no_elements', { pid, program: basename(executable) });
  return message('native.no_elements', { pid });
}

/** True also where its files cannot be read. */
async function hasToolkit(pid: number): Promise<boolean> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '');
  const files = maps.split('\n').flatMap((line) => (line.includes('/') ? [basename(line)] : []));
  return files.length === 0 || files.some((file) => SPEAKERS.test(file));
}

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
