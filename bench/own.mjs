/** Desktops of agents' own: how soon they are there, what ten of them hold. And what a task costs each call that it covers. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { askingHost } from './allow.mjs';
import { ENTRY, callerOf, connectAgent, descendantsOf, desktopHost, desktopOf, environment } from './processes.mjs';
import { inRounds, line } from './rounds.mjs';

/** What a client starts in a process of its own is another agent. */
const IN_ITS_OWN_PROCESS =
  "require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })";
const AGENT = ['-e', IN_ITS_OWN_PROCESS, ENTRY, 'mcp'];
const OWN = [...AGENT, '--desktop', 'own'];
const DESKTOPS = 10;
const DESKTOP_ENDS_MS = 500;
const BARE = 'Xvfb and openbox, until openbox manages windows';

/** From the Allow that gives an agent a desktop to the answer of the call that asked for it. */
export async function ownStart({ folder, own, stages }) {
  const host = await openHost(folder, own);
  const taken = await inRounds(
    { desktop: () => timedWith((close) => firstCall(host, close, stages)) },
    { bare: () => timedWith(bareDesktop) },
    { rounds: 10 },
  );
  const what = 'an agent’s own desktop: from Allow to the answer of its first call';
  return [line({ what, beside: BARE, taken, ours: (ms) => ms.desktop, peer: (ms) => ms.bare })];
}

async function openHost(folder, own) {
  const home = environment(join(folder, 'home'));
  return { home, allow: await askingHost(home, own) };
}

async function firstCall({ home, allow }, own, stages) {
  own(() => pause(DESKTOP_ENDS_MS));
  const call = callerOf(await connectAgent(OWN, home, own), stages);
  const [at] = await Promise.all([allow('input'), call('list_windows')]);
  return Number(process.hrtime.bigint() - at) / 1e6;
}

/** Runs the work and closes what it opened. Resolves what it measured, else how long it took. */
async function timedWith(work) {
  const closers = [];
  const begin = performance.now();
  const told = await work((close) => void closers.unshift(close));
  const ms = typeof told === 'number' ? told : performance.now() - begin;
  for (const close of closers) await close();
  return ms;
}

/** Resolves the processes of a display with a window manager, which is what a desktop cannot do without. */
async function bareDesktop(own) {
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  own(() => ended(display));
  const number = await new Promise((resolve) => createInterface({ input: display.stdio[3] }).once('line', resolve));
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DISPLAY: `:${number}` };
  const manager = spawn('openbox', [], { env, stdio: 'ignore' });
  own(() => ended(manager));
  while (!(await managed(env))) await pause(5);
  return [display.pid, manager.pid];
}

function ended(child) {
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return end;
}

function managed(env) {
  const child = spawn('xprop', ['-root', '_NET_SUPPORTING_WM_CHECK'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  return new Promise((resolve) => child.once('close', () => resolve(said.includes('window id'))));
}

/** With nothing open on them, as they are between two works of an agent. */
export async function ownMemory({ folder, own, stages }) {
  const host = await openHost(folder, own);
  const { pid } = desktopOf(host.home);
  const before = heldMegabytes([pid, ...descendantsOf(pid)]);
  for (let one = 0; one < DESKTOPS; one += 1) await firstCall(host, own, stages);
  const ours = heldMegabytes([pid, ...descendantsOf(pid)]) - before;
  const bare = [];
  for (let one = 0; one < DESKTOPS; one += 1) bare.push(...(await bareDesktop(own)));
  const peer = heldMegabytes(bare);
  return [
    {
      what: `${DESKTOPS} desktops of agents’ own, with what the host holds for them`,
      unit: 'MB',
      beside: `${DESKTOPS} times Xvfb and openbox`,
      ours: [ours],
      peer: [peer],
      again: [heldMegabytes(bare)],
    },
  ];
}

/** What processes hold together; what several share counts once. */
const heldMegabytes = (pids) =>
  pids.reduce(
    (sum, pid) => sum + Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]),
    0,
  ) / 1024;

/** A key in Mousepad: under a task, on a desktop of the agent's own, and where the policy asks nobody. */
export async function underTask({ folder, own, stages }) {
  const home = environment(join(folder, 'asks'));
  const allow = await askingHost(home, own);
  const asked = callerOf(await connectAgent(AGENT, home, own), stages);
  await Promise.all([
    allow('input'),
    asked('request_task', { purpose: 'Write a letter.', apps: ['Mousepad'], acts: 500 }),
  ]);
  const free = await desktopHost({ folder: join(folder, 'free'), own, stages });
  const alone = callerOf(await connectAgent(OWN, home, own), stages);
  await Promise.all([allow('input'), alone('list_windows')]);
  const key = (call) => () => call('press_key', { key: 'shift' });
  for (const call of [asked, free.call, alone]) await call('open_application', { application_id: 'mousepad' });
  const taken = await inRounds({ task: key(asked), own: key(alone) }, { free: key(free.call) });
  const row = (where, ours) =>
    line({
      what: `press_key ${where}`,
      beside: 'press_key where the policy asks nobody',
      taken,
      ours,
      peer: (ms) => ms.free,
    });
  return [row('under a task', (ms) => ms.task), row('on the agent’s own desktop', (ms) => ms.own)];
}
