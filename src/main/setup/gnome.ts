/**
 * Chaperone's extension in GNOME Shell. Comes in: the person's folders, and which programs may use the extension. Goes out: its files,
 * and its name among the extensions that are switched on. Called by `chaperone setup gnome`, once the person has said yes.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import writeFileAtomic from 'write-file-atomic';

export const GNOME_EXTENSION = 'chaperone@chaperone.dev';

/** With the oldest version of the shell that each is for. The interface of extensions changed with 45. */
const HEADS = new Map([[43, 'head-43.js']]);
export const GNOME_VERSIONS: readonly number[] = [...HEADS.keys()];

/** Next to `dist`, in the packaged program too. */
const SOURCES = fileURLToPath(new URL('../../../resources/gnome', import.meta.url));

/** A program that may use the extension: an executable, and for an interpreter the script that it runs. */
export interface GnomeHost {
  program: string;
  script: string | null;
}

export interface GnomeMachine {
  /** `XDG_DATA_HOME`, or its default. */
  dataFolder: string;
  /** Runs a program and gives its output; rejects where it fails. */
  run(program: string, args: readonly string[]): Promise<string>;
}

export type GnomeOutcome = 'added' | 'updated' | 'already' | 'removed' | 'absent';

export const gnomeFolder = ({ dataFolder }: Pick<GnomeMachine, 'dataFolder'>): string =>
  join(dataFolder, 'gnome-shell', 'extensions', GNOME_EXTENSION);

/** E.g. 43; null where the shell is not installed. */
export async function gnomeVersion({ run }: Pick<GnomeMachine, 'run'>): Promise<number | null> {
  const said = await run('gnome-shell', ['--version']).catch(() => '');
  const found = /\b(\d+)\.\w+/.exec(said)?.[1];
  return found === undefined ? null : Number(found);
}

/** What the files are to hold, by their names. */
async function filesFor(version: number, hosts: readonly GnomeHost[]): Promise<ReadonlyMap<string, string>> {
  const read = (name: string): Promise<string> => readFile(join(SOURCES, name), 'utf8');
  const head = HEADS.get(version);
  if (head === undefined) throw new RangeError(`no extension for GNOME ${version}`);
  const [first, body, metadata] = await Promise.all([read(head), read('body.js'), read('metadata.json')]);
  return new Map([
    ['extension.js', first + body],
    ['metadata.json', metadata],
    ['hosts.json', `${JSON.stringify(hosts, null, 2)}\n`],
  ]);
}

/** Writes what differs, and switches it on for the next login. */
export async function installGnome(
  machine: GnomeMachine,
  version: number,
  hosts: readonly GnomeHost[],
): Promise<Exclude<GnomeOutcome, 'removed' | 'absent'>> {
  const folder = gnomeFolder(machine);
  const files = await filesFor(version, hosts);
  const before = await Promise.all([...files.keys()].map((name) => textIn(join(folder, name))));
  const isOn = await switchOn(machine, true);
  if (isOn && [...files.values()].every((text, index) => before[index] === text)) return 'already';
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of files) await writeFileAtomic(join(folder, name), text, { mode: 0o600 });
  return before.every((text) => text === null) ? 'added' : 'updated';
}

export async function removeGnome(machine: GnomeMachine): Promise<'removed' | 'absent'> {
  const folder = gnomeFolder(machine);
  const was = await textIn(join(folder, 'metadata.json'));
  await switchOn(machine, false);
  await rm(folder, { recursive: true, force: true });
  return was === null ? 'absent' : 'removed';
}

const textIn = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);

const SETTING = ['org.gnome.shell', 'enabled-extensions'];

/** Whether it was so already. The shell reads the setting; the folder of an extension it reads at login only. */
async function switchOn({ run }: GnomeMachine, on: boolean): Promise<boolean> {
  const said = await run('gsettings', ['get', ...SETTING]);
  const names = [...said.matchAll(/'([^']*)'/g)].flatMap(([, name]) => name ?? []);
  if (names.includes(GNOME_EXTENSION) === on) return true;
  const others = names.filter((name) => name !== GNOME_EXTENSION);
  const next = on ? [...others, GNOME_EXTENSION] : others;
  await run('gsettings', ['set', ...SETTING, `[${next.map((name) => `'${name}'`).join(', ')}]`]);
  return false;
}
