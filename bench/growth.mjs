/** What a long history and a large tree cost: beside a short history, or none, and a small tree. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { hostPaths, readBridge } from '../dist/main/host/discovery.js';
import { createRecorder } from '../dist/main/evidence/index.js';
import { run } from '../scripts/lib/run.mjs';
import { openDesktop } from './desktop.mjs';
import { writeConversation, writeRecord } from './long-state.mjs';
import { firstPaint, openBrowser } from './page.mjs';
import { ENTRY, environment, residentMegabytes, startHost, toEnd } from './processes.mjs';
import { inRounds, line } from './rounds.mjs';

const MESSAGES = 100_000;
const LINES = 1_000_000;
const SHORT_PART = 0.01;
/** Enough for a run to be stopped on the way. */
const STOPPED_LINES = 300_000;
const START_ROUNDS = 5;
const VERIFY_ROUNDS = 2;
const [SMALL_TREE_ROWS, LARGE_TREE_ROWS] = [600, 3_270];
const TREE_LIMITS = { maxDepth: 100, maxNodes: 20_000, timeoutMs: 60_000 };

const count = (number) => number.toLocaleString('en-GB');

/** Made once a run. */
const longRecord = ({ once }) => once('long record', (folder) => recordIn(folder, LINES));

const recordIn = async (folder, lines) => {
  const env = environment(join(folder, `record-${lines}`));
  await writeRecord(env, lines);
  return env;
};

/** With a conversation, and read before by a host. */
const longHistory = (bench) => bench.once('long history', async () => readBefore(await longRecord(bench), MESSAGES));
const shortHistory = ({ once }) =>
  once('short history', async (folder) =>
    readBefore(await recordIn(folder, LINES * SHORT_PART), MESSAGES * SHORT_PART),
  );

async function readBefore(env, messages) {
  await writeConversation(env, messages);
  await untilRead(env);
  return env;
}

/** Host start, its size, and first paint: with a long record and conversation and with a hundredth of both. */
export async function history(bench) {
  const [long, short] = [await longHistory(bench), await shortHistory(bench)];
  const browser = await openBrowser(bench.own);
  const looked = { long: [], short: [] };
  const look = (name, env) => async () => {
    const found = await lookAtHost(env, browser);
    looked[name].push(found);
    return found.startMs;
  };
  await inRounds({ long: look('long', long) }, { short: look('short', short) }, { rounds: START_ROUNDS });
  return linesOf(looked);
}

function linesOf({ long, short }) {
  const beside = 'with a hundredth of both';
  // Of a round: the peer’s first turn, ours and the peer’s second; the first round warms up.
  const rounds = long.slice(1).map((ours, round) => ({ ours, peers: short.slice(2 + 2 * round, 4 + 2 * round) }));
  const row = (what, key, unit = 'ms') => ({
    what: `${what}, ${count(LINES)} lines of record and ${count(MESSAGES)} messages`,
    unit,
    beside,
    ours: rounds.map(({ ours }) => ours[key]),
    peer: rounds.map(({ peers }) => peers[0][key]),
    again: rounds.map(({ peers }) => peers[1][key]),
  });
  return [
    row('host: start to address printed', 'startMs'),
    row('the host once it has shown its page', 'megabytes', 'MB'),
    row('the page of a cold host: first paint', 'paintMs'),
  ];
}

async function lookAtHost(env, browser) {
  const begin = performance.now();
  const host = await startHost(env, ['--backend', 'simulated']);
  const startMs = performance.now() - begin;
  try {
    const { pid } = readBridge(hostPaths(env)).metadata;
    const paintMs = await firstPaint(browser, host.url);
    return { startMs, paintMs, megabytes: residentMegabytes(pid) };
  } finally {
    await host.stop();
  }
}

/** Starts a host once, until it has read the record and left a checkpoint. */
async function untilRead(env) {
  const host = await startHost(env, ['--backend', 'simulated']);
  try {
    for (;;) {
      const { output } = await run(process.execPath, [ENTRY, 'status', '--json'], { env, capture: true });
      if (JSON.parse(output).status.recordChecking === undefined) return;
      await pause(1_000);
    }
  } finally {
    await host.stop();
  }
}

/** A page of the record, filtered: what many actions fit, and what none does. Beside a short record. */
export async function filtering(bench) {
  const long = await openArchive(await longHistory(bench), bench.own);
  const short = await openArchive(await shortHistory(bench), bench.own);
  const taken = await inRounds(
    { many: () => long.page(null, { app: 'App 7' }), none: () => long.page(null, { agent: 'Nobody' }) },
    { manyInShort: () => short.page(null, { app: 'App 7' }), noneInShort: () => short.page(null, { agent: 'Nobody' }) },
  );
  const what = `a filtered page of ${count(LINES)} lines of record`;
  const beside = `of ${count(LINES * SHORT_PART)} lines`;
  return [
    line({ what: `${what}, many fit`, beside, taken, ours: (ms) => ms.many, peer: (ms) => ms.manyInShort }),
    line({ what: `${what}, none fits`, beside, taken, ours: (ms) => ms.none, peer: (ms) => ms.noneInShort }),
  ];
}

async function openArchive(env, own) {
  const log = pino({ level: 'silent' });
  const { state } = hostPaths(env);
  const recorder = await createRecorder({ stateDir: state, workspaceRoot: state, now: () => new Date(), log });
  own(() => recorder.close());
  // Answers once the record was read.
  await recorder.archive.page(null, {});
  return recorder.archive;
}

/** Beside a tenth of the lines. */
export async function verifying(bench) {
  const [long, short] = [await longRecord(bench), await recordIn(bench.folder, LINES / 10)];
  const rounds = { rounds: VERIFY_ROUNDS, warmUp: 0 };
  const taken = await inRounds({ long: () => verify(long) }, { short: () => verify(short) }, rounds);
  const tenTimes = ({ short }) => short.map((ms) => ms * 10);
  const what = `evidence verify, ${count(LINES)} lines`;
  return [line({ what, beside: `ten times ${count(LINES / 10)} lines`, taken, ours: (ms) => ms.long, peer: tenTimes })];
}

const verify = (env, ...args) => toEnd(process.execPath, [ENTRY, 'evidence', 'verify', ...args], { env });

/** Stopped on the way, and gone on with. */
export async function resuming(bench) {
  const env = await recordIn(bench.folder, STOPPED_LINES);
  const whole = () => verify(env, '--from-start');
  const third = (await whole()) / 3;
  const ours = { stopped: () => stopped(env, third) };
  const taken = await inRounds(ours, { whole }, { rounds: VERIFY_ROUNDS, warmUp: 0 });
  const what = `evidence verify, ${count(STOPPED_LINES)} lines, stopped on the way and gone on with: both together`;
  return [line({ what, beside: 'in one', taken, ours: (ms) => ms.stopped, peer: (ms) => ms.whole })];
}

async function stopped(env, afterMs) {
  const child = spawn(process.execPath, [ENTRY, 'evidence', 'verify', '--from-start'], { env, stdio: 'ignore' });
  const ended = once(child, 'close');
  const start = performance.now();
  const progress = join(hostPaths(env).state, 'audit.verify');
  while (child.exitCode === null && (!existsSync(progress) || performance.now() - start < afterMs)) await pause(20);
  if (child.exitCode !== null) throw new Error('it ended before it was stopped');
  child.kill('SIGKILL');
  await ended;
  return performance.now() - start + (await verify(env));
}

/** A tree of ten thousand elements, beside five times one of two thousand. */
export async function trees(bench) {
  const { desktop, show, own, folder } = await openDesktop(bench);
  const signal = new AbortController().signal;
  const open = async (rows) => {
    const pid = await showPage({ show, own, folder }, rows);
    const tree = () => desktop.tree({ pid }, TREE_LIMITS, signal);
    return { tree, nodes: await fullTree(tree, rows) };
  };
  const [small, large] = [await open(SMALL_TREE_ROWS), await open(LARGE_TREE_ROWS)];
  const times = large.nodes / small.nodes;
  const taken = await inRounds({ large: large.tree }, { small: small.tree });
  const what = `the tree of a page of ${count(large.nodes)} elements`;
  const beside = `${times.toFixed(1)} times that of ${count(small.nodes)}`;
  return [line({ what, beside, taken, ours: (ms) => ms.large, peer: ({ small }) => small.map((ms) => ms * times) })];
}

async function showPage({ show, own, folder }, rows) {
  const page = join(folder, `page-${rows}.html`);
  const list = Array.from({ length: rows }, (_, index) => `<li>Row ${index + 1}</li>`).join('');
  await writeFile(page, `<!doctype html><title>${rows} rows</title><ul>${list}</ul>`);
  const profile = `--user-data-dir=${join(folder, `profile-${rows}`)}`;
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', profile];
  const pid = await show('chromium', [...flags, `file://${page}`]);
  own(() => endOf(pid));
  return pid;
}

/** A browser makes the tree of a page bit by bit. */
async function fullTree(tree, rows) {
  for (;;) {
    const { nodes, truncated } = await tree();
    if (Object.values(truncated).some(Boolean)) throw new Error(JSON.stringify(truncated));
    if (nodes.length > 3 * rows) return nodes.length;
    await pause(200);
  }
}

/** Until then it writes to its profile. */
async function endOf(pid) {
  process.kill(pid, 'SIGKILL');
  while (existsSync(`/proc/${pid}/exe`)) await pause(20);
}
