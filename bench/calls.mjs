/** What shim, socket, host, policy and audit log add to a call that does next to nothing. */
import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { inTurns, throughput } from './measure.mjs';
import { BARE_SERVER, ENTRY, connectAgent, environment, startHost } from './processes.mjs';

const SERIES = 25;

export async function calls({ folder, own }) {
  const env = environment(join(folder, 'calls'));
  await startHost(env, ['--backend', 'simulated'], own);
  const ours = await caller([ENTRY, 'mcp'], env, own);
  const bare = await caller([BARE_SERVER], env, own);
  const line = durableLine(folder, own);
  const one = await inTurns(12, { ours: series(ours), bare: series(bare), line: series(line) });
  const many = await inTurns(5, {
    ours: () => throughput(512, 64, ours),
    bare: () => throughput(512, 64, bare),
  });
  const what = 'a no-op tool call, one at a time';
  return [
    { what, unit: 'ms', ours: one.ours, peer: one.bare, beside: 'bare SDK server over stdio' },
    { what, unit: 'ms', ours: one.ours, peer: one.bare + one.line, beside: 'the same and one durable audit line' },
    {
      what: 'no-op tool calls, 64 in flight',
      unit: 'calls/s',
      ours: 1000 / many.ours,
      peer: 1000 / many.bare,
      beside: 'bare SDK server over stdio',
    },
  ];
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
  const line = `${'x'.repeat(700)}\n`;
  return () => {
    writeSync(fd, line);
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
