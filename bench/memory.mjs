/** What stays of pictures in the memory of the host. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../scripts/lib/run.mjs';
import { desktopHost, residentMegabytes } from './processes.mjs';

const BURSTS = 4;
const PICTURES = 200;
const WIDTH = 4;
const REST_MS = 3_000;

export async function memory({ folder, own, stages }) {
  const { call, env, pid } = await desktopHost({ folder, own, stages });
  await painted(call, env, own);
  const before = residentMegabytes(pid);
  const after = [];
  for (let burst = 0; burst < BURSTS; burst += 1) {
    await pictures(call);
    const busy = residentMegabytes(pid);
    await delay(REST_MS);
    after.push({ busy, resting: residentMegabytes(pid) });
  }
  const [first, ...later] = after;
  const row = (what, moment, beside, peer) => ({
    what: `the host ${moment === 'busy' ? 'right' : `${REST_MS / 1_000} s`} after ${PICTURES} pictures${what}`,
    unit: 'MB',
    beside,
    ours: later.map((sizes) => sizes[moment]),
    peer: later.map(() => peer),
    again: later.map(() => peer),
  });
  return [
    row(' more', 'resting', 'after the first 200', first.resting),
    row(' and more', 'resting', 'before the first', before),
    row(' and more', 'busy', 'before the first', before),
  ];
}

/** A window that is painted all the time, so that each picture is taken. */
async function painted(call, env, own) {
  const painter = spawn('/usr/bin/python3', [join(root, 'bench/peers/paint.py')], { env, stdio: 'ignore' });
  own(() => void painter.kill());
  const shows = async () => (await call('list_windows')).windows.some(({ title }) => title === 'Painting');
  while (!(await shows())) {
    if (painter.exitCode !== null) throw new Error(`the window that is painted ended with ${painter.exitCode}`);
    await delay(100);
  }
}

async function pictures(call) {
  let left = PICTURES;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await call('capture_screenshot');
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}
