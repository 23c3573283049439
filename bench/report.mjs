import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/lib/run.mjs';

const TITLES = new Map([
  ['calls', 'A tool call'],
  ['frames', 'Framing over a Unix socket'],
  ['find', 'Finding an element'],
  ['screenshot', 'A screenshot'],
  ['acts', 'What agents do most'],
  ['start', 'Starting'],
  ['page', 'The page'],
  ['scrolling', 'Scrolling'],
]);

/** What a reader needs to know of how it was measured. */
const NOTES = new Map([
  [
    'calls',
    'Chaperone’s call crosses three processes and is on disk, in the audit log, before it is answered. The tool is `list_displays` on the simulated desktop.',
  ],
  ['frames', 'Sender and receiver in one process, 64 sends at a time.'],
  [
    'find',
    'A GTK 3 window with a long list. GTK 3 leaves list rows out of its accessibility cache, so both sides ask for each.',
  ],
  [
    'screenshot',
    'The desktop shows a small window on grey. The tool call also looks for password fields before and after, keeps the full picture as evidence, and makes a smaller one for the model. The policy is `unattended`.',
  ],
  [
    'acts',
    'Whole tool calls from an MCP client: planned, compared, done, verified and recorded, with pictures from before and after where something is done. The policy is `unattended`. The peers do the act and nothing else.',
  ],
  ['start', 'The host is a process of its own each time, with an existing state folder.'],
  [
    'page',
    'From the start of the navigation to the first contentful paint in Chromium, by its own clock. The host was started a moment before and serves its first page; the browser has nothing of it cached. `painted` is one heading in 100 bytes of HTML from a bare server.',
  ],
  [
    'scrolling',
    'Upwards from the end, 60 pixels a frame, on both pages in turns of 200 frames, in one Chromium; older rows and messages come as they are reached. The static page is lines of text, and nothing runs in it. Main-thread time is processor time of all tasks from one frame to the next, from a trace in turns of their own: what can be compared where the machine is shared.',
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

/** Medians, and what stands beside each. A ratio above 1 is in Chaperone's favour, whatever the unit. */
export function report(facts, sections) {
  const { date, commit, hardware, system, load, versions } = facts;
  const shared =
    Number(load) > 1 ? ' The machine was shared with other work: read the ratios, not the milliseconds.' : '';
  const named = Object.entries(versions).map(([name, value]) => `${name} ${value}`);
  return [
    '# Figures',
    'Written by `npm run bench`. Each number stands beside a peer’s or a floor measured in turns with it, in the same run. Medians.',
    `- ${date} UTC, commit ${commit}\n- ${hardware}, ${system}; load before the run: ${load}.${shared}\n- ${named.join(', ')}`,
    ...sections.map(section),
  ]
    .join('\n\n')
    .concat('\n');
}

function section({ name, rows }) {
  const heads = ['what', 'Chaperone', 'beside it', '', 'ratio'];
  const lines = [heads, heads.map(() => '---'), ...rows.map(cells)].map((row) => `| ${row.join(' | ')} |`);
  return `## ${TITLES.get(name) ?? name}\n\n${NOTES.get(name) ?? ''}\n\n${lines.join('\n')}`;
}

function cells({ what, unit, ours, peer, beside }) {
  const better = unit === 'ms' || unit === '%' ? peer / ours : ours / peer;
  // Nothing beside nothing has no ratio.
  const ratio = Number.isFinite(better) ? `${shown(better)}×` : '';
  return [what, `${shown(ours)} ${unit}`, `${shown(peer)} ${unit}`, beside, ratio];
}

function shown(value) {
  if (value >= 1000) return String(Math.round(value));
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
