/** The pages of docs/reference, each whole. */
import {
  commandTable,
  environmentTable,
  errorTable,
  fileTable,
  listedTools,
  markdown,
  methodTable,
  parameterTable,
  toolTable,
} from './tables.mjs';

const NOTE = '<!-- made by `npm run docs`; do not edit -->';

/** Each path with its text. `product` as for `sections` in tables.mjs. */
export function referencePages(product) {
  const pages = { tools, methods, errors, cli, files };
  return new Map(
    Object.entries(pages).map(([name, make]) => [
      `docs/reference/${name}.md`,
      `${NOTE}\n\n${make(product).join('\n\n')}\n`,
    ]),
  );
}

function tools(product) {
  const all = listedTools(product);
  return [
    '# MCP tools',
    'Each tool has an [effect class](../approvals.md#what-you-are-asked-about). If the arguments decide, the table shows the strongest. `chaperone mcp --profile core` offers only the tools marked “core”. [MCP](../mcp.md) explains coordinates, element ids and results.',
    toolTable(all),
    '## Parameters',
    ...all.flatMap((tool) => [
      `### ${tool.name}`,
      markdown(tool.description),
      ...(tool.effect === 'none' ? [] : [`GABP name: \`${tool.group}/${tool.name}\`.`]),
      parameterTable(tool.inputSchema),
    ]),
  ];
}

const methods = (product) => [
  '# desktop.* methods',
  'Scripts call these over [JSON-RPC](../scripting.md#with-json-rpc). Each has an [effect class](../approvals.md#what-you-are-asked-about).',
  methodTable(product),
];

const errors = ({ ERRORS, formatEnglish }) => [
  '# Errors',
  'Tools and methods fail with one of these codes, what happened, and what to do next. “Retry as is” says whether the same call can succeed later.',
  errorTable(ERRORS, formatEnglish),
];

const cli = ({ createProgram }) => [
  '# Command line',
  'In a clone without `npm link`, write `node /path/to/chaperone/dist/main/cli/index.js` instead of `chaperone`. `chaperone --help` shows the same texts.',
  commandTable(createProgram()),
  '## Exit codes',
  [
    '| code | meaning |',
    '| --- | --- |',
    '| 0 | done |',
    '| 1 | failed |',
    '| 2 | invalid command |',
    '| 3 | no host is running |',
    '| 4 | the self-test did not run everything |',
  ].join('\n'),
];

const files = () => [
  '# Files and environment',
  'The settings folder is `~/.config/chaperone`, the state folder `~/.local/state/chaperone`. `$XDG_CONFIG_HOME` and `$XDG_STATE_HOME` move them, `CHAPERONE_HOME` moves both.',
  fileTable(),
  '## Environment variables',
  environmentTable(),
];
