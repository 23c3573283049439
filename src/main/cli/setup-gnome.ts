/** `chaperone setup gnome`: puts Chaperone's extension into GNOME Shell, after a person at the terminal said yes, or takes it out. */
import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { message, type Formatter } from '../../messages/index.js';
import {
  gnomeFolder,
  gnomeVersion,
  GNOME_VERSIONS,
  installGnome,
  removeGnome,
  type GnomeHost,
  type GnomeMachine,
} from '../setup/gnome.js';
import { electronBinary } from './app.js';
import { EXIT, Failure, print } from './failure.js';
import { ownCommand, ownLauncher } from './launcher.js';

const RUN_MS = 20_000;

const machine = (): GnomeMachine => ({
  dataFolder: process.env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'),
  run: async (program, args) => (await promisify(execFile)(program, [...args], { timeout: RUN_MS })).stdout,
});

export async function setupGnome(flags: { print?: boolean; remove?: boolean }, words: Formatter): Promise<void> {
  const { text } = words;
  const folder = gnomeFolder(machine());
  if (flags.remove === true) return print(text(`cli.gnome.${await withErrors(removeGnome(machine()))}`));
  const version = await gnomeVersion(machine());
  if (version === null) throw new Failure(message('cli.gnome.no_shell'));
  if (!GNOME_VERSIONS.includes(version))
    throw new Failure(message('cli.gnome.other_version', { version, versions: GNOME_VERSIONS.join(', ') }));
  print(text('cli.gnome.does', { folder }));
  if (flags.print === true) return;
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Failure(message('cli.gnome.terminal'), EXIT.usage);
  if (!(await confirmed(text('cli.gnome.ask')))) throw new Failure(message('cli.gnome.declined'));
  const outcome = await withErrors(installGnome(machine(), version, ownHosts()));
  print(text(`cli.gnome.${outcome}`));
  if (outcome !== 'already') print(text('cli.gnome.next', { command: `${ownCommand()} setup gnome --remove` }));
}

async function withErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw new Failure(message('cli.gnome.failed', { why: thrown instanceof Error ? thrown.message : String(thrown) }));
  }
}

async function confirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} `)).trim());
  } finally {
    terminal.close();
  }
}

/** The programs in which this Chaperone's host runs: Node with the command line's script, and Electron with the app's. */
function ownHosts(): GnomeHost[] {
  const { command, args } = ownLauncher();
  const [script] = args.slice(0, -1);
  if (script === undefined) return [{ program: command, script: null }];
  const hosts: GnomeHost[] = [{ program: realpathSync(process.execPath), script: realpathSync(script) }];
  const [electron, app] = [electronBinary(), fileURLToPath(new URL('../app/main.js', import.meta.url))];
  if (electron !== null && existsSync(app)) hosts.push({ program: realpathSync(electron), script: realpathSync(app) });
  return hosts;
}
