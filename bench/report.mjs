import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/lib/run.mjs';
import { RULE, compareRatios, compareShares, mean, median } from './statistics.mjs';

const TITLES = new Map([
  ['calls', 'A tool call'],
  ['frames', 'Messages over sockets'],
  ['find', 'Finding an element'],
  ['screenshot', 'A screenshot'],
  ['acts', 'What agents do most'],
  ['silent', 'Acts that show nothing'],
  ['typing', 'Typing'],
  ['tokens', 'What a model reads'],
  ['macos', 'macOS, on stand-ins'],
  ['memory', 'Memory'],
  ['idle', 'Doing nothing'],
  ['start', 'Starting'],
  ['own', 'Desktops of agents’ own'],
  ['page', 'The page'],
  ['growth', 'Growing'],
  ['scrolling', 'Scrolling'],
]);

/** What a reader needs to know of how it was measured. */
const NOTES = new Map([
  [
    'calls',
    'Chaperone’s call crosses three processes; its line is in the audit log within 50 ms. The tool is `list_displays` on the simulated desktop. Many callers: five programs with ten GABP connections each and five coding agents read without a pause for some seconds, and ten pointer moves a second come from all together; the policy is `unattended`.',
  ],
  ['frames', 'Sender and receiver in one process; frames: 64 sends at a time.'],
  [
    'find',
    'A GTK 3 window with a long list, and a page in Chromium. Both leave these elements out of their accessibility cache. GTK 4 and Qt 5: a window with a list of as many rows; GTK 4 has all of it in its cache once it was read, Qt 5 has none.',
  ],
  [
    'screenshot',
    'The desktop shows a small window on grey. The tool call also looks for password fields before and after, keeps the full picture as evidence, and makes a smaller one for the model. The policy is `unattended`.',
  ],
  [
    'acts',
    'Whole tool calls from an MCP client: planned, compared, done, verified and recorded, with pictures from before and after where something is done. The policy is `unattended`. The peers do the act and nothing else. A click and a key begin once the application has told of no change for a quarter of a second: what it still paints after the act before is not part of them. Own time is the call less two frames of settling and less the time from the same act, injected by a witness, until the application told of a change. A move waits for neither, so all of its time is its own. An Allow is the answer of a paired page, sent over its WebSocket; a witness hears raw input.',
  ],
  [
    'silent',
    'Whole tool calls, in a window that has rested for 0.4 s; each answer is “unverified, nothing so far”. A button is held for 60 ms, so that programs that look once in a frame see it; xdotool holds it for no time, and looks at nothing. A click whose effect comes later must not be told “no_change”: one such answer ends the run. The policy is `unattended`.',
  ],
  [
    'typing',
    'Whole tool calls, under the policy `unattended`, into an empty field whose application has rested for 0.4 s; the application itself says afterwards whether all characters are there. By accessibility: into an area, at the caret. By keys: into a line, with Enter at the end; the page in Chromium takes all text by keys. xdotool’s delay is the shortest of those tried with which it lost nothing, in this run. Own time: see “What agents do most”.',
  ],
  [
    'tokens',
    'An agent does 25 tasks in a GTK 3 window: before and after each act it reads the tree of the application and takes a picture of the window. It names the snapshot and the image it has (`since`, `if_changed`), so changes are told, and a picture that looks the same is left out. Beside it the same looks, at the same moments, told whole. Both count the results of the acts. Four characters count as a token, and 750 pixels of a picture.',
  ],
  [
    'own',
    'The first call is `list_windows`, by a new agent each time, which its person gives a desktop. Memory is what the processes hold (Pss), with nothing open on the desktops. A key in Mousepad: three agents, one of them with a task that its person allowed.',
  ],
  [
    'macos',
    'On the stand-in libraries of the tests, not on a Mac: each call of accessibility takes at least 50 µs. The loop makes the calls that the reading made, in their order, and converts every value that they give.',
  ],
  [
    'memory',
    'Resident memory of the host process, with a private virtual desktop, at the end of each of four bursts of 200 `capture_screenshot` calls, four at a time, and once it has been left alone for three seconds. A round is a burst.',
  ],
  [
    'idle',
    'Two applications are open on a private virtual desktop. Three times 20 s, begun 30 s after the start, by when V8 has collected what that left, and again 30 s after an agent has read the tree of one of them and taken a picture of it. Processor time by the kernel’s clock, of all threads.',
  ],
  ['start', 'The host is a process of its own each time, with an existing state folder.'],
  [
    'page',
    'From the start of the navigation to the first contentful paint in Chromium, by its own clock. The host was started a moment before and serves its first page; the browser has nothing of it cached. `painted` is one heading in 100 bytes of HTML from a bare server.',
  ],
  [
    'growth',
    'A million ended calls in the audit log and 100,000 messages in the conversation, both read once by a host before. The ratio says how flat it is: 1 is the same as with a short history, or as so many short ones one after the other. The record is searched in parts, of which this is the first. The page goes back as fast as its messages come, from a host without limits. The tree is that of a page in Chromium.',
  ],
  [
    'scrolling',
    'Upwards from the end, 60 pixels a frame, in turns of 150 frames in one Chromium; older rows and messages come as they are reached. On the static pages nothing runs. Frames over 33 ms are means. Main-thread time is processor time of all tasks from one frame to the next, from traces in rounds of their own: what can be compared where the machine is shared.',
  ],
]);

/** As it is before the measurements. */
export async function machine() {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: said('git', ['rev-parse', '--short', 'HEAD']),
    hardware: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    load: loadavg()[0].toFixed(1),
    versions: {
      node: process.version,
      '@modelcontextprotocol/server': version('@modelcontextprotocol/server'),
      'vscode-jsonrpc': version('vscode-jsonrpc'),
      pyatspi: said('dpkg-query', ['-W', '-f', '${Version}', 'python3-pyatspi']),
      tesseract: /tesseract (\S+)/.exec(said('tesseract', ['--version']))?.[1] ?? 'unknown',
      ImageMagick: /ImageMagick (\S+)/.exec(said('import', ['-version']))?.[1] ?? 'unknown',
    },
  };
}

function version(name) {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
}

function said(program, args) {
  try {
    return execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}

const HEAD = [
  '# Figures',
  `Written by \`npm run bench\`, section by section. Each number stands beside a peer’s or a floor measured in the same rounds. Medians. ${RULE}`,
  'A row has 20 rounds or more, unless they would take over two minutes: a tree of GTK 4, which the peer walks in three seconds; 1,000 keys in a page; what stays in memory, of which a round is a burst of one process; doing nothing; a long history or conversation; and `evidence verify`. The tokens of the tasks are counted once; from run to run they differ by up to 3 %. Rows that were last run before this rule may have fewer.',
].join('\n\n');

/**
 * `measured`: of each row its section and lines, with values by round, and where the time of its calls went, or why it failed. `before`: an earlier
 * report, whose other sections are kept.
 */
export function report(facts, measured, before = '') {
  const texts = new Map(
    before
      .trimEnd()
      .split(/\n\n(?=## )/)
      .slice(1)
      .map((text) => [/^## (.*)/.exec(text)?.[1], text]),
  );
  for (const name of new Set(measured.map(({ section }) => section))) {
    const rows = measured.filter((one) => one.section === name);
    texts.set(TITLES.get(name), section(name, facts, rows));
  }
  const inOrder = [...TITLES.values()].flatMap((title) => texts.get(title) ?? []);
  return `${[HEAD, ...inOrder].join('\n\n')}\n`;
}

function section(name, facts, measured) {
  const stages = measured.flatMap((one) => one.stages);
  const heads = ['what', 'Chaperone', 'beside it', '', 'rounds', 'ratio', 'noise', 'verdict'];
  const lines = measured.flatMap((one) => one.lines);
  const failed = measured.flatMap(({ failure }) => (failure === undefined ? [] : [failedCells(failure)]));
  const rows = [heads, heads.map(() => '---'), ...lines.map(cells), ...failed].map((row) => `| ${row.join(' | ')} |`);
  const parts = [`## ${TITLES.get(name)}`, NOTES.get(name), circumstances(facts), rows.join('\n')];
  if (stages.length > 0) parts.push('Where the time went, by the host’s own clock; medians:', stages.join('\n'));
  return parts.join('\n\n');
}

function circumstances({ date, commit, hardware, system, load, versions }) {
  const shared = Number(load) > 1 ? ' The machine was shared: read the ratios, not the milliseconds.' : '';
  const named = Object.entries(versions).map(([name, value]) => `${name} ${value}`);
  return `${date} UTC, commit ${commit}; ${hardware}, ${system}; load before: ${load}, after: ${loadavg()[0].toFixed(1)}.${shared} ${named.join(', ')}.`;
}

const LESS_IS_BETTER = new Set(['ms', 'MB', 'tokens']);

function cells({ what, unit, beside, ours, peer, again, isShare = false }) {
  const middle = isShare ? mean : median;
  const found = isShare
    ? compareShares({ ours, peer, again })
    : compareRatios({ ours, peer, again, isLessBetter: LESS_IS_BETTER.has(unit) });
  const mark = isShare ? ' points' : '×';
  return [
    what,
    `${shown(middle(ours))} ${unit}`,
    `${shown(middle([...peer, ...again]))} ${unit}`,
    beside,
    ours.length,
    `${shown(found.value)}${mark} [${span(found)}]`,
    `[${span(found.noise)}]`,
    found.verdict,
  ];
}

const failedCells = ({ row, why }) => [
  row,
  '',
  '',
  '',
  '',
  '',
  '',
  `not measured: ${why.replace(/\s+/g, ' ').replaceAll('|', '/')}`,
];

const span = ({ low, high }) => `${shown(low)}, ${shown(high)}`;

function shown(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
