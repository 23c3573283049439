/** What shim, socket, host, policy and audit log add to a call that does next to nothing. */
import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { hostPaths, readBridge } from '../dist/main/host/discovery.js';
import { openHostSession } from '../dist/main/cli/host-client.js';
import { connectUnix } from '../dist/main/transport/client.js';
import { createProcessTable } from '../dist/native/peer/index.js';
import { BARE_SERVER, ENTRY, callerOf, connectAgent, environment, startHost } from './processes.mjs';
import { ROUNDS, inRounds, line, throughput, timed } from './rounds.mjs';

const SERIES = 25;

export async function oneCall({ folder, own, stages }) {
  const { ours, bare } = await callers({ folder, own, stages });
  const appended = durableLine(folder, own);
  const taken = await inRounds({ ours: series(ours) }, { bare: series(bare), line: series(appended) });
  const what = 'a no-op tool call, one at a time';
  const row = (beside, peer) => line({ what, beside, taken, ours: (ms) => ms.ours, peer });
  return [
    row('bare SDK server over stdio', ({ bare }) => bare),
    row('the same and one durable audit line', ({ bare, line }) => bare.map((ms, round) => ms + line[round])),
  ];
}

export async function callsInFlight({ folder, own, stages }) {
  const { ours, bare } = await callers({ folder, own, stages });
  const taken = await inRounds({ ours: () => throughput(512, 64, ours) }, { bare: () => throughput(512, 64, bare) });
  return [
    line({
      what: 'no-op tool calls, 64 in flight',
      unit: 'calls/s',
      beside: 'bare SDK server over stdio',
      taken,
      ours: (ms) => ms.ours,
      peer: (ms) => ms.bare,
      of: (ms) => 1000 / ms,
    }),
  ];
}

/** Who else holds a connection is looked for at its first call that acts or reads the screen. */
export async function firstCall({ folder, own }) {
  const env = environment(join(folder, 'first'));
  await startHost(env, ['--backend', 'simulated', '--policy', 'unattended'], own);
  const { socket: path, token, metadata } = readBridge(hostPaths(env));
  const processes = createProcessTable();
  const told = { first: [], second: [], third: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { transport } = await connectUnix({ path, expectPid: metadata.pid, processes });
    const session = await openHostSession(transport, { token, name: 'bench', version: '1' });
    const { tools } = await session.request('tools/list', {});
    const { name } = tools.find((tool) => tool.name.endsWith('/list_windows'));
    for (const call of Object.values(told))
      call.push(await timed(() => session.request('tools/call', { name, arguments: {} })));
    session.close();
  }
  const { first, second, third } = told;
  return [
    line({
      what: 'the first call of a connection, with the look at who else holds it',
      beside: 'the second call of the same connection',
      taken: { first, second, again: { second: third } },
      ours: (ms) => ms.first,
      peer: (ms) => ms.second,
    }),
  ];
}

async function callers({ folder, own, stages }) {
  const env = environment(join(folder, 'calls'));
  await startHost(env, ['--backend', 'simulated'], own);
  const ours = callerOf(await connectAgent([ENTRY, 'mcp'], env, own), stages);
  const bare = await connectAgent([BARE_SERVER], env, own);
  return {
    ours: async () => answered(await ours('list_displays')),
    bare: async () => answered(await bare.callTool({ name: 'list_displays', arguments: {} })),
  };
}

function answered(result) {
  if (result.structuredContent?.displays === undefined) throw new Error(JSON.stringify(result));
}

/** What the disk alone takes for a line that survives a power cut, and its counter beside it, as the audit log has them. */
function durableLine(folder, own) {
  const fd = openSync(join(folder, 'line.jsonl'), 'a');
  own(() => closeSync(fd));
  const text = `${'x'.repeat(700)}\n`;
  return () => {
    writeSync(fd, text);
    fdatasyncSync(fd);
    const head = openSync(join(folder, 'next'), 'w');
    writeFileSync(head, '{"v":1,"count":1}\n');
    fsyncSync(head);
    closeSync(head);
    renameSync(join(folder, 'next'), join(folder, 'head'));
  };
}

const series = (work) => async () => {
  const start = performance.now();
  for (let count = 0; count < SERIES; count += 1) await work();
  return (performance.now() - start) / SERIES;
};
