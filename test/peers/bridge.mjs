/**
 * A GABP bridge as a process of its own, written from the specification; it shares no code with the product. Its argument is JSON: how it
 * comes to its application (`launch`, `stdio`, `find`) and the `command` that it starts. Orders come as lines of JSON; what happens is told
 * as lines of JSON: `welcome`, `event`, `answer`, `error`, `lost`.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { speak } from './frames.mjs';

const options = JSON.parse(process.argv[2]);
const tell = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const pending = new Map();
const channels = new Set();
/** The last number of each channel, as it counts for who comes back. */
const last = new Map();
let say = null;
let port = 0;
let launched = null;
let failures = 0;
let held = false;
let onLost = () => undefined;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const found = server.address().port;
      server.close(() => resolve(found));
    });
  });

/** Starts the application with a new token for this launch. */
async function launch() {
  const token = randomBytes(32).toString('hex');
  if (options.how === 'launch' && port === 0) port = await freePort();
  const given = { GABP_TOKEN: token, GABS_GAME_ID: options.name, GABS_FORWARD_ENV: 'GABS_GAME_ID', ...options.env };
  const env = { ...process.env, ...given, ...(options.how === 'launch' ? { GABP_SERVER_PORT: String(port) } : {}) };
  const [program, ...args] = options.command;
  const child = spawn(program, args, { env, stdio: [options.how === 'stdio' ? 'pipe' : 'ignore', 'pipe', 'pipe'] });
  child.stderr.on('data', (text) => tell({ stderr: String(text) }));
  if (options.how !== 'stdio') child.stdout.on('data', (text) => tell({ stdout: String(text) }));
  tell({ launched: child.pid });
  launched = { child, token, launchId: randomUUID() };
}

/** Where the specification says that the configuration of this platform lies. */
const file = () =>
  process.platform === 'darwin'
    ? join(homedir(), 'Library/Application Support/gabp/bridge.json')
    : join(homedir(), '.config/gabp/bridge.json');

function open() {
  if (options.how === 'stdio')
    return { input: launched.child.stdout, output: launched.child.stdin, token: launched.token, launchId: launched.launchId }; // prettier-ignore
  const { token, transport, metadata } =
    options.how === 'find'
      ? JSON.parse(readFileSync(file(), 'utf8'))
      : { token: launched.token, transport: { type: 'tcp', address: String(port) }, metadata: launched };
  const socket =
    transport.type === 'tcp'
      ? connect({ host: '127.0.0.1', port: Number(transport.address) })
      : connect({ path: transport.address });
  return { input: socket, output: socket, token, launchId: metadata?.launchId ?? randomUUID() };
}

function request(method, params = {}) {
  return new Promise((resolve, reject) => {
    const id = randomUUID();
    pending.set(id, { resolve, reject });
    if (say === null) reject(new Error('not connected'));
    else say({ v: 'gabp/1', id, type: 'request', method, params });
  });
}

function received(message) {
  tell({ message });
  if (message.type === 'event') {
    last.set(message.channel, message.seq);
    return tell({ event: message });
  }
  const waiting = pending.get(message.id);
  pending.delete(message.id);
  if (message.error !== undefined) return waiting?.reject(Object.assign(new Error(message.error.message), message.error)); // prettier-ignore
  waiting?.resolve(message.result);
}

function lost() {
  say = null;
  onLost();
  for (const { reject } of pending.values()) reject(new Error('the connection ended'));
  pending.clear();
  if (failures === 0) tell({ lost: true });
  failures += 1;
  // With jitter, so that several bridges do not come back at once.
  if (!held) setTimeout(enter, Math.min(2_000, 50 * 2 ** failures) * (0.75 + Math.random() / 2));
}

async function enter() {
  try {
    const { input, output, token, launchId } = open();
    say = speak(input, output, { onMessage: received, onEnd: lost });
    const platform = { win32: 'windows', darwin: 'macos' }[process.platform] ?? 'linux';
    const welcome = await request('session/hello', { token, bridgeVersion: '1.0.0', platform, launchId });
    failures = 0;
    if (channels.size > 0) await subscribe(welcome);
    tell({ welcome });
  } catch (error) {
    tell({ failed: error.message });
    if (say === null && error.code === 'ENOENT') lost();
  }
}

/** Everything since the last number, where the application keeps its events. */
function subscribe(welcome) {
  const from = Object.fromEntries([...last].map(([channel, seq]) => [channel, seq + 1]));
  const replay = welcome.capabilities?.extensions?.replay === undefined ? {} : { from };
  return request('events/subscribe', { channels: [...channels], ...replay });
}

const orders = {
  async request({ method, params }) {
    if (method === 'events/subscribe') for (const channel of params.channels) channels.add(channel);
    return request(method, params);
  },
  /** Does not come back by itself until told. */
  hold: async () => void (held = true),
  async enter() {
    if (say !== null) await new Promise((resolve) => (onLost = resolve));
    held = false;
    if (options.how !== 'find' && (launched.child.exitCode ?? launched.child.signalCode) !== null) await launch();
    await enter();
  },
  async kill({ signal }) {
    const ended = once(launched.child, 'exit');
    launched.child.kill(signal);
    await ended;
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { order, number, ...rest } = JSON.parse(line);
  orders[order](rest).then(
    (answer) => tell({ number, answer: answer ?? null }),
    (error) => tell({ number, error: { code: error.code ?? null, message: error.message, data: error.data ?? null } }),
  );
}).on('close', () => {
  launched?.child.kill('SIGTERM');
  process.exit(0);
}); // prettier-ignore

if (options.how !== 'find') await launch();
await enter();
