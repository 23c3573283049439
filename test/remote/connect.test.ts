/** `chaperone connect`: in a network of its own, as on another machine, where the ports of the far host’s page are free. */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectHost } from '../../src/main/cli/host-client.js';
import { remoteHost } from '../../src/main/remote/index.js';
import { shellLine } from '../../src/main/protocol/local-command.js';
import { parseAddress } from '../../src/main/remote/address.js';
import { startAgent } from '../support/agent.js';
import { LET_IN, createHome, ENTRY, type Home, type Running } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { startHost, type TestHost } from '../support/host.js';
import { CHROMIUM, launchChromium } from '../support/page-browser.js';
import { openPage, press, settle, type Person } from '../support/person.js';
import { sshInstalled, startSshMachine, type SshMachine } from '../support/sshd.js';

const LOOPBACK = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const networks = sshInstalled && spawnSync('unshare', ['-n', ...LOOPBACK, 'true']).status === 0;

/** What a page without a pairing is told first. */
const LOOK = `
const { WebSocket } = require(${JSON.stringify(createRequire(import.meta.url).resolve('ws'))});
const at = 'localhost:' + process.argv[1];
const socket = new WebSocket('ws://' + at + '/ws', { headers: { origin: 'http://' + at } });
socket.on('message', (data) => { console.log(String(data)); process.exit(0); });
socket.on('error', (error) => { console.log(String(error)); process.exit(1); });
`;

describe.runIf(networks)('chaperone connect', () => {
  let far: TestHost;
  let machine: SshMachine;
  let farPerson: Person;
  let here: Home;
  let local: Running;
  let person: Person;
  const connecting: ChildProcess[] = [];

  beforeAll(async () => {
    far = await startHost();
    machine = await startSshMachine({ CHAPERONE_HOME: far.home, CHAPERONE_BACKEND: 'simulated' });
    farPerson = await openPage(far.host.url, far.host.pairingLink());
    here = createHome();
    local = here.start(['host', '--print-pairing']);
    while (!local.stdout().includes('#pair=')) await new Promise((resolve) => setTimeout(resolve, 20));
    const [url = '', , link = ''] = local.stdout().split('\n');
    person = await openPage(url, link);
  });
  afterAll(async () => {
    for (const child of connecting) child.kill('SIGKILL');
    person.close();
    farPerson.close();
    await here.close();
    await machine.close();
    await far.close();
  });

  function connect(to = machine): { child: ChildProcess; said: () => string } {
    // In a terminal, as the person types it: nobody else may tell of another machine.
    const typed = shellLine([...LOOPBACK, process.execPath, ENTRY, 'connect', to.proxied]);
    const child = spawn('unshare', ['-n', ...LET_IN, 'script', '-qec', typed, '/dev/null'], {
      env: { ...here.env, ...to.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    connecting.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    return { child, said: () => said };
  }

  /** Started by a process of its own: else this one were an agent here, and what it starts would see nothing of the list. */
  const agentHere = (to = machine) =>
    startAgent(here.path, { env: to.env, args: ['--connect', to.address], ownProcess: true });

  const rowOf = (waiting: number, state = 'connected') =>
    person.next('status', ({ status }) =>
      (status.elsewhere ?? []).some((one) => one.waiting === waiting && one.state === state),
    );

  test('its page is at the same port here, unpaired, and what waits there is shown here and answered there only [req:RH-8] [req:RH-9]', async () => {
    const { child, said } = connect();
    const { status } = await rowOf(0);
    expect(status.elsewhere).toEqual([{ address: machine.proxied, state: 'connected', url: far.host.url, waiting: 0 }]);
    expect(said()).toContain(`${machine.proxied}: ${far.host.url} is its page`);

    const look = ['--net', '-t', String(child.pid), process.execPath, '-e', LOOK, new URL(far.host.url).port];
    // Not synchronously: the far host is in this process.
    const seen = await promisify(execFile)('nsenter', look);
    expect(JSON.parse(seen.stdout)).toMatchObject({ type: 'connected', role: 'unpaired', history: [], approvals: [] });

    const agent = await startAgent(far.home);
    const call = agent.call('open_application', { application_id: 'Notes' });
    await rowOf(1);
    expect((await here.type(['connect', '--list'])).stdout).toBe(
      `${machine.proxied}  1 waits for you  ${far.host.url}\n`,
    );
    const { approval } = await farPerson.next('approvalRequested');
    press(person, approval, 'allow');
    expect(await person.next('error', ({ about }) => about === approval.id)).toMatchObject({ code: 'unknown_card' });
    await settle(farPerson, approval, 'deny');
    expect(await call).toMatchObject({ isError: true });
    await rowOf(0);

    machine.knowKey('none');
    machine.drop();
    await rowOf(0, 'lost');
    machine.knowKey('own');
    await rowOf(0);

    child.kill('SIGTERM');
    await person.next('status', ({ status: now }) => now.elsewhere?.length === 0);
    expect((await here.type(['connect', '--list'])).stdout).toContain('No host on another machine');
    await agent.close();
    await eventually(() => machine.connections()).toEqual([]);
  });

  test('a browser here is the first page of that host, and an agent’s card there is allowed in it [req:RH-8] [req:RH-9]', async () => {
    const server = await startHost();
    const other = await startSshMachine({ CHAPERONE_HOME: server.home, CHAPERONE_BACKEND: 'simulated' });
    const { child } = connect(other);
    await rowOf(0);
    const program = join(here.path, 'chromium');
    writeFileSync(program, `#!/bin/sh\nexec nsenter --net -t ${child.pid} ${CHROMIUM} "$@"\n`, { mode: 0o755 });
    const browser = await launchChromium(program);
    const agent = await agentHere(other);
    try {
      const page = await browser.newPage();
      await page.goto(server.host.pairingLink());
      await page.locator('#views').waitFor();
      const call = agent.call('open_application', { application_id: 'Notes' });
      const allow = page.locator('article [data-part="allow"]');
      await allow.waitFor();
      expect(await page.locator('article').first().innerText()).toContain('A program via SSH wants to');
      await allow.click();
      expect(await call).toMatchObject({ isError: false, value: { effect: expect.any(String) } });
    } finally {
      await agent.close();
      await browser.close();
      child.kill('SIGTERM');
      await person.next('status', ({ status }) => status.elsewhere?.length === 0);
      await other.close();
      await server.close();
    }
  });

  test('what waits there for an agent here is listed here in the name of that agent, while it waits, and has no link [req:RH-9]', async () => {
    const agent = await agentHere();
    try {
      const call = agent.call('open_application', { application_id: 'Notes' });
      const { status } = await person.next('status', ({ status: now }) => now.elsewhere?.[0]?.by !== undefined);
      const [row] = status.elsewhere ?? [];
      expect(status.elsewhere).toEqual([
        { address: machine.address, state: 'connected', url: null, waiting: 1, by: expect.stringMatching(/./) },
      ]);
      expect((await here.type(['connect', '--list'])).stdout).toBe(
        `${machine.address}  1 waits for you (says ${row?.by})\n`,
      );
      const { approval } = await farPerson.next('approvalRequested');
      await settle(farPerson, approval, 'deny');
      expect(await call).toMatchObject({ isError: true });
      await person.next('status', ({ status: now }) => now.elsewhere?.length === 0);
    } finally {
      await agent.close();
    }
  });

  test('a port that is taken here is said, with what to do [req:RH-6]', async () => {
    const ended = await here.run(['connect', machine.address], machine.env);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`port ${new URL(far.host.url).port} of its page is taken`);
    expect(ended.stderr).toContain('--port');
  });

  test('whoever comes through SSH gets no link, tells of no hosts, and sees nothing of other agents [req:RH-10]', async () => {
    const agent = await startAgent(far.home);
    const call = agent.call('open_application', { application_id: 'Notes' });
    const { approval } = await farPerson.next('approvalRequested');
    const [program, ...more] = [`${machine.env.PATH.split(':')[0] ?? ''}/ssh`];
    const remote = remoteHost({
      address: parseAddress(machine.address),
      command: 'chaperone',
      start: false,
      page: false,
      program: [program, ...more],
      name: 'test',
      version: '1',
    });
    const session = await connectHost(remote, false, new AbortController().signal);
    try {
      const ask = (method: string, params = {}) => session?.request(method, params);
      await expect(ask('admin/pair')).rejects.toThrow();
      const row = { address: 'ssh://x', state: 'connected', url: null, waiting: 0 };
      await expect(ask('admin/elsewhere', row)).rejects.toThrow('Only a person’s own');
      expect(await ask('admin/approvals')).toEqual({ approvals: [], others: 1, pendingQuestions: 0, doubt: expect.any(String) }); // prettier-ignore
      expect(await ask('admin/status')).toMatchObject({ pendingApprovals: 1, status: { agents: [] } });
      expect(await ask('admin/status')).not.toHaveProperty('status.elsewhere');
    } finally {
      session?.close();
      remote.close();
      await settle(farPerson, approval, 'deny');
      await call;
      await agent.close();
    }
  });
});
