/** What stays of pictures in the memory of the host. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hostPaths, readBridge } from '../dist/main/host/discovery.js';
import { root, run } from '../scripts/lib/run.mjs';
import { connectAgent, ENTRY, environment, residentMegabytes, startHost } from './processes.mjs';

const BURSTS = 4;
const PICTURES = 200;
const WIDTH = 4;
const REST_MS = 3_000;

export async function memory({ folder, own }) {
  const env = environment(join(folder, 'home'));
  await startHost(env, ['--backend', 'linux', '--display', 'virtual', '--policy', 'unattended'], own);
  const client = await connectAgent([ENTRY, 'mcp'], env, own);
  const { pid } = readBridge(hostPaths(env)).metadata;
  await client.callTool({ name: 'list_displays', arguments: {} });
  await painted(env, own);
  const before = residentMegabytes(pid);
  const after = [];
  for (let burst = 0; burst < BURSTS; burst += 1) {
    await pictures(client);
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
async function painted(home, own) {
  const { output } = await run(process.execPath, [ENTRY, 'status', '--json'], { env: home, capture: true });
  const env = { PATH: process.env.PATH, ...JSON.parse(output).desktop.env };
  const painter = spawn('/usr/bin/python3', [join(root, 'bench/peers/paint.py')], { env, stdio: 'ignore' });
  own(() => void painter.kill());
}

async function pictures(client) {
  let left = PICTURES;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const { content, isError } = await client.callTool({ name: 'capture_screenshot', arguments: {} });
      if (isError === true) throw new Error(JSON.stringify(content));
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}
