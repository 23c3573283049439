/** Where a command may read without a request: in the agent's workspace, without what may hold secrets. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errno } from '../../../base/errno.js';
import { stepsInside } from '../../approvals/files.js';

export interface Place {
  /** The agent's workspace, free of links. */
  root: string;
  /** Where the command runs: in it, free of links. */
  folder: string;
}

/** Data, not code: `tokens.ts` is no secret. */
const DATA = ['json', 'y*ml', 'toml', 'ini', 'txt', 'csv', 'xml', 'conf', 'sqlite*'];
/** Names of files that may hold secrets, whatever the case of their letters. */
export const SECRET_FILES: readonly string[] = [
  '.env', '.env.*', '.envrc', '*.env', '*.pem', '*.key', '*.p12', '*.pfx', '*.p8', '*.jks', '*.keystore', '*.kdbx', '*.ppk', '*.asc', '*.gpg', '*.age',
  'id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', '.netrc', '_netrc', '.npmrc', '.yarnrc*', '.pypirc', '.pgpass', '.my.cnf', '.htpasswd', '.git-credentials', '.dockercfg',
  '.boto', '.s3cfg', '.vault-token', '*.tfstate', '*.tfstate.*', '*.tfvars', '*.secret', '*.secrets', '*.token', 'credentials', 'secrets', 'cookies', '*_history',
  ...['secret', 'secrets', 'credential', 'credentials', 'password', 'passwords', 'token', 'tokens', 'cookies', 'service?account*'].flatMap((name) => DATA.map((end) => `*${name}.${end}`)),
]; // prettier-ignore
export const SECRET_FOLDERS: readonly string[] = ['.git', '.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.gcloud', '.password-store', '.secrets', 'secrets']; // prettier-ignore

/** The same pattern for programs that heed the case of letters. */
export const withEitherCase = (pattern: string): string =>
  pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const regexOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.]/g, '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`, 'isu');
const NAMES: readonly RegExp[] = [...SECRET_FILES, ...SECRET_FOLDERS].map(regexOf);

/** One of these names along a path is that of a file or folder that may hold secrets. */
export const isSecret = (steps: readonly string[]): boolean =>
  steps.some((step) => NAMES.some((name) => name.test(step)));

/** Whether it lies in the workspace, also behind its links, is no secret, and nothing but a file or folder; it may be missing. */
export async function mayRead({ root, folder }: Place, word: string): Promise<boolean> {
  if (word === '') return false;
  const path = resolve(folder, word);
  const real = await realOf(path);
  if (real === null) return false;
  const ways = [path, real].map((one) => stepsInside(root, one));
  if (ways.some((steps) => steps === null || isSecret(steps))) return false;
  const facts = await stat(real).catch(() => null);
  return facts === null || facts.isFile() || facts.isDirectory();
}

/** With the links along it resolved, as far as it exists; null where that cannot be told, as behind a link to what is missing. */
async function realOf(path: string): Promise<string | null> {
  const missing: string[] = [];
  for (let known = path; ; known = dirname(known)) {
    try {
      return join(await realpath(known), ...missing);
    } catch (thrown) {
      const isLink = await lstat(known).catch(() => null);
      if (errno(thrown) !== 'ENOENT' || isLink !== null || dirname(known) === known) return null;
      missing.unshift(basename(known));
    }
  }
}
