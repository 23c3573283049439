/** Finding one label among about two thousand elements of a GTK 3 window. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../scripts/lib/run.mjs';
import { inTurns } from './measure.mjs';

const ROWS = 985;
const WANTED = `Row ${ROWS - 20}`;
const LIMITS = { maxDepth: 100, maxNodes: 20_000, timeoutMs: 30_000 };

export async function find({ desktop, show, own, session }) {
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
  const ms = await inTurns(5, { ours, walk });
  const what = `find one of ${nodes.length} elements`;
  return [{ what, unit: 'ms', ours: ms.ours, peer: ms.walk, beside: 'pyatspi, walking the same tree' }];
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
