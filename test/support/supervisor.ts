/** Compiles the supervisor of commands from its sources, because Node runs it as a program and knows no TypeScript. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import type { SupervisorProgram } from '../../src/native/process/index.js';

const ROOT = resolve(import.meta.dirname, '../..');
const PROCESS = 'native/process';
/** What the supervisor imports from other folders. */
const IMPORTED = [
  ...['command-mark', 'macos-calls', 'proc-files'].map((name) => `native/peer/${name}.ts`),
  'base/type-guards.ts',
  'base/process-stat.ts',
];

/** A supervisor that starts commands as on macOS, through this stand-in of the system's library. */
export function disclaimingSupervisor(library: string, env: Record<string, string>): SupervisorProgram {
  const folder = compiledFolder();
  const from = (name: string): string => JSON.stringify(join(folder, PROCESS, name));
  const program = `import { supervise } from ${from('supervisor.js')};
    supervise('darwin', ${JSON.stringify(library)});`;
  return {
    argv: [process.execPath, '--input-type=module', '--eval', program],
    env: { PATH: '/usr/bin:/bin', ...env },
  };
}

export function testSupervisor(): SupervisorProgram {
  const main = join(compiledFolder(), PROCESS, 'supervisor-main.js');
  return { argv: [process.execPath, main], env: { PATH: '/usr/bin:/bin' } };
}

/** A folder per state of the sources, so that a changed line is what a test runs. */
function compiledFolder(): string {
  const own = readdirSync(join(ROOT, 'src', PROCESS)).map((name) => join(PROCESS, name));
  const files = [...own, ...IMPORTED].map((path) => ({ path, text: readFileSync(join(ROOT, 'src', path), 'utf8') }));
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
  const folder = join(ROOT, 'dist', `test-supervisor-${hash}`);
  if (!existsSync(folder)) compile(files, folder);
  return folder;
}

/** Made aside and renamed, because several test files may do this at once. */
function compile(files: readonly { path: string; text: string }[], folder: string): void {
  const aside = `${folder}.${process.pid}`;
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  for (const { path, text } of files) {
    const target = join(aside, path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, ts.transpileModule(text, { compilerOptions }).outputText);
  }
  try {
    renameSync(aside, folder);
  } catch (thrown) {
    if (!existsSync(folder)) throw thrown;
  }
}
