/** What shim, socket, host, policy and audit log add to a call that does next to nothing. */
import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { BARE_SERVER, ENTRY, connectAgent, environment, startHost } from './processes.mjs';
import { inRounds, line, throughput } from './rounds.mjs';

const SERIES = 25;

export async function oneCall({ folder, own }) {
  const { ours, bare } = await callers({ folder, own });
  const appended = durableLine(folder, own);
  const taken = await inRounds({ ours: series(ours) }, { bare: series(bare), line: series(appended) });
  const what = 'a no-op tool call, one at a time';
  const row = (beside, peer) => line({ what, beside, taken, ours: (ms) => ms.ours, peer });
  return [
    row('bare SDK server over stdio', ({ bare }) => bare),
    row('the same and one durable audit line', ({ bare, line }) => bare.map((ms, round) => ms + line[round])),
  ];
}

export async function callsInFlight({ folder, own }) {
  const { ours, bare } = await callers({ folder, own });
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

async function callers({ folder, own }) {
  const env = environment(join(folder, 'calls'));
  await startHost(env, ['--backend', 'simulated'], own);
  return { ours: await caller([ENTRY, 'mcp'], env, own), bare: await caller([BARE_SERVER], env, own) };
}

async function caller(args, env, own) {
  const client = await connectAgent(args, env, own);
  return async () => {
    const result = await client.callTool({ name: 'list_displays', arguments: {} });
    if (result.structuredContent?.displays === undefined) throw new Error(JSON.stringify(result));
  };
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
