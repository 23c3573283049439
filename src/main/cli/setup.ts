/** `chaperone setup`: registers the shim with a client, shows what it would register, or removes it. */
import { homedir } from 'node:os';
import {
  CLIENT_NAMES,
  parseClientId,
  register,
  unregister,
  withChaperoneHome,
  registration,
  SetupRefused,
  type Launcher,
  type ConfigScope,
  type SetupResult,
} from '../setup/index.js';
import type { ClientId } from '../protocol/index.js';
import { EXIT, Failure } from './failure.js';
import { ownCommand, ownLauncher } from './launcher.js';
import { print } from './output.js';

interface Flags {
  print?: boolean;
  remove?: boolean;
  scope: ConfigScope;
}

export async function setup(name: string, { print: printOnly, remove, scope }: Flags): Promise<void> {
  const launcher = withChaperoneHome(ownLauncher(), process.env);
  try {
    const client = parseClientId(name);
    if (printOnly === true && remove === true)
      throw new Failure('--print and --remove do not go together.', EXIT.usage);
    if (printOnly === true) return show(client, launcher);
    const machine = { platform: process.platform, home: homedir(), env: process.env };
    const options = { client, launcher, machine, scope, cwd: process.cwd() };
    const result = await (remove === true ? unregister(options) : register(options));
    print(formatResult(client, scope, result).join('\n'));
  } catch (error) {
    if (!(error instanceof SetupRefused)) throw error;
    throw new Failure(error.message, error.code === 'unknown_client' ? EXIT.usage : EXIT.failed);
  }
}

function show(client: ClientId, launcher: Launcher): void {
  const { where, text, note } = registration(client, launcher);
  process.stderr.write(`${where}:\n`);
  print(text);
  if (note !== undefined) process.stderr.write(`${note}\n`);
}

const OUTCOMES: Readonly<Record<SetupResult['outcome'], string>> = {
  added: 'Chaperone is set up.',
  updated: 'Chaperone’s entry is up to date now.',
  already: 'Chaperone is set up already.',
  removed: 'Chaperone’s entry is gone.',
  absent: 'There was no entry of Chaperone’s to take away.',
};

function formatResult(client: ClientId, scope: ConfigScope, { outcome, files, ownLimit }: SetupResult): string[] {
  const lines = [`${CLIENT_NAMES[client]}: ${OUTCOMES[outcome]}`];
  for (const { path, backup } of files)
    lines.push(`  changed ${path}${backup === null ? '' : `\n    as it was before: ${backup}`}`);
  if (ownLimit)
    lines.push(
      '  Your own CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS was left; at 0 a waiting call stays in the conversation.',
    );
  if (outcome !== 'added' && outcome !== 'updated') return lines;
  const project = scope === 'project' ? ' --scope project' : '';
  if (scope === 'project')
    lines.push('  It names folders of this machine, so it is not for others who share the project.');
  lines.push(
    `Start a new ${CLIENT_NAMES[client]} session to use it. To undo: ${ownCommand()} setup ${client}${project} --remove`,
  );
  return lines;
}
