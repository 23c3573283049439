/** `chaperone setup`: what to register with each client, with time limits that fit calls which wait for a person. Absolute paths: a client's PATH is not ours. */
import { fileURLToPath } from 'node:url';
import { EXIT, Failure } from './failure.js';

interface Registration {
  /** Where it belongs, and a command that puts it there where the client has one. */
  where: string;
  text: string;
  note?: string;
}

interface Server {
  command: string;
  /** Up to and with `mcp`. */
  args: string[];
}

/** Seconds a call may wait; the shim answers with a handle a minute earlier. */
const WAIT = 30 * 60;
const patient = (args: string[]) => [...args, '--call-limit', String(WAIT - 60)];
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

const CLIENTS = new Map<string, (server: Server) => Registration>([
  [
    'claude',
    ({ command, args }) => {
      const entry = { type: 'stdio', command, args: patient(args), timeout: WAIT * 1_000, alwaysLoad: true };
      return {
        where: 'Claude Code: run this, or put the object under "mcpServers" in .mcp.json',
        text: `claude mcp add-json --scope user chaperone ${quoted(JSON.stringify(entry))}`,
        note:
          'In ~/.claude/settings.json, so that a waiting call stays in the conversation:\n' +
          pretty({ env: { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '0' } }),
      };
    },
  ],
  [
    'codex',
    ({ command, args }) => ({
      where: 'Codex: add to ~/.codex/config.toml',
      text: [
        '[mcp_servers.chaperone]',
        `command = ${JSON.stringify(command)}`,
        `args = ${JSON.stringify(patient(args))}`,
        'startup_timeout_sec = 30',
        `tool_timeout_sec = ${WAIT}`,
      ].join('\n'),
    }),
  ],
  [
    'cursor',
    (server) => ({
      where: 'Cursor: merge into ~/.cursor/mcp.json',
      text: pretty({ mcpServers: { chaperone: { type: 'stdio', ...server } } }),
    }),
  ],
  [
    'vscode',
    (server) => ({
      where:
        'VS Code: merge into .vscode/mcp.json, or into the file that the command "MCP: Open User Configuration" opens',
      text: pretty({ servers: { chaperone: { type: 'stdio', ...server } } }),
    }),
  ],
]);

export function registration(client: string, server: Server): Registration {
  const make = CLIENTS.get(client);
  if (make === undefined)
    throw new Failure(`Chaperone knows no client "${client}"; it knows ${[...CLIENTS.keys()].join(', ')}.`, EXIT.usage);
  return make(server);
}

export function setup(client: string, options: { print?: boolean }): void {
  const entry = fileURLToPath(new URL('./index.js', import.meta.url));
  const { where, text, note } = registration(client, { command: process.execPath, args: [entry, 'mcp'] });
  if (options.print !== true) {
    throw new Failure(
      `This version only shows what to register: run \`chaperone setup ${client} --print\` and put it in place yourself.`,
      EXIT.usage,
    );
  }
  process.stderr.write(`${where}:\n`);
  process.stdout.write(`${text}\n`);
  if (note !== undefined) process.stderr.write(`${note}\n`);
}

/** As one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
