/** Serves the built page and a long record and conversation out of memory; whoever connects counts as paired once they ask for it. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { WebSocketServer } from 'ws';
import { createAssets } from '../dist/main/serve/page/index.js';
import { root } from '../scripts/lib/run.mjs';

export const ROWS = 5_000;
export const MESSAGES = 10_000;
/** As many as a host sends at a time: in its greeting, and when asked for more. */
const GREETED = 1_000;
const EARLIER = 300;
const ROWS_AT_ONCE = 100;
const AGENT = { id: 'a-bench', name: 'Claude Code', tile: 'CC' };
const THUMBNAIL = await sharp({ create: { width: 128, height: 80, channels: 3, background: '#9ac' } })
  .webp()
  .toBuffer();

/** Resolves with the address that pairs a page. `built`: where the page was built; `count`: of messages. */
export async function serveLongPage(own, built = join(root, 'dist/renderer'), count = MESSAGES) {
  const server = createServer(createAssets(built));
  const sockets = new WebSocketServer({ server });
  own(() => (sockets.clients.forEach((one) => one.terminate()), new Promise((done) => server.close(done))));
  sockets.on('connection', (socket) => {
    const say = (message) => socket.send(JSON.stringify(message));
    say(greeting('unpaired', count));
    socket.on('message', (data) => answer(JSON.parse(String(data)), say, count));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://localhost:${server.address().port}/#pair=${randomUUID()}`;
}

function answer(message, say, count) {
  const { type, request } = message;
  if (type === 'pair') {
    say({ type: 'paired', keyId: randomUUID() });
    say(greeting('paired', count));
  }
  if (type === 'resume') say(greeting('paired', count));
  if (type === 'activityPage') say({ type, request, ...pageOfRows(message.before ?? ROWS + 1) });
  if (type === 'thumbnails') say({ type, request, pictures: message.executionIds.map(pictureOf) });
  if (type === 'earlier') {
    const since = Math.max(0, message.before - 1 - EARLIER);
    say({ type, request, events: messages(since, message.before - 1, count), since });
  }
}

function greeting(role, count) {
  const status = { state: 'watching', paused: null, agents: [], recordVerified: true };
  const since = count - GREETED;
  const chat = { history: messages(since, count, count), since, pendingAckId: null, pendingAckIds: [], cursor: count };
  const rest = { approvals: [], activity: [], grants: [], policy: null, health: null, status };
  return { type: 'connected', role, nonce: randomUUID(), ...chat, ...rest };
}

function messages(after, upTo, count) {
  return Array.from({ length: upTo - after }, (_, index) => messageOf(after + index + 1, count));
}

/** An agent's messages have Markdown and differ in length; every other one is the person's. */
function messageOf(seq, count) {
  const at = timeOf(count - seq);
  const question = idOf(Math.ceil(seq / 2));
  if (seq % 2 === 0)
    return { type: 'userMessage', text: `Message ${seq}. Go on.`, ack_id: question, seq, at, paired: true };
  const more = '\n\n- The `build` is **green**, and the next step is the release.'.repeat(seq % 4);
  return { type: 'agentMessage', text: `Message ${seq}.${more}`, ack_id: question, seq, at, agent: AGENT };
}

function pageOfRows(before) {
  const from = Math.max(1, before - ROWS_AT_ONCE);
  const rows = Array.from({ length: before - from }, (_, index) => rowOf(before - 1 - index));
  return { rows, next: from > 1 ? from : null, total: ROWS, damaged: 0, agents: [AGENT.name] };
}

function rowOf(seq) {
  return {
    seq,
    executionId: idOf(seq),
    at: timeOf(ROWS - seq),
    agent: AGENT,
    tool: 'click',
    effect: 'input',
    subject: {
      title: { code: 'title.click', params: { button: 'left', count: 1, keys: '' } },
      target: `Row ${seq}`,
      app: 'Mail',
      place: 'Lease renewal',
    },
    outcome: 'confirmed',
    verified: 'confirmed',
    note: null,
    evidenceDir: `/tmp/evidence/${seq}`,
    thumbnail: null,
  };
}

function pictureOf(executionId) {
  const base64 = THUMBNAIL.toString('base64');
  return { executionId, picture: { mimeType: 'image/webp', base64, width: 128, height: 80, target: null } };
}

function idOf(number) {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function timeOf(minutesAgo) {
  return new Date(Date.now() - minutesAgo * 60_000).toISOString();
}
