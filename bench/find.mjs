/** Finding one label among about two thousand elements of a GTK 3 window. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../scripts/lib/run.mjs';
import { openDesktop } from './desktop.mjs';
import { inRounds, line } from './rounds.mjs';

const ROWS = 985;
const WANTED = `Row ${ROWS - 20}`;
const LIMITS = { maxDepth: 100, maxNodes: 20_000, timeoutMs: 30_000 };

export async function find(bench) {
  const { desktop, show, own, session } = await openDesktop(bench);
  const pid = await show('/usr/bin/python3', [
    join(root, 'test/support/apps/gtk-fixture.py'),
    ...['--journal', '/dev/null', '--title', 'Two thousand', '--rows', String(ROWS)],
  ]);
  const signal = new AbortController().signal;
  const walk = startWalk(pid, session.env, own);
  const ours = async () => {
    const found = await desktop.find({ pid }, { role: 'AXStaticText', titleContains: WANTED }, 10, LIMITS, signal);
    if (found.matched !== 1 || Object.values(found.truncated).some(Boolean)) throw new Error(JSON.stringify(found));
  };
  const { nodes } = await desktop.tree({ pid }, LIMITS, signal);
  const taken = await inRounds({ ours }, { walk });
  const what = `find one of ${nodes.length} elements`;
  const sides = { ours: (ms) => ms.ours, peer: (ms) => ms.walk };
  return [line({ what, beside: 'pyatspi, walking the same tree', taken, ...sides })];
}

function startWalk(pid, env, own) {
  const script = join(root, 'bench/peers/walk.py');
  const child = spawn('/usr/bin/python3', [script, String(pid), WANTED], { env, stdio: ['pipe', 'pipe', 'inherit'] });
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
