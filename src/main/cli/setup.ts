/** `chaperone setup`: registers the shim with a client, shows what it would register, or removes it. */
import { homedir } from 'node:os';
import { message, MessageError, type Formatter } from '../../messages/index.js';
import {
  fileOf,
  hasNoFile,
  parseClientId,
  register,
  unregister,
  withChaperoneHome,
  withRemote,
  registration,
  SetupRefused,
  desktopFor,
  hasOwnDesktops,
  isRemote,
  withDesktop,
  type Desktop,
  type Launcher,
  type ConfigScope,
  type SetupResult,
} from '../setup/index.js';
import { CLIENT_NAMES, type ClientId } from '../protocol/client-names.js';
import { parseAddress, parseCommand } from '../remote/address.js';
import { EXIT, Failure, print } from './failure.js';
import { ownCommand, ownLauncher } from './launcher.js';

interface Flags {
  print?: boolean;
  remove?: boolean;
  scope: ConfigScope;
  /** The host on another machine, and how it is started there. */
  connect?: string;
  command?: string;
  desktop?: Desktop;
}

export async function setup(name: string, flags: Flags, words: Formatter): Promise<void> {
  const { print: printOnly, remove, scope } = flags;
  if (name === 'gnome') return gnome(flags, words);
  const launcher = launcherFor(flags);
  try {
    const client = parseClientId(name);
    if (printOnly === true && remove === true) throw new Failure(message('cli.setup.print_or_remove'), EXIT.usage);
    const machine = { platform: process.platform, home: homedir(), env: process.env };
    const options = { client, launcher, machine, scope, cwd: process.cwd(), desktop: flags.desktop };
    const projectFile = scope === 'project' && !hasNoFile(client) ? fileOf(options) : null;
    const shown = async () => withDesktop(launcher, await desktopFor(options));
    if (printOnly === true) return show(client, await shown(), words, projectFile);
    if (remove !== true && hasNoFile(client)) show(client, await shown(), words);
    const result = await (remove === true ? unregister(options) : register(options));
    print([...formatResult(options, result, words), ...desktopHint(options, result, words)].join('\n'));
  } catch (error) {
    if (!(error instanceof SetupRefused)) throw error;
    throw new Failure(error.text, error.code === 'unknown_client' ? EXIT.usage : EXIT.failed);
  }
}

/** No client, but what Chaperone itself needs on that desktop. */
async function gnome({ scope, connect, command, desktop, ...flags }: Flags, words: Formatter): Promise<void> {
  if (flags.print === true && flags.remove === true)
    throw new Failure(message('cli.setup.print_or_remove'), EXIT.usage);
  if (scope !== 'user' || connect !== undefined || command !== undefined || desktop !== undefined)
    throw new Failure(message('cli.gnome.alone'), EXIT.usage);
  return (await import('./setup-gnome.js')).setupGnome(flags, words);
}

/** What a host here would be told by CHAPERONE_HOME is no matter of one elsewhere. */
function launcherFor({ connect, command }: Flags): Launcher {
  if (connect === undefined) {
    if (command !== undefined) throw new Failure(message('cli.connect.no_address'), EXIT.usage);
    return withChaperoneHome(ownLauncher(), process.env);
  }
  try {
    const words = command === undefined ? undefined : parseCommand(command);
    return withRemote(ownLauncher(), parseAddress(connect).text, words);
  } catch (thrown) {
    if (thrown instanceof MessageError) throw new Failure(thrown.text, EXIT.usage);
    throw thrown;
  }
}

function show(client: ClientId, launcher: Launcher, { format }: Formatter, projectFile: string | null = null): void {
  const { where, text, note } = registration(client, launcher, projectFile);
  process.stderr.write(`${format(where)}:\n`);
  print(text);
  if (note !== undefined) process.stderr.write(`${format(note)}\n`);
}

/** Which desktop the agent asks for, and how to choose the other one. */
function desktopHint(
  { client, scope, machine, launcher }: Parameters<typeof desktopFor>[0],
  { outcome, desktop }: SetupResult,
  { text }: Formatter,
): string[] {
  if (desktop === null || outcome === 'removed' || isRemote(launcher) || !hasOwnDesktops(machine)) return [];
  const other = desktop === 'own' ? 'current' : 'own';
  const project = scope === 'project' ? ' --scope project' : '';
  return [
    text(`cli.setup.desktop_${desktop}`, { command: `${ownCommand()} setup ${client}${project} --desktop ${other}` }),
  ];
}

function formatResult(
  { client: id, scope }: { client: ClientId; scope: ConfigScope },
  { outcome, files, ownLimit }: SetupResult,
  { text }: Formatter,
): string[] {
  const client = CLIENT_NAMES[id];
  const lines = [text(`cli.setup.${outcome}`, { client })];
  for (const { path, backup } of files) {
    lines.push(`  ${text('cli.setup.changed', { path })}`);
    if (backup !== null) lines.push(`    ${text('cli.setup.backup', { path: backup })}`);
  }
  if (ownLimit) lines.push(`  ${text('cli.setup.own_limit')}`);
  if (outcome !== 'added' && outcome !== 'updated') return lines;
  const project = scope === 'project' ? ' --scope project' : '';
  if (scope === 'project') lines.push(`  ${text('cli.setup.project')}`);
  return [...lines, text('cli.setup.next', { client, command: `${ownCommand()} setup ${id}${project} --remove` })];
}
