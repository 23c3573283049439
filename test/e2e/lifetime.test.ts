/** How a host begins, what it leaves on disk, and how it ends. */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { message } from '../../src/messages/index.js';
import { createHome } from '../support/command.js';
import { openGabp } from '../support/gabp.js';
import { startHost, type TestHost } from '../support/host.js';
import { openPage } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { CLICK_COPY, CLICK_SEND, MAIL, startScene } from '../support/world.js';

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function background(): Promise<TestHost> {
  const started = await startHost({ background: true, idleMs: 1_000 });
  closers.push(() => started.close());
  return started;
}

/** Whether the host stays for longer than its patience. */
async function stays({ host }: TestHost): Promise<boolean> {
  const left = host.ended.then(() => false);
  return Promise.race([left, new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 2_500))]);
}

test('[req:DS-1-3] a host in the background stays for a connection, a card, a question and a page, and leaves when nothing is left', async () => {
  const started = await background();
  const { host } = started;
  const rpc = await openRpc(host.socketPath, started.workspace);
  await rpc.result('desktop.health');
  expect(await stays(started)).toBe(true);

  const person = await openPage(host.url, host.pairingLink());
  const asked = rpc.call('desktop.click', CLICK_SEND);
  asked.catch(() => undefined);
  const { approval } = await person.next('approvalRequested');
  rpc.close();
  person.close();
  expect(await stays(started)).toBe(true);

  const agent = await openGabp(started);
  agent.tool('send_message', { text: 'Are you there?' }).catch(() => undefined);
  const back = await openPage(host.url, host.pairingLink());
  await back.match((one) => one.type === 'agentMessage' || (one.type === 'connected' && one.pendingAckId !== null));
  agent.close();
  back.send({ type: 'approval', id: approval.id, digest: approval.digest, decision: 'deny' });
  await back.next('approvalResolved');
  back.close();
  expect(await stays(started)).toBe(true);

  const last = await openPage(host.url, host.pairingLink());
  const pending = last.seen.findLast((one) => one.type === 'connected');
  if (pending?.type !== 'connected' || pending.pendingAckId === null) throw new Error('no question waits');
  last.send({ type: 'ack', id: pending.pendingAckId, message: 'yes' });
  await last.next('userMessage');
  last.close();
  expect(await host.ended).toEqual(message('host.idle'));
});

test('[req:DS-2-11] a closed host leaves nothing that keeps its process alive, whatever was open', async () => {
  const home = createHome();
  closers.push(() => home.close());
  const root = new URL('../../dist/main/host/', import.meta.url).href;
  const script = `
    const { createHost } = await import('${root}index.js');
    const { hostPaths } = await import('${root}discovery.js');
    const { connect } = await import('node:net');
    const { once } = await import('node:events');
    const { default: pino } = await import('pino');
    const paths = hostPaths({ CHAPERONE_HOME: ${JSON.stringify(home.path)} });
    for (let round = 0; round < 3; round += 1) {
      const host = await createHost({
        paths, workspaceRoot: ${JSON.stringify(home.path)}, backend: 'simulated', display: 'current', narrow: false,
        background: true, tcp: 0, assets: '/nonexistent', env: {}, log: pino({ level: 'silent' }),
      });
      const socket = connect(host.socketPath);
      await once(socket, 'connect');
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'desktop.find', params: { selector: {},
        meta: { schemaVersion: 1, requestId: 'r', workspacePath: ${JSON.stringify(home.path)}, timeoutMs: 60000 } } });
      socket.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
      host.pairingLink();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await host.close();
      socket.destroy();
    }
    const end = performance.now() + 20_000;
    const look = () => {
      const open = process.getActiveResourcesInfo().filter((one) => !/Immediate|TTYWrap|PipeWrap/.test(one));
      if (open.length > 0 && performance.now() < end) setImmediate(look);
      else console.log(JSON.stringify(open));
    };
    setImmediate(look);
  `;
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../..', import.meta.url),
    env: { PATH: process.env['PATH'] ?? '', HOME: home.path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  closers.push(() => void child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toEqual([]);
  const files = await readdir(home.path, { recursive: true });
  expect(files.filter((name) => /bridge\.json$|\.sock$/.test(name))).toEqual([]);
});

test('[req:DS-3-19] where the path of the socket would be too long it is elsewhere, private, and agents find it by bridge.json', async () => {
  const home = await mkdtemp(join(tmpdir(), `chaperone-${'l'.repeat(90)}-`));
  closers.push(() => rm(home, { recursive: true, force: true }));
  const paths = hostPaths({ CHAPERONE_HOME: home });
  const started = await startHost({ paths });
  closers.push(() => started.close());
  const { socketPath } = started.host;
  expect([socketPath.startsWith(home), Buffer.byteLength(socketPath) < 104]).toEqual([false, true]);
  expect((await stat(dirname(socketPath))).mode & 0o777).toBe(0o700);
  expect(readBridge(paths)).toMatchObject({ socket: socketPath });
  const agent = await openGabp({ ...started, home });
  expect((await agent.tool('list_displays')).isError).not.toBe(true);
  agent.close();
});

test('[req:DS-7-26] the next start has the port of the last', async () => {
  const started = await startHost();
  closers.push(() => started.close());
  const { url } = started.host;
  await started.restart();
  expect(started.host.url).toBe(url);
  await started.restart();
  expect(started.host.url).toBe(url);
});

test('[req:DS-10-8] configuration and state have the names that people look for, and are private', async () => {
  const scene = await startScene();
  closers.push(() => scene.close());
  const agent = await openGabp(scene);
  closers.push(() => agent.close());
  await Promise.all([agent.tool('send_message', { text: 'Hello?' }), scene.person.reply('Hello.')]);
  await Promise.all([scene.rpc.call('desktop.click', CLICK_COPY), scene.person.answer('allow', { grant: 'session' })]);
  scene.person.send({ type: 'setPolicy', preset: 'strict' });
  await scene.person.next('policy');
  const state = join(scene.home, 'state');
  for (const name of ['bridge.json', 'chat.jsonl', 'audit.jsonl', 'grants.json'])
    expect((await stat(join(state, name))).mode & 0o777, name).toBe(0o600);
  expect((await stat(join(scene.home, 'config', 'policy.json'))).mode & 0o777).toBe(0o600);
  for (const folder of [state, join(scene.home, 'config')]) expect((await stat(folder)).mode & 0o077).toBe(0);
});

test('[req:DS-6-3] an unattended policy is said at start, and on every page', async () => {
  const home = createHome();
  closers.push(() => home.close());
  const host = home.start(['host', '--policy', 'unattended', '--print-pairing']);
  await expect.poll(() => host.stdout()).toContain('#pair=');
  await expect.poll(() => host.stderr()).toMatch(/WARNING: the policy is unattended/);
  const [url = '', , link = ''] = host.stdout().split('\n');
  const person = await openPage(url, link);
  closers.push(() => person.close());
  const greeting = person.seen.findLast((one) => one.type === 'connected');
  expect(greeting).toMatchObject({ policy: { preset: 'unattended' } });
});

test('[req:DS-8-11] old evidence goes by a setting of the policy file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-policy-'));
  closers.push(() => rm(folder, { recursive: true }));
  const policy = join(folder, 'policy.json');
  await writeFile(policy, JSON.stringify({ preset: 'unattended', evidence: { maxBytes: 100_000 } }), { mode: 0o600 });
  const scene = await startScene({ policy });
  closers.push(() => scene.close());
  const dirs: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    const { evidence } = await scene.rpc.result('desktop.observe', { route: round % 2 === 0 ? MAIL : undefined });
    dirs.push((evidence as { dir: string }).dir);
  }
  const there = async () => Promise.all(dirs.map((dir) => readdir(dir).then(() => true, () => false))); // prettier-ignore
  await expect.poll(async () => (await there())[0]).toBe(false);
  expect((await there()).at(-1)).toBe(true);
});
