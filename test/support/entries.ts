/** Browsers as installed applications, as they have to be started here: as root they start only without their sandbox. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Entries {
  folder: string;
  /** For `XDG_DATA_DIRS` of this process, which private desktops take over. */
  dataDirs: string;
  add(id: string, name: string, exec: string): Promise<void>;
  close(): Promise<void>;
}

export const CHROMIUM = '/usr/bin/chromium --no-sandbox --no-first-run --disable-gpu';

export async function openEntries(): Promise<Entries> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-entries-')));
  await mkdir(join(folder, 'applications'));
  const add: Entries['add'] = (id, name, exec) =>
    writeFile(join(folder, 'applications', `${id}.desktop`), `[Desktop Entry]\nType=Application\nName=${name}\nExec=${exec}\n`); // prettier-ignore
  await add('chromium', 'Chromium', `${CHROMIUM} %U`);
  return {
    folder,
    dataDirs: `${folder}:/usr/local/share:/usr/share`,
    add,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
