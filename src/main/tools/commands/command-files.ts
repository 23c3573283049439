/** The files that a command runs, to see that they are the ones the person was asked about. */
import { stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { fileIdentities } from '../../pipeline/file-identity.js';
import type { PlannedFile } from '../../approvals/plan.js';

const MAX_WORDS = 300;
const EXECUTABLE = 0o111;
/** Scripts, libraries, archives of code, and settings that can name code. */
const CODE_ENDINGS = [
  '[cm]?[jt]sx?|py[cz]?|sh|bash|zsh|fish|rb|pl|pm|php|lua|tcl|r|jl|ps1|gd|pck|csx?|fsx|groovy',
  'jar|war|class|dll|exe|so|dylib|wasm|asar|appimage|json5?|jsonc|toml|ya?ml|ini|cfg|conf|properties|xml',
];
const CODE = new RegExp(`\\.(${CODE_ENDINGS.join('|')})$`, 'i');

/** Of the program that a command runs, and of the scripts among its arguments. Data, such as a log, may be written meanwhile. */
export async function commandFileIdentities(
  [program = '', ...args]: readonly string[],
  { folder, path = '' }: Where,
): Promise<PlannedFile[]> {
  // Also a value after its option.
  const words = args.slice(0, MAX_WORDS).flatMap((word) => [word, word.replace(/^[^=]*=/s, '')]);
  const given = [...new Set(words)].filter((word) => word !== '').map((word) => resolve(folder, word));
  const scripts = await Promise.all(given.map(async (one) => ((await isFile(one, runs)) ? one : null)));
  const found = [await programFile(program, { folder, path }), ...scripts];
  return fileIdentities(found.filter((one) => one !== null));
}

interface Where {
  folder: string;
  path?: string | undefined;
}

/** The file that is run by this name; null where there is none. */
export async function programFile(program: string, { folder, path = '' }: Where): Promise<string | null> {
  const places = program.includes('/') ? [folder] : path.split(delimiter).map((place) => resolve(folder, place));
  const candidates = places.map((place) => join(program.startsWith('/') ? '/' : place, program));
  const programs = await Promise.all(candidates.map(async (one) => ((await isFile(one, () => true)) ? one : null)));
  return programs.find((one) => one !== null) ?? null;
}

const runs = (path: string, mode: number): boolean => (mode & EXECUTABLE) !== 0 || CODE.test(path);

async function isFile(path: string, fits: (path: string, mode: number) => boolean): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  return facts?.isFile() === true && fits(path, facts.mode);
}
