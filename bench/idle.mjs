/** What the host and the applications of its desktop cost while nobody does anything. */
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, processorMs } from './processes.mjs';
import { openScene, parentOf } from './scene.mjs';

const ROUNDS = 3;
const ROUND_MS = 20_000;
/** What follows a start, or a look: V8 collects what they left, once, and the application is let go. */
const REST_MS = 30_000;

export async function idling(bench) {
  const { call, own, fixture, pid } = await openScene(bench);
  const apps = [
    await fixture('looked', ['--title', 'Looked', '--rows', '200']),
    await fixture('other', ['--title', 'Other']),
  ];
  const groups = {
    host: () => [pid, ...descendantsOf(pid)],
    apps: () => apps.map(({ child }) => child.pid),
    peer: waiting(own),
    again: waiting(own),
  };
  const before = await shares(groups);
  await call('get_element_tree', { parent: parentOf(apps[0]), max_nodes: 5000, max_depth: 100 });
  await call('capture_window_screenshot', { name: apps[0].window.name });
  const after = await shares(groups);
  for (const app of apps) await app.end();
  const row = (what, { peer, again, ...taken }, group) => ({
    ...{ what, unit: '% of a processor', beside: 'bare node that waits', isShare: true },
    ...{ ours: taken[group], peer, again },
  });
  return [
    row('the host, its display and its bus; nobody has looked at an application', before, 'host'),
    row('its two applications, at which nobody has looked', before, 'apps'),
    row('the host, its display and its bus, once an agent has looked at an application', after, 'host'),
    row('its two applications, once an agent has looked at one', after, 'apps'),
  ];
}

function waiting(own) {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  own(() => void child.kill());
  return () => [child.pid];
}

/** Of each group of processes: its share of a processor in each round, all at the same time. */
async function shares(groups) {
  await pause(REST_MS);
  const found = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const used = () => Object.entries(groups).map(([name, pids]) => [name, sum(pids().map(processorMs))]);
    const [start, first] = [performance.now(), new Map(used())];
    await pause(ROUND_MS);
    const ms = performance.now() - start;
    for (const [name, then] of used()) (found[name] ??= []).push((100 * (then - first.get(name))) / ms);
  }
  return found;
}

const sum = (values) => values.reduce((one, other) => one + other, 0);
