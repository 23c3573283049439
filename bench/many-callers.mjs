/** Many programs at once on the simulated desktop: what each of them still gets. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/lib/run.mjs';
import { ENTRY, callerOf, connectAgent, environment, startHost } from './processes.mjs';
import { ROUNDS } from './rounds.mjs';
import { quantile } from './statistics.mjs';

const BRIDGES = join(root, 'bench/peers/bridges.mjs');
const MS = 3_000;
/** Programs, the GABP connections of each, and coding agents beside them. */
const PROGRAMS = 5;
const CONNECTIONS = 10;
const AGENTS = 5;
/** Acts a second, of all together. */
const ACTS = 10;

export async function manyCallers({ folder, own, stages }) {
  const env = environment(join(folder, 'many'));
  await startHost(env, ['--backend', 'simulated', '--policy', 'unattended'], own);
  const programs = await Promise.all(Array.from({ length: PROGRAMS }, () => program(env, own)));
  const agents = [];
  for (let count = 0; count < AGENTS; count += 1)
    agents.push(callerOf(await connectAgent([ENTRY, 'mcp'], env, own), stages));
  const every = (1000 / ACTS) * PROGRAMS * CONNECTIONS;
  const crowd = () =>
    Promise.all([...programs.map((ask) => ask({ bridges: CONNECTIONS, ms: MS, every })), ...agents.map(readAlong)]);
  const alone = () => programs[0]({ bridges: 1, ms: MS / 4, every: 1000 / ACTS });
  const taken = { many: [], peer: [], again: [] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const [peer, many, again] = [
      figures([await alone()], MS / 4),
      figures(await crowd(), MS),
      figures([await alone()], MS / 4),
    ];
    if (round >= 0) for (const [name, one] of Object.entries({ many, peer, again })) taken[name].push(one);
  }
  const row = (what, unit, of) => {
    const [ours, peer, again] = ['many', 'peer', 'again'].map((name) => taken[name].map(of));
    return {
      what: `50 GABP connections, 5 agents, 10 acts/s: ${what}`,
      unit,
      beside: 'one connection alone',
      ours,
      peer,
      again,
    };
  };
  return [
    row('reads', 'reads/s', ({ readsPerSecond }) => readsPerSecond),
    row('p99 of a read', 'ms', ({ read }) => read),
    row('p99 of an act', 'ms', ({ act }) => act),
  ];
}

function figures(told, ms) {
  const [reads, acts] = ['reads', 'acts'].map((name) => told.flatMap((one) => one[name] ?? []));
  return { readsPerSecond: (reads.length * 1000) / ms, read: quantile(reads, 0.99), act: quantile(acts, 0.99) };
}

async function readAlong(call) {
  const [reads, end] = [[], performance.now() + MS];
  while (performance.now() < end) {
    const start = performance.now();
    await call('list_displays');
    reads.push(performance.now() - start);
  }
  return { reads };
}

/** A process of its own: resolves with a function that has it work and gives what it tells. */
async function program(env, own) {
  const child = fork(BRIDGES, [], { env, stdio: 'inherit' });
  own(() => child.kill());
  const heard = () =>
    new Promise((resolve, reject) => {
      const ended = (code) => reject(new Error(`the program with the bridges ended with ${code}`));
      child.once('exit', ended);
      child.once('message', (told) => (child.off('exit', ended), resolve(told)));
    });
  await heard();
  return (order) => (child.send(order), heard());
}
