/**
 * A GABP application as a process of its own, written from the specification; it shares no code with the product. A small world of
 * coloured places. Where a bridge launched it, the environment says how; else its argument names the file in which it says where it listens.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { speak } from './frames.mjs';

const { GABP_BRIDGE_PATH, GABP_TOKEN, GABP_SERVER_PORT, RECORD } = process.env;
const [ownFile = null] = process.argv.slice(2);
const world = new Map();
const bridges = new Set();
const counts = new Map();
const kept = [];
let open = null;
let urgent = 0;

const CHANNELS = ['world/painted', 'attention/opened', 'attention/updated', 'attention/cleared'];
const place = { type: 'object', properties: { x: { type: 'integer' }, colour: { type: 'string', title: 'Colour' } }, required: ['x', 'colour'] }; // prettier-ignore
const TOOLS = [
  { name: 'world/paint', title: 'Paint', description: 'Gives a place a colour.', inputSchema: place, outputSchema: { type: 'object' } },
  { name: 'world/look', title: 'Look', description: 'Says what colours there are.', inputSchema: { type: 'object' }, outputSchema: { type: 'object' }, tags: ['read-only'] },
  { name: 'world/ignite', title: 'Set fire', description: 'Sets fire to the world.', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
  { name: 'world/surroundings', title: 'Surroundings', description: 'Says how it was started.', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
]; // prettier-ignore

function emit(channel, payload) {
  const seq = counts.get(channel) ?? 0;
  counts.set(channel, seq + 1);
  const event = { v: 'gabp/1', id: randomUUID(), type: 'event', channel, seq, payload };
  kept.push(event);
  for (const bridge of bridges) if (bridge.channels.has(channel)) bridge.say(event);
}

class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const tools = {
  'world/paint'({ x, colour }) {
    if (!Number.isInteger(x)) throw new Refused(-32602, 'x must be a whole number');
    world.set(x, colour);
    emit('world/painted', { x, colour });
    return { painted: world.size };
  },
  'world/look': () => ({ places: Object.fromEntries(world) }),
  'world/ignite'() {
    urgent += 1;
    open = { attentionId: `fire-${urgent}`, state: 'open', severity: 'error', blocking: true, stateInvalidated: true, summary: 'The world is on fire.', openedAtSequence: urgent, latestSequence: urgent, totalUrgentEntries: 1 }; // prettier-ignore
    emit('attention/opened', open);
    return { burning: true };
  },
  'world/surroundings': () => ({
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(GABP|GABS|CHAPERONE)_/.test(name))),
  }),
};

const methods = {
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call'({ name, arguments: given = {} }) {
    if (tools[name] === undefined) throw new Refused(-32400, `Tool not found: ${name}`);
    return tools[name](given);
  },
  'events/subscribe'({ channels, from = {} }, bridge) {
    const known = channels.filter((channel) => CHANNELS.includes(channel));
    for (const channel of known) bridge.channels.add(channel);
    for (const event of kept) if (event.seq >= (from[event.channel] ?? Infinity)) bridge.say(event);
    return { subscribed: known };
  },
  'events/unsubscribe'({ channels }, bridge) {
    for (const channel of channels) bridge.channels.delete(channel);
    return { unsubscribed: channels };
  },
  'resources/list': () => ({ resources: [{ uri: 'gabp://game/map', name: 'Map', mimeType: 'application/json' }] }),
  'resources/read'({ uri }) {
    if (uri !== 'gabp://game/map') throw new Refused(-32300, 'Resource not found');
    return { content: { places: Object.fromEntries(world) }, mimeType: 'application/json', encoding: 'utf-8' };
  },
  'attention/current': () => ({ attention: open }),
  'attention/ack'({ attentionId }) {
    const known = open?.attentionId === attentionId;
    if (known) {
      const cleared = { ...open, state: 'cleared', blocking: false };
      open = null;
      emit('attention/cleared', cleared);
    }
    return { acknowledged: known, attentionId, currentAttention: open };
  },
};

const welcome = {
  agentId: 'painted-world',
  app: { name: 'Painted world', version: '2.1' },
  capabilities: { methods: ['session/hello', ...Object.keys(methods)], events: CHANNELS, extensions: { replay: {} } },
  schemaVersion: '1.0',
};

function serve(input, output, token) {
  let greeted = false;
  const bridge = { channels: new Set(), say: () => undefined };
  bridge.say = speak(input, output, {
    onEnd: () => bridges.delete(bridge),
    onMessage(request) {
      // For the test, which holds it against the schemas.
      if (RECORD !== undefined) appendFileSync(RECORD, `${JSON.stringify(request)}\n`);
      const answer = (more) => bridge.say({ v: 'gabp/1', id: request.id, type: 'response', ...more });
      try {
        if (request.v !== 'gabp/1') throw new Refused(-32200, 'Another version');
        if (request.method === 'session/hello') {
          if (request.params?.token !== token) throw new Refused(-32101, 'Authentication failed');
          greeted = true;
          bridges.add(bridge);
          return answer({ result: welcome });
        }
        if (!greeted) throw new Refused(-32100, 'Authentication required');
        const method = methods[request.method];
        if (method === undefined) throw new Refused(-32601, 'Method not found');
        return answer({ result: method(request.params ?? {}, bridge) });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return answer({ error: { code: error.code, message: error.message } });
      }
    },
  });
}

const listen = (where, token) =>
  new Promise((resolve) => {
    const server = createServer((socket) => serve(socket, socket, token));
    server.listen(where, () => resolve(server.address()));
  });

if (ownFile !== null) {
  const token = randomBytes(32).toString('hex');
  const { port } = await listen({ host: '127.0.0.1', port: 0 }, token);
  const metadata = { pid: process.pid, startTime: new Date().toISOString(), launchId: randomUUID() };
  const content = { token, transport: { type: 'tcp', address: String(port) }, metadata };
  writeFileSync(`${ownFile}.new`, JSON.stringify(content), { mode: 0o600 });
  renameSync(`${ownFile}.new`, ownFile);
} else if (GABP_SERVER_PORT !== undefined) {
  await listen({ host: '127.0.0.1', port: Number(GABP_SERVER_PORT) }, GABP_TOKEN);
} else {
  const { token, transport } = JSON.parse(readFileSync(GABP_BRIDGE_PATH, 'utf8'));
  if (transport.type === 'stdio') serve(process.stdin, process.stdout, token);
  else await listen(transport.address, token);
}
