/** Paths for a save dialog that a person is asked about, whatever covers new files in the agent's folder. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AskedFiles {
  /** Arguments of `automate_save_file_dialog`, by what they try. */
  saves: readonly (readonly [what: string, args: { file_path: string; confirm_overwrite?: true }])[];
  /** A file to open outside the folder. */
  outside: string;
  close(): Promise<void>;
}

export async function askedFiles(folder: string): Promise<AskedFiles> {
  const at = (name: string) => join(folder, name);
  const elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-elsewhere-')));
  for (const name of ['in', '.git/hooks']) await mkdir(at(name), { recursive: true });
  for (const file of [at('there.txt'), join(elsewhere, 'secret.txt')]) await writeFile(file, 'What is there.');
  await symlink(elsewhere, at('link'));
  return {
    saves: [
      ['a folder outside', { file_path: join(elsewhere, 'new.txt') }],
      ['a path that leaves it', { file_path: `${at('in')}/../../new.txt` }],
      ['a link that leaves it', { file_path: at('link/new.txt') }],
      ['a hidden file', { file_path: at('.bashrc') }],
      ['a hidden folder', { file_path: at('.git/hooks/pre-commit') }],
      ['a file that is there', { file_path: at('there.txt'), confirm_overwrite: true }],
    ],
    outside: join(elsewhere, 'secret.txt'),
    close: () => rm(elsewhere, { recursive: true }),
  };
}
