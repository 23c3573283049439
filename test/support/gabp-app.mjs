/**
 * A GABP application as a process of its own, written from the specification; it shares no code with the product. Its only argument is
 * JSON: `traps`, what it gets wrong; `file`, where it writes its own configuration file and listens by itself.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

const { traps = [], file = null } = JSON.parse(process.argv[2] ?? '{}');
const trap = (name) => traps.includes(name);
const seqs = new Map();
const history = [];
const peers = new Set();
let attention = null;
let calls = 0;
let pings = 0;
let changed = false;

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const described = (name, more = {}) => ({ name, title: name, description: `Does ${name}.`, inputSchema: { type: 'object' }, outputSchema: {}, ...more }); // prettier-ignore

const place = {
  type: 'object',
  properties: { x: { type: 'integer', title: 'East' }, block: { type: 'string', description: 'What to put there' } },
  required: ['x', 'block'],
};

function tools() {
  if (trap('many')) return Array.from({ length: 10_000 }, (_, index) => described(`many/tool-${index}`));
  if (trap('lying')) return lies();
  if (trap('parameters'))
    return [described('world/set_block', { inputSchema: {}, parameters: [{ name: 'block', type: 'System.String', description: 'What', required: true }] })]; // prettier-ignore
  const other = changed ? { description: 'Does something else.' } : {};
  return [
    described('world/get_blocks', { tags: ['read-only', 'safe'], annotations: { readOnlyHint: true } }),
    described('world/set_block', { inputSchema: place, ...other }),
    described('world/set-block'),
    described('game/reset', { tags: ['destructive'] }),
    described('game/crash'),
    described('game/alarm'),
    described('game/environment'),
    described('events/emit'),
  ];
}

function lies() {
  const deep = {};
  let inner = deep;
  for (let level = 0; level < 150; level++) inner = inner.properties = { inner: { type: 'object' } };
  return [
    described('lie/shape', {
      inputSchema: { type: 'string', properties: { 'a b\u202e': {}, good: { $ref: '#/x', type: 7 } } },
    }),
    described('lie/words', { title: 'Free\u202e\u0007 money', description: `\u001b[31m${'read only '.repeat(1000)}` }),
    described('lie/deep', { inputSchema: deep }),
    described('NOT/a name'),
    'not a tool',
    { name: 7 },
  ];
}

function emit(channel, payload) {
  const seq = (seqs.get(channel) ?? (trap('oneBased') ? 0 : -1)) + 1;
  seqs.set(channel, seq);
  const event = { v: 'gabp/1', id: randomUUID(), type: 'event', channel, seq, payload };
  history.push(event);
  for (const peer of peers) if (peer.channels.has(channel)) peer.say(event);
}

const methods = {
  'tools/list': () => ({ tools: tools() }),
  'events/subscribe': ({ channels }, peer) => {
    for (const channel of channels) peer.channels.add(channel);
    if (trap('flood')) setInterval(() => { for (let count = 0; count < 500; count++) emit('world/tick', count); }, 1); // prettier-ignore
    return { subscribed: channels };
  },
  'resources/list': () => ({
    resources: [
      { uri: 'game://map', name: 'The map\u202e', mimeType: 'image/png' },
      { uri: 'game://score', name: 'Score', mimeType: 'application/json' },
      { name: 'no address' },
    ],
  }),
  'resources/read': ({ uri }) => {
    if (uri === 'game://map') return { content: PIXEL, mimeType: 'image/png', encoding: 'base64' };
    if (uri === 'game://lie') return { content: '<not base64>', mimeType: 'image/png', encoding: 'base64' };
    if (uri === 'game://huge') return { content: 'x'.repeat(1_000_000), mimeType: 'text/plain', encoding: 'utf-8' };
    if (uri === 'game://score') return { content: { points: 7 }, mimeType: 'application/json' };
    throw new Error('No such resource.');
  },
  'attention/current': () => ({ attention }),
  'attention/ack': ({ attentionId }) => {
    const known = attention?.attentionId === attentionId;
    if (known) attention = null;
    if (known) emit('attention/cleared', {});
    return { acknowledged: known, attentionId, currentAttention: attention };
  },
  'tools/call': call,
};

function call({ name, arguments: given, parameters }, peer) {
  calls += 1;
  if (trap('hang')) return undefined;
  if (name === 'game/crash') return process.exit(3);
  if (name === 'events/emit') {
    emit('world/changed', { pings: (pings += 1) });
    if (trap('changing')) {
      changed = true;
      emit('tools/changed', {});
    }
    return { pings };
  }
  if (name === 'game/alarm') {
    attention = { attentionId: 'a-1', state: 'open', severity: 'error', blocking: true, stateInvalidated: true, summary: 'The base burns.', openedAtSequence: 1, latestSequence: 1, totalUrgentEntries: 1 }; // prettier-ignore
    emit('attention/opened', attention);
    return { alarm: true };
  }
  if (name === 'game/environment') return { names: Object.keys(process.env), pid: process.pid };
  if (name === 'game/reset') throw new Error('No way back\u202e.');
  if (name === 'drop') peer.close();
  return { did: name, given: (trap('parameters') ? parameters : given) ?? null, calls };
}

function serve(input, output, close) {
  let greeted = false;
  let held = Buffer.alloc(0);
  const peer = {
    channels: new Set(),
    close,
    say(message) {
      const body = Buffer.from(JSON.stringify(message));
      output.write(`Content-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n`);
      output.write(body);
    },
  };
  peers.add(peer);
  input.on('close', () => peers.delete(peer)).on('error', () => undefined);
  output.on('error', () => undefined);
  input.on('data', (chunk) => {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const end = held.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(held.subarray(0, end).toString())[1]);
      if (held.length < end + 4 + length) return;
      const request = JSON.parse(held.subarray(end + 4, end + 4 + length).toString());
      held = held.subarray(end + 4 + length);
      answer(request);
    }
  });

  function answer({ id, method, params = {} }) {
    const reply = (more) => peer.say({ v: 'gabp/1', id, type: 'response', ...more });
    const fail = (code, message) => reply(trap('nulls') ? { result: null, error: { code, message, data: null } } : { error: { code, message } }); // prettier-ignore
    if (method === 'session/hello') {
      greeted = params.token === bridge.token;
      return greeted ? reply({ result: welcome() }) : fail(-32101, 'Authentication failed');
    }
    if (!greeted) return fail(-32100, 'Authentication required');
    if (methods[method] === undefined) return fail(-32601, 'Method not found');
    try {
      const result = methods[method](params, peer);
      if (result === undefined) return undefined;
      if (trap('both') && method === 'tools/call')
        return reply({ result, error: { code: -32402, message: 'and failed' } });
      return reply(trap('nulls') ? { result, error: null } : { result });
    } catch (error) {
      return fail(-32402, error.message);
    }
  }
}

const welcome = () => ({
  agentId: 'test-game',
  app: { name: 'Test\u202e game', version: '1.0' },
  capabilities: {
    methods: [...Object.keys(methods)],
    events: trap('flood')
      ? ['world/tick']
      : ['world/changed', 'tools/changed', 'attention/opened', 'attention/cleared'],
  },
  schemaVersion: '1.0',
});

function listen(where) {
  const server = createServer((socket) => serve(socket, socket, () => socket.destroy()));
  return new Promise((resolve) => server.listen(where, () => resolve(server.address())));
}

const bridge = file === null ? JSON.parse(readFileSync(process.env.GABP_BRIDGE_PATH, 'utf8')) : await ownBridge();

async function ownBridge() {
  const { port } = await listen({ host: '127.0.0.1', port: 0 });
  const made = { token: randomBytes(32).toString('hex'), transport: { type: 'tcp', address: String(port) } };
  writeFileSync(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return made;
}

if (file === null) {
  const { type, address } = bridge.transport;
  process.stderr.write('the game has begun\n');
  if (type === 'stdio') serve(process.stdin, process.stdout, () => process.exit(0));
  if (type === 'tcp') await listen({ host: '127.0.0.1', port: Number(address) });
  if (type === 'pipe') await listen(address);
}
