/** What a long history and a large desktop cost: beside a host that has neither. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostPaths, readBridge } from '../dist/main/host/discovery.js';
import { encodeLine, FIRST_PREVIOUS_HASH } from '../dist/main/evidence/hash-chain.js';
import { firstPaint, openBrowser } from './page.mjs';
import { ENTRY, environment, residentMegabytes, startHost, toEnd } from './processes.mjs';
import { inRounds, line } from './rounds.mjs';

export const MESSAGES = 100_000;
export const LINES = 1_000_000;
const ROUNDS = 3;
const DAY_MS = 86_400_000;

/** Host start, its size, and first paint: with a long record and conversation, and with nothing. */
export async function history(bench) {
  const [long, empty] = [environment(join(bench.folder, 'long')), environment(join(bench.folder, 'empty'))];
  await writeRecord(long, LINES);
  await writeConversation(long, MESSAGES);
  const browser = await openBrowser(bench.own);
  const looked = { long: [], empty: [] };
  const look = (name, env) => async () => {
    const found = await lookAtHost(env, browser);
    looked[name].push(found);
    return found.startMs;
  };
  await inRounds({ long: look('long', long) }, { empty: look('empty', empty) }, { rounds: ROUNDS });
  return linesOf(looked);
}

function linesOf({ long, empty }) {
  const beside = 'with none of it';
  // Of a round: the peer’s first turn, ours and the peer’s second; the first round warms up.
  const rounds = long.slice(1).map((ours, round) => ({ ours, peers: empty.slice(2 + 2 * round, 4 + 2 * round) }));
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
    row('the host once it has started', 'megabytes', 'MB'),
    row('the page of a cold host: first paint', 'paintMs'),
  ];
}

async function lookAtHost(env, browser) {
  const begin = performance.now();
  const host = await startHost(env, ['--backend', 'simulated']);
  const startMs = performance.now() - begin;
  try {
    const { pid } = readBridge(hostPaths(env)).metadata;
    const megabytes = residentMegabytes(pid);
    return { startMs, megabytes, paintMs: await firstPaint(browser, host.url) };
  } finally {
    await host.stop();
  }
}

/** Beside a tenth of the lines. */
export async function verifying(bench) {
  const [long, short] = [environment(join(bench.folder, 'long')), environment(join(bench.folder, 'short'))];
  await writeRecord(long, LINES);
  await writeRecord(short, LINES / 10);
  const verify = (env) => () => toEnd(process.execPath, [ENTRY, 'evidence', 'verify'], { env });
  const taken = await inRounds({ long: verify(long) }, { short: verify(short) }, { rounds: ROUNDS });
  const tenTimes = ({ short }) => short.map((ms) => ms * 10);
  const what = `evidence verify, ${count(LINES)} lines`;
  return [line({ what, beside: `ten times ${count(LINES / 10)} lines`, taken, ours: (ms) => ms.long, peer: tenTimes })];
}

const count = (number) => number.toLocaleString('en-GB');

/** A record of ended reads and acts, as the host writes them; its evidence folders are gone by retention. */
async function writeRecord(env, lines) {
  const { state } = hostPaths(env);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const file = createWriteStream(join(state, 'audit.jsonl'), { mode: 0o600 });
  let hash = FIRST_PREVIOUS_HASH;
  for (let seq = 1; seq <= lines; seq += 1) {
    const sealed = encodeLine(ended(seq, lines), seq, hash);
    hash = sealed.hash;
    if (!file.write(sealed.line)) await once(file, 'drain');
  }
  await once(file.end(), 'close');
  writeFileSync(join(state, 'audit.head.json'), `${JSON.stringify({ v: 1, count: lines, hash })}\n`, { mode: 0o600 });
}

function ended(seq, lines) {
  const at = new Date(Date.now() - (DAY_MS * (lines - seq)) / 1_000).toISOString();
  const of = {
    pid: 100 + (seq % 900),
    startTime: '3855168',
    executable: '/usr/bin/node',
    script: '/usr/lib/claude/cli.js',
  };
  const title = { code: 'title.list', params: { what: 'applications' }, text: 'List applications' };
  const execution = {
    ...{ executionId: randomUUID(), callId: randomUUID(), requestId: String(seq), requestDigest: FIRST_PREVIOUS_HASH },
    ...{ tool: 'list_applications', effect: 'read', protocol: 'mcp', workspace: '/tmp', dir: null, since: at },
    subject: { title, target: null, app: `App ${seq % 40}`, place: null },
    agent: { id: `agent-${seq % 9}`, name: 'Claude Code', tile: 'CC', claim: 'claude 1.0', cwd: '/tmp', ...of },
    peer: { ...of, uid: 1000 },
  };
  const result = { outcome: 'confirmed', verified: null, decision: null, error: null, incomplete: false, files: [] };
  return { kind: 'ended', at, execution, ...result };
}

/** Questions and replies that were delivered. */
async function writeConversation(env, messages) {
  const file = createWriteStream(join(hostPaths(env).state, 'chat.jsonl'), { mode: 0o600 });
  const agent = { id: 'a-bench', name: 'Claude Code', tile: 'CC' };
  let seq = 0;
  const record = (type, ack_id, rest) => {
    seq += 1;
    return `${JSON.stringify({ kind: 'event', event: { type, ack_id, seq, at: new Date().toISOString(), ...rest } })}\n`;
  };
  for (let sent = 0; sent < messages; sent += 2) {
    const id = randomUUID();
    const text = [
      record('agentMessage', id, { text: `Question ${sent}: which of the two?`, agent }),
      record('userMessage', id, { text: 'The left one.', paired: true }),
      record('delivered', id),
    ].join('');
    if (!file.write(text)) await once(file, 'drain');
  }
  await once(file.end(), 'close');
}
