/** Finding one label among thousands of elements that the accessibility cache of their application leaves out. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../scripts/lib/run.mjs';
import { openDesktop } from './desktop.mjs';
import { ROUNDS, inRounds, line } from './rounds.mjs';

const APPS = join(root, 'test/support/apps');
const ROWS = 985;
const PAGE_ROWS = 300;
/** Where the peer takes three seconds for a tree. */
const SLOW_ROUNDS = 10;
const LIMITS = { maxDepth: 100, maxNodes: 20_000, timeoutMs: 30_000 };
const BESIDE = 'pyatspi, walking the same tree';

/** A window of GTK 3. On SIGUSR1 the application puts a row before the others. */
export async function find(bench) {
  const { desktop, show, own, session } = await openDesktop(bench);
  const pid = await show('/usr/bin/python3', [
    join(APPS, 'gtk-fixture.py'),
    ...['--journal', '/dev/null', '--title', 'Two thousand', '--rows', String(ROWS)],
  ]);
  const signal = new AbortController().signal;
  const wanted = `Row ${ROWS - 20}`;
  const walk = startWalk(pid, wanted, session.env, own);
  const search = () => found(desktop, pid, labelled(wanted), signal);
  const changed = async () => {
    process.kill(pid, 'SIGUSR1');
    await search();
  };
  const { nodes } = await desktop.tree({ pid }, LIMITS, signal);
  const taken = await inRounds({ search, changed }, { walk });
  const row = (what, ours) => line({ what, beside: BESIDE, taken, ours, peer: (ms) => ms.walk });
  return [
    row(`find one of ${nodes.length} elements`, (ms) => ms.search),
    row('the same when a row is being inserted', (ms) => ms.changed),
  ];
}

export const findInGtk4 = (bench) =>
  findAndTree(bench, 'GTK 4', [join(APPS, 'gtk4-list.py'), '--rows', String(ROWS)], SLOW_ROUNDS);

export const findInQt = (bench) =>
  findAndTree(bench, 'Qt 5', [join(APPS, 'qt-fixture.py'), '--journal', '/dev/null', '--rows', String(ROWS)]);

/** A window of another toolkit, read again and right after a change: on SIGUSR1 it puts a row before the others. */
async function findAndTree(bench, kit, args, rounds = ROUNDS) {
  const { desktop, show, own, session } = await openDesktop(bench);
  const pid = await show('/usr/bin/python3', args);
  const signal = new AbortController().signal;
  const wanted = `Row ${ROWS - 20}`;
  const walk = startWalk(pid, wanted, session.env, own);
  const search = () => found(desktop, pid, { titleContains: wanted }, signal);
  const changed = async () => {
    process.kill(pid, 'SIGUSR1');
    await search();
  };
  const tree = () => desktop.tree({ pid }, LIMITS, signal);
  const { nodes } = await tree();
  const taken = await inRounds({ search, changed, tree }, { walk }, { rounds });
  const row = (what, ours) => line({ what: `${kit}: ${what}`, beside: BESIDE, taken, ours, peer: (ms) => ms.walk });
  return [
    row(`find one of ${nodes.length} elements, again`, (ms) => ms.search),
    row('the same when a row is being inserted', (ms) => ms.changed),
    row('the whole tree, again', (ms) => ms.tree),
  ];
}

/** A page in Chromium. */
export async function findInPage(bench) {
  const { desktop, show, own, session, folder } = await openDesktop(bench);
  const page = join(folder, 'page.html');
  const rows = Array.from({ length: PAGE_ROWS }, (_, index) => `<li>Row ${index + 1}</li>`).join('');
  await writeFile(page, `<!doctype html><title>Long page</title><ul>${rows}</ul>`);
  const profile = `--user-data-dir=${join(folder, 'profile')}`;
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', profile];
  const pid = await show('chromium', [...flags, `file://${page}`]);
  own(() => endOf(pid));
  const signal = new AbortController().signal;
  const wanted = `Row ${PAGE_ROWS - 20}`;
  const walk = startWalk(pid, wanted, session.env, own);
  const { nodes } = await desktop.tree({ pid }, LIMITS, signal);
  const taken = await inRounds({ search: () => found(desktop, pid, labelled(wanted), signal) }, { walk });
  const what = `find one of ${nodes.length} elements of a browser with a page`;
  return [line({ what, beside: BESIDE, taken, ours: (ms) => ms.search, peer: (ms) => ms.walk })];
}

/** Until then it writes to its profile. */
async function endOf(pid) {
  process.kill(pid, 'SIGKILL');
  while (existsSync(`/proc/${pid}/exe`)) await pause(20);
}

const labelled = (titleContains) => ({ role: 'AXStaticText', titleContains });

async function found(desktop, pid, selector, signal) {
  const { matched, truncated } = await desktop.find({ pid }, selector, 10, LIMITS, signal);
  if (matched !== 1 || Object.values(truncated).some(Boolean)) throw new Error(JSON.stringify({ matched, truncated }));
}

function startWalk(pid, wanted, env, own) {
  const script = join(root, 'bench/peers/walk.py');
  const child = spawn('/usr/bin/python3', [script, String(pid), wanted], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  own(() => (child.stdin.end(), ended));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    child.stdin.write('walk\n');
    const { value, done } = await lines.next();
    if (done) throw new Error('the walk ended');
    return Number(value.split(' ')[1]);
  };
}
