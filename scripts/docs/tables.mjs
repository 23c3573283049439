/** The README's tables, made from the product's own tables. */
import { unusable, toolsOf } from './tools.mjs';

/** A section for each marker. `product`: {allTools, bridgeActions, publish, createProgram, ERRORS, registration, formatEnglish, CLIENT_LIMITS}, built or straight from the sources. */
export function sections(product) {
  return new Map([
    ['tools', toolTable(product)],
    ['methods', methodTable(product)],
    ['commands', commandTable(product.createProgram())],
    ['errors', errorTable(product.ERRORS, product.formatEnglish)],
    ['setup', registrations(product)],
    ['waits', waitTable(product.CLIENT_LIMITS)],
    ['environment', table(['variable', 'what it does'], [...ENVIRONMENT].map(asRow))],
    ['files', table(['file', 'where', 'what it holds'], FILES)],
  ]);
}

/** Read by the host and the command line. A test compares the names with those the sources read. */
export const ENVIRONMENT = new Map([
  ['CHAPERONE_HOME', 'puts settings, state and socket below this one folder (`config/`, `state/`, `run/`)'],
  ['CHAPERONE_BACKEND', '`auto`, `macos`, `linux` or `simulated`, where `--backend` is not given'],
  ['CHAPERONE_LOG', 'how much is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`'],
  ['PORT', 'the port of the page, where `--port` is not given'],
  ['WORKSPACE_ROOT', 'evidence stays below this folder, where `--workspace-root` is not given; an absolute path'],
]);

/** A test starts a host and checks the files that it creates at once. */
export const FILES = [
  ['`policy.json`', 'settings', 'your policy; there is none until you write one or change it in the page'],
  [
    '`service.json`',
    'settings',
    'macOS: `{"requirement": "…"}`, what the code signature of callers of the bridge service must fulfil; there is none until you write one',
  ],
  ['`bridge.json`', 'state', 'where the running host listens, and the token of this start; gone when the host ends'],
  ['`http-token`', 'state', 'the token of MCP over HTTP, once that was opened'],
  ['`host.sock`', 'state', 'the socket; in the temporary folder where the path would be too long'],
  ['`audit.jsonl`', 'state', 'the audit log, one line an entry, each with the hash of the one before'],
  ['`audit.head.json`', 'state', 'how many lines the log has, and the hash of the last'],
  [
    '`audit.checkpoint`',
    'state',
    'a place of the log from which a start reads on, and what it has to know of the lines before',
  ],
  ['`audit.check`', 'state', 'how far the check of earlier lines has come'],
  ['`audit.index`', 'state', 'where the log has which action; made anew from the log where it is missing'],
  ['`audit.verify`', 'state', 'how far a `chaperone evidence verify` came that was stopped'],
  ['`audit.key`', 'state', 'the key with which this folder’s host writes checkpoint, check and how far `verify` came'],
  ['`chat.jsonl`', 'state', 'questions and replies, the newest some thousand lines'],
  ['`chat-older/`', 'state', 'the older ones, up to 256 MB'],
  ['`pairings.json`', 'state', 'public keys of the paired pages'],
  ['`approvals.json`', 'state', 'open requests and decisions, so that a restart loses none'],
  ['`grants.json`', 'state', 'grants that outlive a restart'],
  ['`clients.json`', 'state', 'when each coding agent was last connected'],
  ['`app.json`', 'state', 'that the menu bar app was opened once; what Electron keeps is beside it in `app/`'],
  ['`updates.json`', 'state', 'macOS: whether the app looks for updates daily, and when it did'],
  [
    '`started-commands.jsonl`',
    'state',
    'macOS: the processes with which approved commands began, since the machine was started',
  ],
  ['`host.log`', 'state', 'what the app, or a host in the background, logs'],
];

function waitTable(limits) {
  const rows = limits.map(({ title, since, gaveUpAfter, handleAfter }) => [
    title,
    since === null ? '' : `${since.join('.')} and later`,
    inWords(gaveUpAfter),
    inWords(handleAfter),
  ]);
  const others = ['any other', '', 'often 60 s', '50 s'];
  return table(['client', 'version', 'is taken to give a call up after', 'is given a handle after'], [...rows, others]);
}

const inWords = (seconds) => (seconds < 120 ? `${seconds} s` : `${seconds / 60} min`);

const asRow = ([name, text]) => [`\`${name}\``, text];

function toolTable({ allTools, publish }) {
  const rows = toolsOf(allTools).map(({ core, action }) => [
    `\`${action.name}\``,
    action.description,
    action.effect,
    core ? 'yes' : '',
  ]);
  const own = publish({ tools: [] }).map(({ name, description }) => [`\`${name}\``, description, 'none', 'yes']);
  return table(['tool', 'what it does', 'effect', 'core'], [...rows, ...own].sort(byName));
}

function methodTable({ bridgeActions }) {
  const unused = unusable('the table of methods');
  const deps = { version: '', desktop: unused, references: unused, executions: unused };
  const actions = bridgeActions({ ...deps, withdraw: unused, auditTokenDigest: unused, issue: unused });
  const rows = actions.map(({ name, description, effect }) => [`\`${name}\``, description, effect]);
  return table(['method', 'what it does', 'effect'], rows);
}

function commandTable(program) {
  const rows = leaves(program, '').flatMap(({ command, path }) => [
    [`\`${path}\``, command.description()],
    ...command
      .createHelp()
      .visibleOptions(command)
      .filter((option) => option.long !== '--help')
      .map((option) => [`&emsp;\`${option.flags}\``, optionText(option)]),
  ]);
  return table(['command', 'what it does'], rows);
}

function optionText({ description, argChoices, defaultValue }) {
  const choices = argChoices === undefined ? [] : [`one of ${argChoices.map((one) => `\`${one}\``).join(', ')}`];
  const given = defaultValue === undefined ? [] : [`default \`${defaultValue}\``];
  const more = [...choices, ...given].join('; ');
  return more === '' ? description : `${description} (${more})`;
}

function leaves(command, above) {
  const own = [
    command.name(),
    ...command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)),
  ].join(' ');
  const path = `${above} ${own}`.trim();
  const below = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help');
  return below.length === 0 ? [{ command, path }] : below.flatMap((one) => leaves(one, path));
}

/** The output of `chaperone setup NAME --print` for each client, with a neutral path. */
function registrations({ registration, formatEnglish }) {
  const server = { command: '/usr/bin/node', args: ['/path/to/chaperone/dist/main/cli/index.js', 'mcp'] };
  return CLIENTS.map(([client, language]) => {
    const { where, text, note } = registration(client, server);
    const notes = note === undefined ? [] : [fenced('text', formatEnglish(note))];
    return [`${formatEnglish(where)}:`, fenced(language, text), ...notes].join('\n\n');
  }).join('\n\n');
}

const CLIENTS = [
  ['claude', 'sh'],
  ['codex', 'toml'],
  ['cursor', 'json'],
  ['vscode', 'json'],
  ['gemini', 'json'],
  ['opencode', 'json'],
  ['goose', 'yaml'],
];

const fenced = (language, text) => ['```' + language, text, '```'].join('\n');

function errorTable(errors, formatEnglish) {
  const rows = Object.entries(errors).map(([code, { retryable, gabp, next }]) => [
    `\`${code}\``,
    retryable ? 'yes' : 'no',
    String(gabp),
    formatEnglish(next),
  ]);
  return table(['code', 'worth trying again', 'GABP number', 'what to do next'], rows);
}

function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...[...rows].map((row) => row.map(cell))];
  return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const cell = (text) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
const byName = ([a], [b]) => a.localeCompare(b, 'en');
