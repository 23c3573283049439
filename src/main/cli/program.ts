/** The commands and options of the command line, for commander. `index.ts` runs it; the README's table is made from it. */
import { Command, Option } from 'commander';
import { LANGUAGES } from '../../messages/languages.js';
import { VERSION } from '../protocol/version.js';

const COMMANDS = [
  host,
  app,
  mcp,
  call,
  tools,
  status,
  stop,
  doctor,
  pair,
  approvals,
  evidence,
  policy,
  setup,
  demoAgent,
  superviseCommand,
];

/** Loads a command's code only when it is called, so that `mcp` starts fast. */
export function createProgram(): Command {
  const program = new Command('chaperone')
    .description('Lets a coding agent use your desktop, and lets you stay in charge.')
    .version(VERSION, '-v, --version')
    .showHelpAfterError('Run it with --help to see what it takes.')
    .exitOverride();
  for (const add of COMMANDS) add(program);
  return program;
}

function jsonOption(): Option {
  return new Option('--json', 'print JSON instead of text');
}

/** Options that `host` and `app` share. */
function addHostOptions(command: Command, workspaceRoot: string): Command {
  return command
    .option('--port <n>', 'port of the page (default: the last one, else any)')
    .option('--workspace-root <dir>', workspaceRoot)
    .addOption(new Option('--backend <name>', 'desktop backend').choices(['auto', 'macos', 'linux', 'simulated']))
    .addOption(
      new Option('--display <which>', 'the desktop at hand, or a private virtual one').choices(['current', 'virtual']),
    )
    .option('--policy <preset|file>', 'standard, strict, readonly, unattended, or a policy file');
}

function host(program: Command): void {
  const command = program
    .command('host')
    .description('run the host in this terminal: it holds permissions, approvals, chat and evidence');
  addHostOptions(command, 'evidence and files stay below this folder (default: $WORKSPACE_ROOT, else the home folder)')
    .option('--stdio', 'speak GABP on stdin and stdout as well')
    .option('--tcp <port>', 'speak GABP on this loopback TCP port as well (0: any free port)')
    .option('--print-pairing', 'print a link that pairs a page, also without a terminal')
    .option('--reset-pairings', 'unpair all pages first, and print a link for a new one')
    .option(
      '--accept-synthetic-input',
      'other programs’ synthetic input may press Allow: for VNC and on-screen keyboards',
    )
    .addOption(new Option('--start', 'started by `npm start`: ends with where to go').hideHelp())
    .addOption(new Option('--background', 'started by a shim: log to a file, leave when idle').hideHelp())
    .action(async (options) => (await import('./host.js')).host(options));
}

function app(program: Command): void {
  const command = program
    .command('app')
    .description('run the menu bar app: the host with a tray icon, a popover and notifications');
  addHostOptions(command, 'evidence and files stay below this folder').action(async (options) =>
    (await import('./app.js')).app(options),
  );
}

function mcp(program: Command): void {
  program
    .command('mcp')
    .description('MCP server over stdio for one agent; starts a host in the background when none runs')
    .addOption(new Option('--profile <name>', 'all tools, or about twenty').choices(['full', 'core']).default('full'))
    .option(
      '--call-limit <seconds>',
      'answer a waiting call with a handle after this time (default: by the client’s name)',
    )
    .action(async (options) => (await import('./mcp.js')).mcp(options));
}

function call(program: Command): void {
  program
    .command('call <tool>')
    .description('call one tool, or one desktop.* method, and print its result')
    .option('--args <json>', 'arguments as a JSON object', '{}')
    .option('--timing', 'also print how long each stage of the call took')
    .addOption(jsonOption())
    .action(async (tool, options) => (await import('./call.js')).call(tool, options));
}

function tools(program: Command): void {
  program
    .command('tools')
    .description('list the tools')
    .addOption(new Option('--profile <name>', 'all tools, or about twenty').choices(['full', 'core']).default('full'))
    .addOption(jsonOption())
    .action(async (options) => (await import('./tools.js')).tools(options));
}

function status(program: Command): void {
  program
    .command('status')
    .description('what the host is doing and who is connected')
    .addOption(jsonOption())
    .action(async (options) => (await import('./status.js')).status(options));
}

function stop(program: Command): void {
  program
    .command('stop')
    .description('halt the current action, deny what is pending, pause all agents')
    .option('--host', 'end the host as well')
    .action(async (options) => (await import('./stop.js')).stop(options));
}

function doctor(program: Command): void {
  program
    .command('doctor')
    .description('check this machine, and say how to mend what is missing')
    .addOption(jsonOption())
    .action(async (options) => (await import('./doctor.js')).doctor(options));
}

function pair(program: Command): void {
  program
    .command('pair')
    .description('print a link that pairs a browser page with the running host (needs a terminal)')
    .action(async () => (await import('./pair.js')).pair());
}

function approvals(program: Command): void {
  const group = program.command('approvals').description('what waits for a person; allowing is done in the page only');
  group
    .command('list', { isDefault: true })
    .description('list open approvals')
    .addOption(jsonOption())
    .action(async (options) => (await import('./approvals.js')).list(options));
  group
    .command('deny <id>')
    .description('deny one')
    .option('--message <text>', 'told to the agent')
    .action(async (id, options) => (await import('./approvals.js')).deny(id, options));
}

function evidence(program: Command): void {
  program
    .command('evidence')
    .description('the record of what was done')
    .command('verify')
    .description('check the record for edits, gaps and missing files')
    .addOption(jsonOption())
    .action(async (options) => (await import('./evidence.js')).verify(options));
}

function policy(program: Command): void {
  const group = program.command('policy').description('what is allowed, asked and denied');
  group
    .command('show', { isDefault: true })
    .description('print the policy in force')
    .addOption(jsonOption())
    .action(async (options) => (await import('./policy.js')).show(options));
  group
    .command('check <file>')
    .description('check a policy file without using it')
    .action(async (file) => (await import('./policy.js')).check(file));
}

function setup(program: Command): void {
  program
    .command('setup <client>')
    .description(
      'register Chaperone with claude, codex, cursor or vscode; changes its own entry there and nothing else',
    )
    .option('--print', 'only show what to register')
    .option('--remove', 'take the registration away again')
    .addOption(
      new Option('--scope <which>', 'for you everywhere, or for the project in this folder')
        .choices(['user', 'project'])
        .default('user'),
    )
    .action(async (client, options) => (await import('./setup.js')).setup(client, options));
}

/** Started by the host when a person asks for it on a page. */
function demoAgent(program: Command): void {
  program
    .command('demo-agent', { hidden: true })
    .addOption(new Option('--language <code>', 'what it talks in').choices(LANGUAGES).default('en'))
    .option('--real', 'there is a desktop with applications')
    .action(async (options) => (await import('./demo-agent.js')).demoAgent(options));
}

/** Started by the host of the packaged app, which cannot run a script as Node does. */
function superviseCommand(program: Command): void {
  program
    .command('supervise-command', { hidden: true })
    .action(async () => (await import('./supervise-command.js')).superviseCommand());
}
