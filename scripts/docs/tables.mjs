/** The tables of the documentation, made from the product's own tables. */
import { unusable, toolsOf } from './tools.mjs';

/**
 * The sections of docs/clients.md between their markers. `product`: {allTools, bridgeActions, describeTool, publish, createProgram, ERRORS,
 * registration, formatEnglish, CLIENT_LIMITS}, built or straight from the sources.
 */
export function sections(product) {
  return new Map([
    ['setup', registrations(product)],
    ['waits', waitTable(product.CLIENT_LIMITS)],
  ]);
}

export const environmentTable = () => table(['variable', 'what it does'], [...ENVIRONMENT].map(asRow));
export const fileTable = () => table(['file', 'folder', 'what it holds'], FILES);

/** Read by the host and the command line. A test compares the names with those the sources read. */
export const ENVIRONMENT = new Map([
  ['CHAPERONE_HOME', 'puts settings, state and socket in this folder (`config/`, `state/`, `run/`)'],
  ['CHAPERONE_BACKEND', '`auto`, `macos`, `linux` or `simulated`, if `--backend` is not given'],
  ['CHAPERONE_LOG', 'log level: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`'],
  ['PORT', 'the port of the page, if `--port` is not given'],
  ['WORKSPACE_ROOT', 'evidence stays below this folder, if `--workspace-root` is not given; an absolute path'],
]);

/** A test starts a host and checks the files that it creates at once. */
export const FILES = [
  ['`policy.json`', 'settings', 'your [policy](../policy.md); exists once you write it or change it on the page'],
  ['`gabp-apps.json`', 'settings', 'the [GABP applications](../gabp.md#connecting-other-applications) you connect to'],
  [
    '`service.json`',
    'settings',
    'macOS: `{"requirement": "…"}`, the code signature that callers of the bridge service must have; exists once you write it',
  ],
  [
    '`bridge.json`',
    'state',
    'where the running host listens, and the token of this start; deleted when the host exits',
  ],
  ['`http-token`', 'state', 'the token of MCP over HTTP; exists once you use it'],
  ['`host.sock`', 'state', 'the socket; in the temporary folder if the path would be too long'],
  ['`audit.jsonl`', 'state', 'the audit log: one entry a line, each with the hash of the one before'],
  ['`audit.head.json`', 'state', 'the number of lines in the log, and the hash of the last'],
  ['`audit.check`', 'state', 'progress of the background check of earlier lines'],
  [
    '`audit.sqlite`',
    'state',
    'where the log has which action, and where a start begins to read it; rebuilt from the log if it is missing',
  ],
  ['`audit.verify`', 'state', 'progress of a `chaperone evidence verify` that was stopped'],
  ['`audit.key`', 'state', 'the key that protects the checkpoint in `audit.sqlite`, `audit.check` and `audit.verify`'],
  ['`chat.jsonl`', 'state', 'the newest some thousand lines of the conversation'],
  ['`chat-older/`', 'state', 'older lines, up to 256 MB'],
  ['`pairings.json`', 'state', 'public keys of the paired pages'],
  ['`approvals.json`', 'state', 'open requests and decisions, so that a restart loses none'],
  ['`grants.json`', 'state', 'grants that survive a restart'],
  ['`command-rules.json`', 'state', 'rules for commands, and commands that were denied'],
  ['`gabp-apps-confirmed.json`', 'state', 'the entries of `gabp-apps.json` that you confirmed'],
  ['`macros.json`', 'state', 'macros that agents recorded'],
  ['`clients.json`', 'state', 'when each coding agent was last connected'],
  ['`app.json`', 'state', 'whether the menu bar app was opened before; Electron’s own files are beside it in `app/`'],
  ['`updates.json`', 'state', 'macOS: whether the app looks for updates daily, and when it last did'],
  ['`started-commands.jsonl`', 'state', 'macOS: the first process of each approved command since the machine started'],
  ['`host.log`', 'state', 'the log of the app, or of a host in the background'],
  ['`start.log`', 'state', 'why a host in the background did not start'],
];

function waitTable(limits) {
  const rows = limits.map(({ title, since, gaveUpAfter, handleAfter }) => [
    title,
    since === null ? '' : `${since.join('.')} and later`,
    inWords(gaveUpAfter),
    inWords(handleAfter),
  ]);
  const others = ['any other', '', 'often 60 s', '50 s'];
  return table(['client', 'version', 'gives up after', 'gets a status after'], [...rows, others]);
}

const inWords = (seconds) => (seconds < 120 ? `${seconds} s` : `${seconds / 60} min`);

const asRow = ([name, text]) => [`\`${name}\``, text];

/** Every tool as agents get it, by name: {name, group, core, effect, description, inputSchema}. */
export function listedTools({ allTools, describeTool, publish }) {
  const own = publish([]).map((tool) => ({ ...tool, group: 'chat', core: true, effect: 'none' }));
  const tools = toolsOf(allTools).map((tool) => ({
    ...describeTool(tool),
    group: tool.group,
    core: tool.core,
    effect: tool.action.effect,
  }));
  return [...tools, ...own].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

export function toolTable(tools) {
  const rows = tools.map(({ name, description, effect, core }) => [
    `[\`${name}\`](#${name})`,
    description,
    effect,
    core ? 'yes' : '',
  ]);
  return table(['tool', 'what it does', 'effect', 'core'], rows);
}

/** The parameters of one tool, or a sentence where it has none. */
export function parameterTable({ properties = {}, required = [] }) {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\`${required.includes(name) ? ' (required)' : ''}`,
    typeOf(schema),
    schema.description ?? '',
  ]);
  return rows.length === 0 ? 'No parameters.' : table(['parameter', 'type', 'notes'], rows);
}

function typeOf({ type, enum: values, anyOf, items, default: fallback, const: only }) {
  const alternatives = anyOf?.map(typeOf);
  const element = items === undefined ? '' : ` of ${typeOf(items)}`;
  const plain = only === undefined ? `${type ?? 'any'}${element}` : `\`${only}\``;
  const named = values?.map((value) => `\`${value}\``).join(', ');
  const what = alternatives?.join(' or ') ?? named ?? plain;
  return fallback === undefined ? what : `${what}; default \`${JSON.stringify(fallback)}\``;
}

export function methodTable({ bridgeActions }) {
  const unused = unusable('the table of methods');
  const deps = { version: '', desktop: unused, references: unused, executions: unused };
  const actions = bridgeActions({ ...deps, withdraw: unused, auditTokenDigest: unused, issue: unused });
  const rows = actions.map(({ name, description, effect }) => [`\`${name}\``, description, effect]);
  return table(['method', 'what it does', 'effect'], rows);
}

export function commandTable(program) {
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

/** The output of `chaperone setup NAME --print` for each client, with a neutral path, where agents can have a desktop of their own. */
function registrations({ registration, formatEnglish }) {
  const server = {
    command: '/usr/bin/node',
    args: ['/path/to/chaperone/dist/main/cli/index.js', 'mcp', '--desktop', 'own'],
  };
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

export function errorTable(errors, formatEnglish) {
  const rows = Object.entries(errors).map(([code, { retryable, gabp, next }]) => [
    `\`${code}\``,
    retryable ? 'yes' : 'no',
    String(gabp),
    formatEnglish(next),
  ]);
  return table(['code', 'retry as is', 'GABP number', 'what to do next'], rows);
}

function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...[...rows].map((row) => row.map(cell))];
  return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const cell = (text) => markdown(text.replaceAll(/\s+/g, ' ')).replaceAll('|', '\\|');

/** `<` outside of code would begin an HTML tag. */
export const markdown = (text) =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part))
    .join('`');
