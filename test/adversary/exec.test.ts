/** A connected process that executes another program keeps pid, start time and socket; what it was called does not go with them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { openGabp, tokenOf, type Gabp } from '../support/gabp.js';
import { gone } from '../support/other.js';
import { settle } from '../support/person.js';
import { startScene, type Scene } from '../support/world.js';

const AT = { x: 90, y: 498 };

/** Passes bytes on; at the signal it executes Node, which keeps the socket. */
const FIRST = `
import os, select, signal, socket, sys
path, node, script, *rest = sys.argv[1:]
host = socket.socket(socket.AF_UNIX)
host.connect(path)
def replace(*_):
    host.set_inheritable(True)
    os.execv(node, [node, '-e', script, str(host.fileno()), path, *rest])
signal.signal(signal.SIGUSR1, replace)
while True:
    ready, _, _ = select.select([0, host], [], [])
    if 0 in ready:
        given = os.read(0, 65536)
        if not given: sys.exit(0)
        host.sendall(given)
    if host in ready:
        heard = host.recv(65536)
        if not heard: sys.exit(0)
        os.write(1, heard)
`;

/** Waits, or clicks on the connection it was left, and once that is closed on one of its own; tells what came of each. */
const SECOND = `
const net = require('node:net');
const [kept, path, token, out, x, y, idle] = process.argv.slice(1);
const told = [];
const tell = (line) => { told.push(line); require('node:fs').writeFileSync(out, JSON.stringify(told)); };
function use(socket, methods, ended) {
  const ask = (method, params) => {
    const body = JSON.stringify({ v: 'gabp/1', id: 'second-' + method, type: 'request', method, params });
    socket.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
  };
  const hello = { token, bridgeVersion: '1' };
  const click = { name: 'input/click', arguments: { x: Number(x), y: Number(y) } };
  const next = () => { const method = methods.shift(); if (method) ask(method, method === 'tools/call' ? click : hello); };
  socket.on('error', () => undefined);
  socket.on('data', (data) => { if (/"id":"second-/.test(data)) { tell(String(data)); next(); } });
  socket.on('close', () => { tell('closed'); ended(); });
  next();
}
const again = () => use(net.connect(path), ['session/hello', 'tools/call'], () => process.exit(0));
use(new net.Socket({ fd: Number(kept), readable: true, writable: true }), idle ? [] : ['tools/call'], again);
`;

let scene: Scene;
let child: ChildProcess;
let agent: Gabp;
let out: string;
beforeEach(async () => {
  scene = await startScene();
  out = join(scene.workspace, 'told');
});
afterEach(async () => {
  child.kill('SIGKILL');
  await gone(child);
  await scene.close();
});

async function start(...more: 'idle'[]): Promise<void> {
  const rest = [tokenOf(scene.home), out, String(AT.x), String(AT.y), ...more];
  const words = ['-c', FIRST, scene.host.socketPath, process.execPath, SECOND, ...rest];
  const started = spawn('python3', words, { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/' });
  child = started;
  agent = await openGabp(scene, { stream: Duplex.from({ readable: started.stdout, writable: started.stdin }) });
}

const ticks = () => scene.world.journal().filter(({ control, event }) => control === 'copy' && event === 'toggled');
const program = () => readlinkSync(`/proc/${child.pid ?? 0}/exe`);

test('[req:ID-3] a grant goes no further than the program that got it, and the next card names the new one', async () => {
  await start();
  const before = program();
  const first = agent.tool('click', AT);
  const { agent: named } = await scene.person.answer('allow', { grant: 'session' });
  expect((await first).isError).not.toBe(true);
  expect(named).toMatchObject({ executable: before, pid: child.pid });
  expect((await agent.tool('click', AT)).isError).not.toBe(true);
  expect(ticks()).toHaveLength(2);
  child.kill('SIGUSR1');
  const card = await scene.person.answer('deny');
  expect(card.agent).toMatchObject({ executable: process.execPath, pid: child.pid, startTime: named.startTime });
  // What it asked for on the old connection was not answered.
  await eventually(() => JSON.parse(readFileSync(out, 'utf8'))[0]).toBe('closed');
  expect(ticks()).toHaveLength(2);
});

test('[req:ID-3] an Allow for an open card does not act for what took the program’s place', async () => {
  await start('idle');
  agent.tool('click', AT).catch(() => undefined);
  const { approval } = await scene.person.next('approvalRequested');
  child.kill('SIGUSR1');
  await eventually(program).toBe(realpathSync(process.execPath));
  await settle(scene.person, approval, 'allow');
  const { activity } = await scene.person.next('activity', (one) => one.activity.executionId === approval.executionId);
  expect(activity.outcome).not.toBe('done');
  expect(ticks()).toHaveLength(0);
});
