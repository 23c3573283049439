/** Real coding agents, from the folder that CHAPERONE_CLIENTS names, set up by the product and played by a scripted model. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { withChaperoneHome } from '../../src/main/setup/index.js';
import type { TestMachine } from '../setup/machine.js';
import { ENTRY } from './command.js';
import type { TestHost } from './host.js';
import type { ScriptedModel } from './scripted-model.js';

const FOLDER = process.env['CHAPERONE_CLIENTS'] ?? '';

export type CodingAgentId = 'claude' | 'codex';

export interface CodingAgent {
  /** All that it printed, once it has ended by itself. */
  output: Promise<string>;
  /** At once, with all that it started. */
  kill(): Promise<void>;
}

const commandOf = (id: CodingAgentId): string => join(FOLDER, 'node_modules/.bin', id);

export const isInstalled = (id: CodingAgentId): boolean => FOLDER !== '' && existsSync(commandOf(id));

/** Puts the command on the person's search path and Chaperone's entry into its settings. */
export async function connectAgent(id: CodingAgentId, machine: TestMachine, chaperone: TestHost): Promise<void> {
  mkdirSync(machine.path('bin'), { recursive: true });
  symlinkSync(commandOf(id), machine.path(`bin/${id}`));
  const launcher = { command: process.execPath, args: [ENTRY, 'mcp'] };
  await machine.register(id, { launcher: withChaperoneHome(launcher, { CHAPERONE_HOME: chaperone.home }) });
  if (id === 'codex') approveInCodex(machine);
}

/**
 * As `--allowedTools` for Claude Code: without a person at its terminal, Codex refuses every act itself. Nor does its first turn wait
 * for a server that is not required.
 */
function approveInCodex(machine: TestMachine): void {
  const table = '[mcp_servers.chaperone]\n';
  const text = machine.read('.codex/config.toml');
  machine.write(
    '.codex/config.toml',
    text.replace(table, `${table}default_tools_approval_mode = "approve"\nrequired = true\n`),
  );
}

const ARGUMENTS: Record<CodingAgentId, (model: ScriptedModel) => string[]> = {
  claude: () => ['-p', 'Go on.', '--allowedTools', 'mcp__chaperone'],
  codex: ({ url }) => [
    ...['exec', '--skip-git-repo-check', '--json'],
    ...['-c', 'model="scripted"', '-c', 'model_provider="scripted"'],
    ...['-c', `model_providers.scripted={name="scripted",base_url="${url}/v1",wire_api="responses"}`],
    'Go on.',
  ],
};

export function startCodingAgent(
  id: CodingAgentId,
  { machine, chaperone, model }: { machine: TestMachine; chaperone: TestHost; model: ScriptedModel },
): CodingAgent {
  const child = spawn(machine.path(`bin/${id}`), ARGUMENTS[id](model), {
    env: {
      HOME: machine.home,
      PATH: `${machine.path('bin')}:${process.env['PATH'] ?? ''}`,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    cwd: chaperone.workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const closed = once(child, 'close');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  return {
    output: closed.then(() => printed),
    async kill() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL');
      await closed;
    },
  };
}
