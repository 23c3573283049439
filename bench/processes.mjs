import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hostPaths, readBridge } from '../dist/main/host/discovery.js';
import { root } from '../scripts/lib/run.mjs';

export const ENTRY = join(root, 'dist/main/cli/index.js');
export const BARE_SERVER = join(root, 'bench/peers/bare-server.mjs');

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

/** An environment of its own for a host in `home`, without what the caller's would change. */
export function environment(home) {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, CHAPERONE_HOME: home };
}

/** A host in its own process; resolves once it has printed its address, with that. */
export async function startHost(env, args, own) {
  const child = spawn(process.execPath, [ENTRY, 'host', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = closed(child);
  const stop = () => (child.kill('SIGTERM'), ended);
  own?.(stop);
  return { stop, url: await firstLine(child) };
}

/** An MCP client with a server of its own. */
export async function connectAgent(args, env, own) {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  own(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return client;
}

/** Calls a tool and resolves its result; where the time of the call went is added to `stages`. What went wrong ends the run. */
export function callerOf(client, stages) {
  return async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
    stages.add(name, result._meta['dev.chaperone/call'].timing);
    return result;
  };
}

/** A host on a virtual desktop that allows everything, an agent's client of it, and the environment for programs on that desktop. */
export async function desktopHost({ folder, own, stages }) {
  const home = environment(join(folder, 'home'));
  await startHost(home, ['--backend', 'linux', '--display', 'virtual', '--policy', 'unattended'], own);
  const { pid, env } = desktopOf(home);
  const client = await connectAgent([ENTRY, 'mcp'], home, own);
  const resultOf = callerOf(client, stages);
  /** The value of a tool's result. */
  const call = async (name, args) => {
    const result = await resultOf(name, args);
    const text = result.content.map((block) => block.text ?? '').join('\n');
    return { ...result.structuredContent, text, hasPicture: result.content.some(({ type }) => type === 'image') };
  };
  return { client, call, env, pid };
}

/** The host that runs in a home, and the environment of its desktop, which it tells only a person: what its window manager was started with. */
export function desktopOf(home) {
  const { pid } = readBridge(hostPaths(home)).metadata;
  for (const program of descendantsOf(pid)) {
    const variables = readFileSync(`/proc/${program}/environ`, 'utf8').split('\0');
    const pairs = variables.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]);
    const env = Object.fromEntries(pairs.filter(([name]) => name !== ''));
    if (env.DISPLAY !== undefined && env.DBUS_SESSION_BUS_ADDRESS !== undefined)
      return { pid, env: { ...env, PATH: process.env.PATH } };
  }
  throw new Error('the host has no desktop');
}

/** Milliseconds from the start of the program until it has answered MCP's initialize. */
export async function toInitialize(args, env) {
  const start = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  const answer = JSON.parse(await firstLine(child));
  const ms = performance.now() - start;
  if (answer.result?.protocolVersion === undefined)
    throw new Error(`no answer to initialize: ${JSON.stringify(answer)}`);
  child.stdin.end();
  await closed(child);
  return ms;
}

/** Milliseconds from start to end. */
export async function toEnd(program, args, options = {}) {
  const start = performance.now();
  const code = await closed(spawn(program, args, { stdio: 'ignore', ...options }));
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return performance.now() - start;
}

function firstLine(child) {
  return new Promise((resolve, reject) => {
    let complaint = '';
    child.stderr?.on('data', (chunk) => (complaint += chunk));
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('close', (code) => reject(new Error(`ended with ${code} before it said a line. ${complaint}`)));
  });
}

function closed(child) {
  return new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
}

/** What a process holds of the machine's memory. */
export const residentMegabytes = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Processor time that a process has used so far, by the kernel's own clock; 0 once it has ended. */
export function processorMs(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const ofThread = (id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
    return threads.map(ofThread).reduce((sum, ns) => sum + ns, 0) / 1e6;
  } catch {
    return 0;
  }
}

/** The processes that a process started, and those that they did. */
export function descendantsOf(pid) {
  const parentOf = new Map(
    readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [[Number(name), parent(name)]] : [])),
  );
  const below = (one) => [...parentOf].flatMap(([child, of]) => (of === one ? [child, ...below(child)] : []));
  return below(pid);
}

/** null once it has ended. */
function parent(pid) {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}
