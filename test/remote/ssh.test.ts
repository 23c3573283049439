/** A host on another machine through a real SSH server: two homes, one server on a loopback port, keys of their own. */
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { startAgent, type TestAgent } from '../support/agent.js';
import { createHome, type Home } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { startHost, type TestHost } from '../support/host.js';
import { cardOf, openPage, settle, type Person } from '../support/person.js';
import { sshInstalled, startSshMachine, type SshMachine } from '../support/sshd.js';

const OPEN = { application_id: 'Notes' };

describe.runIf(sshInstalled)('a host on another machine', () => {
  let far: TestHost;
  let machine: SshMachine;
  let person: Person;
  let here: Home;
  const agents: TestAgent[] = [];

  beforeAll(async () => {
    far = await startHost();
    machine = await startSshMachine({ CHAPERONE_HOME: far.home, CHAPERONE_BACKEND: 'simulated' });
    here = createHome();
  });
  beforeEach(async () => {
    person = await openPage(far.host.url, far.host.pairingLink());
    person.allowLooking();
  });
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.close();
    person.close();
    machine.knowKey('own');
    machine.hold(false);
    while (machine.connections().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  afterAll(async () => {
    await here.close();
    await machine.close();
    await far.close();
  });

  async function agentHere(args: readonly string[] = ['--connect', machine.address]): Promise<TestAgent> {
    const agent = await startAgent(here.path, { name: 'far-agent', env: machine.env, args: [...args] });
    agents.push(agent);
    return agent;
  }

  async function localAgent(): Promise<TestAgent> {
    const agent = await startAgent(far.home);
    agents.push(agent);
    return agent;
  }

  const DONE = { isError: false, value: { effect: expect.any(String) } };

  async function windowOf(agent: TestAgent): Promise<{ name: string }> {
    const { value } = await agent.call('list_windows');
    const found = z.object({ windows: z.array(z.object({ name: z.string(), title: z.string() })) }).parse(value);
    const name = found.windows.find(({ title }) => title === 'Shopping')?.name;
    if (name === undefined) throw new Error('no window');
    return { name };
  }

  async function allowed(call: Promise<{ text: string; isError: boolean }>, grant: 'once' | 'session' = 'once') {
    const card = await cardOf(person, call);
    await settle(person, card, 'allow', { grant });
    expect(await call).toMatchObject(DONE);
    return card;
  }

  test('a call is asked for and done there, shown as via SSH, and its evidence stays there [req:RH-1] [req:RH-2]', async () => {
    const agent = await agentHere();
    const card = await allowed(agent.call('open_application', OPEN));
    expect(card.agent).toMatchObject({ via: 'ssh', executable: '', script: null, cwd: null });
    expect(card.agent.claim).toMatch(/^far-agent 1\.0\.0 @ .+@.+/);
    expect(card.workspace.startsWith(far.home)).toBe(true);
    expect(existsSync(join(far.home, 'state/artifacts/desktop'))).toBe(true);
    expect(here.hosts()).toEqual([]);
    expect(existsSync(join(here.path, 'state'))).toBe(false);
  });

  test('a grant ends with the connection, and is never “always” [req:RH-3]', async () => {
    const agent = await agentHere();
    await allowed(agent.call('open_application', OPEN));
    const notes = await windowOf(agent);
    const card = await allowed(agent.call('move_window', { ...notes, x: 5, y: 5 }), 'session');
    expect(card.grants.map(({ kind }) => kind)).not.toContain('always');
    expect(await agent.call('move_window', { ...notes, x: 9, y: 9 })).toMatchObject({ isError: false });
    const given = await person.next('grants', ({ grants }) => grants.length > 0);
    expect(given.grants[0]?.agent).toMatchObject({ via: 'ssh' });
    machine.drop();
    await person.next('grants', ({ grants }) => grants.length === 0);
    await allowed(agent.call('move_window', { ...notes, x: 12, y: 12 }));
  });

  test('the grant of a program there is not one for what SSH forwards, nor the other way round [req:RH-3]', async () => {
    const [local, remote] = [await localAgent(), await agentHere()];
    await allowed(local.call('open_application', OPEN));
    const notes = await windowOf(local);
    await allowed(local.call('move_window', { ...notes, x: 5, y: 5 }), 'session');
    const card = await allowed(remote.call('move_window', { ...notes, x: 8, y: 8 }), 'session');
    expect(card.agent).toMatchObject({ via: 'ssh' });
    expect(await remote.call('move_window', { ...notes, x: 10, y: 10 })).toMatchObject({ isError: false });
    const other = await agentHere();
    const again = await allowed(other.call('move_window', { ...notes, x: 12, y: 12 }));
    expect(again.agent.id).not.toBe(card.agent.id);
  });

  test('a call whose connection is lost while its card is open is answered after it [req:RH-4]', async () => {
    const agent = await agentHere();
    const call = agent.call('open_application', { ...OPEN, new_instance: true });
    const card = await cardOf(person, call);
    machine.drop();
    await person.next('approvalChanged', ({ approval }) => approval.orphaned);
    const back = await person.next('approvalChanged', ({ approval }) => !approval.orphaned);
    expect(back.approval).toMatchObject({ id: card.id, agent: { id: card.agent.id } });
    await settle(person, back.approval, 'allow');
    expect(await call).toMatchObject(DONE);
  });

  test('an answer given while the connection is lost is used when it is back [req:RH-4]', async () => {
    const agent = await agentHere();
    const call = agent.call('open_application', { ...OPEN, new_instance: true });
    await cardOf(person, call);
    machine.hold(true);
    machine.drop();
    const left = await person.next('approvalChanged', ({ approval }) => approval.orphaned);
    expect(left.approval.agentEnded).toBeUndefined();
    await settle(person, left.approval, 'allow');
    await new Promise((resolve) => setTimeout(resolve, 4000));
    machine.hold(false);
    expect(await call).toMatchObject(DONE);
  });

  test('a shim that is run there by SSH is a program of another machine too [req:RH-2]', async () => {
    const agent = await startAgent(here.path, { env: machine.env, command: ['ssh', 'far', 'chaperone', 'mcp'] });
    agents.push(agent);
    const card = await allowed(agent.call('open_application', OPEN));
    expect(card.agent).toMatchObject({ via: 'ssh', executable: '' });
    expect(card.grants.map(({ kind }) => kind)).not.toContain('always');
  });

  test.each([
    ['none', 'its host key is not known here', 'connect once with `ssh far`'],
    ['other', 'its host key is another', 'find out why'],
  ] as const)('its key is checked by SSH itself (%s known) [req:RH-5]', async (known, why, next) => {
    machine.knowKey(known);
    const agent = await agentHere();
    const answer = await agent.call('list_displays');
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(why);
    expect(answer.text).toContain(next);
  });

  test.each([
    ['no-such-program', 'Chaperone is not found there', ''],
    ['old', 'Chaperone 9.9.0 is there', 'echo Welcome; echo \'{"chaperone":"9.9.0","host":null}\'; cat'],
    ['stopped', 'no host of Chaperone runs there', 'CHAPERONE_HOME=/nonexistent/home exec chaperone "$@"'],
    ['odd', 'what answers cannot be trusted', 'echo \'{"chaperone":[]}\'; cat'],
  ])('what is wrong there is said, with the next step: %s [req:RH-6]', async (command, why, script) => {
    if (script !== '') machine.install(command, `#!/bin/sh\n${script}\n`);
    const agent = await agentHere(['--connect', machine.address, '--command', command]);
    const answer = await agent.call('list_displays');
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(why);
    expect(answer.text).toContain('Next: ');
  });

  test('a host is started there only where that is asked for [req:RH-6]', async () => {
    const other = createHome();
    try {
      machine.install('fresh', `#!/bin/sh\nCHAPERONE_HOME=${other.path} exec chaperone "$@"\n`);
      const without = await agentHere(['--connect', machine.address, '--command', 'fresh']);
      expect((await without.call('list_displays')).text).toContain('connect with --start');
      expect(other.hosts()).toEqual([]);
      const agent = await agentHere(['--connect', machine.address, '--command', 'fresh', '--start']);
      expect(await agent.call('list_displays')).toMatchObject({ isError: false });
      expect(other.hosts()).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  test('what is no name never gets to SSH or a shell [req:RH-5]', async () => {
    const trace = join(here.path, 'trace');
    for (const address of [`ssh://-oProxyCommand=touch ${trace}`, `ssh://far;touch ${trace}`, 'ssh://a@-b', 'far'])
      expect(await here.run(['mcp', '--connect', address], machine.env)).toMatchObject({ code: 2 });
    const words = await here.run(['mcp', '--connect', machine.address, '--command', `x;touch ${trace}`], machine.env);
    expect(words).toMatchObject({ code: 2 });
    expect(await here.run(['mcp', '--start'])).toMatchObject({ code: 2 });
    expect(existsSync(trace)).toBe(false);
  });

  test('a socket that somebody forwards is taken with its bridge.json, and another user’s is not [req:RH-7]', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chp-fwd-'));
    const bridge = readBridge(hostPaths({ CHAPERONE_HOME: far.home }));
    if (bridge === null) throw new Error('no host');
    const path = join(folder, 'far.sock');
    const forward = machine.forward(path, bridge.socket);
    try {
      await eventually(() => existsSync(path)).toBe(true);
      const agent = await agentHere(['--connect', `unix://${path}`]);
      expect((await agent.call('list_displays')).text).toContain('no bridge.json');
      writeFileSync(join(folder, 'bridge.json'), JSON.stringify(bridge), { mode: 0o600 });
      const card = await allowed(agent.call('open_application', OPEN));
      expect(card.agent.via).toBe('ssh');
      if (process.getuid?.() !== 0) return;
      chownSync(path, 65_534, 65_534);
      const refused = await agentHere(['--connect', `unix://${path}`]);
      expect((await refused.call('list_displays')).text).toContain('cannot be trusted');
    } finally {
      await forward.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
