/** The commands and options of the command line, for commander. `index.ts` runs it; docs/reference/cli.md is made from it. */
import { Option, type Command, Help, type HelpConfiguration } from 'commander';
import { inEnglish, LANGUAGES, type Formatter } from '../../messages/index.js';
import { CLIENT_IDS } from '../protocol/client-names.js';
import { VERSION } from '../protocol/local-command.js';
import { createCommand } from './usage.js';

// What commander's help looks like and says, in the language of the command line.

/** Characters that take two columns of a terminal. */
const WIDE = /[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/gu;

function helpIn({ text }: Formatter): HelpConfiguration {
  const titles = new Map([
    ['Usage:', text('cli.help.usage')],
    ['Options:', text('cli.help.options')],
    ['Commands:', text('cli.help.commands')],
  ]);
  const help = new Help();
  const translated = (usage: string): string =>
    usage
      .replace('[options]', `[${text('cli.help.usage_options')}]`)
      .replace('[command]', `[${text('cli.help.usage_command')}]`);
  return {
    styleTitle: (title) => titles.get(title) ?? title,
    displayWidth: (line) => line.length + (line.match(WIDE)?.length ?? 0),
    commandUsage: (command) => translated(help.commandUsage(command)),
    subcommandTerm: (command) => translated(help.subcommandTerm(command)),
    optionDescription: ({ description, argChoices = [], defaultValue }) => {
      const choices = argChoices.length === 0 ? [] : [text('cli.help.choices', { choices: argChoices.join(', ') })];
      const fallback = defaultValue === undefined ? [] : [text('cli.help.default', { value: String(defaultValue) })];
      const more = [...choices, ...fallback];
      return more.length === 0 ? description : `${description} (${more.join('; ')})`;
    },
  };
}

const COMMANDS = [
  host,
  app,
  mcp,
  connect,
  where,
  call,
  tools,
  open,
  status,
  stop,
  restart,
  logs,
  doctor,
  pair,
  approvals,
  apps,
  evidence,
  policy,
  setup,
  demoAgent,
  superviseCommand,
];

/** Commands that run until their starter is gone, and say themselves what the end of a stream means. */
export const LONG_RUNNING: ReadonlySet<string> = new Set([
  'host',
  'app',
  'mcp',
  'connect',
  'where',
  'demo-agent',
  'supervise-command',
]);

/** Loads a command's code only when it is called, so that `mcp` starts fast. */
export function createProgram(words: Formatter = inEnglish): Command {
  const { text } = words;
  const program = createCommand('chaperone', words)
    .description(text('cli.help.chaperone'))
    .version(VERSION, '-v, --version', text('cli.help.version'))
    .helpOption('-h, --help', text('cli.help.help_option'))
    .helpCommand('help [command]', text('cli.help.help_command'))
    .configureHelp(helpIn(words))
    .showHelpAfterError(text('cli.help.after_error'))
    .exitOverride();
  for (const add of COMMANDS) add(program, words);
  return program;
}

const jsonOption = ({ text }: Formatter): Option => new Option('--json', text('cli.help.json'));

const profileOption = ({ text }: Formatter): Option =>
  new Option('--profile <name>', text('cli.help.profile')).choices(['full', 'core']).default('full');

/** Options that `host` and `app` share. */
function addHostOptions(command: Command, { text }: Formatter, workspaceRoot: string): Command {
  return command
    .option('--port <n>', text('cli.help.port'))
    .option('--workspace-root <dir>', workspaceRoot)
    .addOption(
      new Option('--backend <name>', text('cli.help.backend')).choices(['auto', 'macos', 'linux', 'simulated']),
    )
    .addOption(new Option('--display <which>', text('cli.help.display')).choices(['current', 'virtual']))
    .option('--wayland', text('cli.help.wayland'))
    .option('--policy <preset|file>', text('cli.help.policy_option'));
}

function host(program: Command, words: Formatter): void {
  const { text } = words;
  const command = program.command('host').description(text('cli.help.host'));
  addHostOptions(command, words, text('cli.help.workspace_root_default'))
    .option('--stdio', text('cli.help.stdio'))
    .option('--tcp <port>', text('cli.help.tcp'))
    .option('--http [port]', text('cli.help.http'))
    .option('--strict', text('cli.help.strict'))
    .option('--max-connections <n>', text('cli.help.max_connections'))
    .option('--event-buffer <n>', text('cli.help.event_buffer'))
    .option('--print-pairing', text('cli.help.print_pairing'))
    .option('--reset-pairings', text('cli.help.reset_pairings'))
    .option('--accept-synthetic-input', text('cli.help.accept_synthetic_input'))
    .addOption(new Option('--start', 'started by `npm start`: ends with where to go').hideHelp())
    .addOption(new Option('--background', 'started by a shim: log to a file, leave when idle').hideHelp())
    .action(async (options) => (await import('./host.js')).host(options, words));
}

function app(program: Command, words: Formatter): void {
  const { text } = words;
  const command = program.command('app').description(text('cli.help.app'));
  addHostOptions(command, words, text('cli.help.workspace_root'))
    .option('--http [port]', text('cli.help.http'))
    .action(async (options) => (await import('./app.js')).app(options));
}

function mcp(program: Command, words: Formatter): void {
  const { text } = words;
  program
    .command('mcp')
    .description(text('cli.help.mcp'))
    .addOption(profileOption(words))
    .addOption(new Option('--desktop <which>', text('cli.help.mcp_desktop')).choices(['own', 'current']))
    .option('--call-limit <seconds>', text('cli.help.call_limit'))
    .option('--connect <address>', text('cli.help.mcp_connect'))
    .option('--command <words>', text('cli.help.connect_command'))
    .option('--start', text('cli.help.connect_start'))
    .action(async (options) => (await import('./mcp.js')).mcp(options));
}

function connect(program: Command, words: Formatter): void {
  const { text } = words;
  program
    .command('connect [address]')
    .description(text('cli.help.connect'))
    .option('--command <words>', text('cli.help.connect_command'))
    .option('--start', text('cli.help.connect_start'))
    .option('--list', text('cli.help.connect_list'))
    .addOption(jsonOption(words))
    .action(async (address, options) => (await import('./connect.js')).connect(address, options, words));
}

function where(program: Command, { text }: Formatter): void {
  program
    .command('where')
    .description(text('cli.help.where'))
    .option('--start', text('cli.help.connect_start'))
    .option('--token', text('cli.help.where_token'))
    .action(async (options) => (await import('./connect.js')).where(options));
}

function call(program: Command, words: Formatter): void {
  const { text } = words;
  program
    .command('call <tool> [arguments]')
    .description(text('cli.help.call'))
    .option('--args <json>', text('cli.help.args'))
    .option('--timing', text('cli.help.timing'))
    .option('--service', text('cli.help.service'))
    .addOption(jsonOption(words))
    .action(async (tool, given, options) => (await import('./call.js')).call(tool, given, options, words));
}

function tools(program: Command, words: Formatter): void {
  const { text } = words;
  program
    .command('tools [tool]')
    .description(text('cli.help.tools'))
    .addOption(profileOption(words))
    .addOption(jsonOption(words))
    .action(async (tool, options) => (await import('./call.js')).tools(tool, options, words));
}

function status(program: Command, words: Formatter): void {
  const { text } = words;
  program
    .command('status')
    .description(text('cli.help.status'))
    .addOption(jsonOption(words))
    .action(async (options) => (await import('./status.js')).status(options, words));
}

function stop(program: Command, words: Formatter): void {
  const { text } = words;
  program
    .command('stop')
    .description(text('cli.help.stop'))
    .option('--host', text('cli.help.stop_host'))
    .action(async (options) => (await import('./status.js')).stop(options, words));
}

function open(program: Command, words: Formatter): void {
  program
    .command('open')
    .description(words.text('cli.help.open'))
    .action(async () => (await import('./host-commands.js')).open(words));
}

function restart(program: Command, words: Formatter): void {
  program
    .command('restart')
    .description(words.text('cli.help.restart'))
    .action(async () => (await import('./host-commands.js')).restart(words));
}

function logs(program: Command, { text }: Formatter): void {
  program
    .command('logs')
    .description(text('cli.help.logs'))
    .option('-n, --lines <n>', text('cli.help.logs_lines'), '50')
    .option('-f, --follow', text('cli.help.logs_follow'))
    .action(async (options) => (await import('./host-commands.js')).logs(options));
}

function doctor(program: Command, words: Formatter): void {
  const { text } = words;
  program
    .command('doctor')
    .description(text('cli.help.doctor'))
    .addOption(jsonOption(words))
    .option('--self-test', text('cli.option.self_test'))
    .action(async ({ selfTest, ...options }: { selfTest?: boolean; json?: boolean }) => {
      if (selfTest === true) return (await import('./self-test.js')).selfTestHere(words);
      return (await import('./doctor.js')).doctor(options, words);
    });
}

function pair(program: Command, words: Formatter): void {
  const { text } = words;
  program
    .command('pair')
    .description(text('cli.help.pair'))
    .action(async () => (await import('./status.js')).pair(words));
}

function approvals(program: Command, words: Formatter): void {
  const { text } = words;
  const group = program.command('approvals').description(text('cli.help.approvals'));
  group
    .command('list', { isDefault: true })
    .description(text('cli.help.approvals_list'))
    .addOption(jsonOption(words))
    .action(async (options) => (await import('./status.js')).list(options, words));
  group
    .command('allow [id...]', { hidden: true })
    .allowUnknownOption()
    .action(async () => (await import('./status.js')).allow());
  group
    .command('deny <id>')
    .description(text('cli.help.approvals_deny'))
    .option('--message <text>', text('cli.help.deny_message'))
    .action(async (id, options) => (await import('./status.js')).deny(id, options, words));
}

function apps(program: Command, words: Formatter): void {
  const { text } = words;
  const group = program.command('apps').description(text('cli.help.apps'));
  group
    .command('list', { isDefault: true })
    .description(text('cli.help.apps_list'))
    .addOption(jsonOption(words))
    .action(async (options) => (await import('./status.js')).listApps(options, words));
  group
    .command('start <name>')
    .description(text('cli.help.apps_start'))
    .action(async (name) => (await import('./status.js')).start(name, words));
  group
    .command('stop <name>')
    .description(text('cli.help.apps_stop'))
    .action(async (name) => (await import('./status.js')).stopApp(name, words));
  group
    .command('log <name>')
    .description(text('cli.help.apps_log'))
    .action(async (name) => (await import('./status.js')).log(name));
}

function evidence(program: Command, words: Formatter): void {
  const { text } = words;
  program
    .command('evidence')
    .description(text('cli.help.evidence'))
    .command('verify')
    .description(text('cli.help.evidence_verify'))
    .option('--from-start', text('cli.help.evidence_from_start'))
    .addOption(jsonOption(words))
    .action(async (options) => (await import('./evidence.js')).verify(options, words));
}

function policy(program: Command, words: Formatter): void {
  const { text } = words;
  const group = program.command('policy').description(text('cli.help.policy'));
  group
    .command('show', { isDefault: true })
    .description(text('cli.help.policy_show'))
    .addOption(jsonOption(words))
    .action(async (options) => (await import('./policy.js')).show(options, words));
  group
    .command('check <file>')
    .description(text('cli.help.policy_check'))
    .action(async (file) => (await import('./policy.js')).check(file, words));
}

function setup(program: Command, words: Formatter): void {
  const { text } = words;
  program
    .command('setup <client>')
    .description(text('cli.help.setup', { names: CLIENT_IDS.join(', ') }))
    .option('--print', text('cli.help.setup_print'))
    .option('--remove', text('cli.help.setup_remove'))
    .option('--connect <address>', text('cli.help.mcp_connect'))
    .option('--command <words>', text('cli.help.connect_command'))
    .addOption(new Option('--desktop <which>', text('cli.help.setup_desktop')).choices(['own', 'current']))
    .addOption(new Option('--scope <which>', text('cli.help.setup_scope')).choices(['user', 'project']).default('user'))
    .action(async (client, options) => (await import('./setup.js')).setup(client, options, words));
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
