/** Tells whether, between approval and act, another file or other content has taken the place of what was allowed. */
import { stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';

/** More words are rarely programs. */
const MAX_WORDS = 20;
const EXECUTABLE = 0o111;
const SCRIPT = /\.([cm]?[jt]sx?|py|sh|bash|zsh|fish|rb|pl|php|lua)$/i;

/** Whoever writes a file can set its time of modification, but not that of its status. */
async function identityOf(path: string): Promise<string> {
  const facts = await stat(path, { bigint: true }).catch(() => null);
  if (facts === null) return `${path}: none`;
  const { dev, ino, size, ctimeNs } = facts;
  // What is in a folder may change.
  return facts.isDirectory() ? `${path}: ${dev}:${ino}` : `${path}: ${dev}:${ino}:${size}:${ctimeNs}`;
}

export const fileIdentities = (paths: readonly string[]): Promise<string[]> => Promise.all(paths.map(identityOf));

/** Of the program that a command runs, and of the scripts among its arguments. Data, such as a log, may be written meanwhile. */
export async function commandFileIdentities(
  [program = '', ...args]: readonly string[],
  { folder, path = '' }: { folder: string; path?: string | undefined },
): Promise<string[]> {
  const places = program.includes('/') ? [folder] : path.split(delimiter).map((place) => resolve(folder, place));
  const candidates = places.map((place) => join(program.startsWith('/') ? '/' : place, program));
  const programs = await Promise.all(candidates.map(async (one) => ((await isFile(one, () => true)) ? one : null)));
  const given = args.slice(0, MAX_WORDS).map((word) => resolve(folder, word));
  const scripts = await Promise.all(given.map(async (one) => ((await isFile(one, runs)) ? one : null)));
  const found = [programs.find((one) => one !== null) ?? null, ...scripts];
  return fileIdentities(found.filter((one) => one !== null));
}

const runs = (path: string, mode: number): boolean => (mode & EXECUTABLE) !== 0 || SCRIPT.test(path);

async function isFile(path: string, fits: (path: string, mode: number) => boolean): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  return facts?.isFile() === true && fits(path, facts.mode);
}
