/** State folders of a host with a long history. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeLine, FIRST_PREVIOUS_HASH } from '../dist/main/evidence/log-lines.js';
import { hostPaths } from '../dist/main/host/discovery.js';

const DAY_MS = 86_400_000;

/** A record of ended reads and acts, as the host writes them; its evidence folders are gone by retention. */
export async function writeRecord(env, lines) {
  const state = stateFolder(env);
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
export async function writeConversation(env, messages) {
  const file = createWriteStream(join(stateFolder(env), 'chat.jsonl'), { mode: 0o600 });
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

function stateFolder(env) {
  const { state } = hostPaths(env);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  return state;
}
