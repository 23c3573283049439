/** What an agent, which can read the token of the socket, gets of the command line's own methods. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { ENTRY } from '../support/command.js';
import { openGabp } from '../support/gabp.js';
import { connectAs } from '../support/other.js';
import { openPage } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { CLICK_SEND, startWorld, type WorldHost } from '../support/world.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Shown {
  status: { agents: { pid: number }[] };
  otherAgents: number;
  pendingApprovals: number;
  desktop: { env: unknown };
}
interface Cards {
  approvals: { agent: { pid: number }; arguments: unknown }[];
  others: number;
}

/** Another agent, a process of its own, whose request waits for the person. */
async function waitingAgent(host: WorldHost): Promise<number> {
  const other = connectAs({ path: host.host.socketPath });
  closers.push(() => other.close());
  const rpc = await openRpc(other.stream, host.workspace);
  const person = await openPage(host.host.url, host.host.pairingLink());
  closers.push(() => person.close());
  void rpc.call('desktop.click', CLICK_SEND);
  await person.next('approvalRequested');
  return other.pid;
}

async function ask(host: WorldHost, stream?: Parameters<typeof openGabp>[1]) {
  const session = await openGabp(host, stream);
  closers.push(() => session.close());
  const read = async () => ({
    status: (await session.request('admin/status')) as unknown as Shown,
    cards: (await session.request('admin/approvals')) as unknown as Cards,
  });
  return { ...session, read };
}

/** What the command says, started by this process. */
async function said(host: WorldHost, ...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', CHAPERONE_HOME: host.home };
  return (await promisify(execFile)(process.execPath, [ENTRY, ...args], { env })).stdout;
}

/** From now on this process, and what it starts, is an agent. */
async function becomeAgent(host: WorldHost) {
  const rpc = await openRpc(host.host.socketPath, host.workspace);
  closers.push(() => rpc.close());
  await rpc.result('desktop.health');
  return rpc;
}

async function started(more = {}): Promise<WorldHost> {
  const host = await startWorld(more);
  closers.push(() => host.close());
  return host;
}

test('a person in a terminal sees who is connected and all that waits', async () => {
  const host = await started();
  const pid = await waitingAgent(host);
  expect(await said(host, 'status')).toContain(`(pid ${pid}), waiting`);
  expect(await said(host, 'approvals', 'list')).toMatch(
    /^waiting for you: 1 .*\n[0-9a-f-]{36} {2}.*: Click “Send” in Mail.*\n$/,
  );
  const { status, cards } = await (await ask(host)).read();
  expect(status.status.agents.map((agent) => agent.pid)).toContain(pid);
  expect(status).toMatchObject({ otherAgents: 0, pendingApprovals: 1 });
  expect(cards).toMatchObject({ others: 0, approvals: [{ agent: { pid }, arguments: { target: CLICK_SEND.target } }] });
});

test('an agent, and what it starts, sees counts and its own cards only', async () => {
  const host = await started();
  const pid = await waitingAgent(host);
  const rpc = await becomeAgent(host);
  const child = connectAs({ path: host.host.socketPath });
  closers.push(() => child.close());
  const views = [await ask(host), await ask(host, { stream: child.stream })];
  for (const view of views) {
    const { status, cards } = await view.read();
    expect(cards).toEqual({ approvals: [], others: 1, pendingQuestions: 0, doubt: 'agent' });
    expect(status).toMatchObject({ pendingApprovals: 1, otherAgents: 1, desktop: { env: null } });
    expect(status.status.agents.map((agent) => agent.pid)).toEqual([process.pid]);
    expect(JSON.stringify([status, cards])).not.toMatch(new RegExp(`"pid":${pid}\\b`));
  }
  expect(await said(host, 'status')).toMatch(
    /waiting for you: 1 \(1 request, 0 questions\)\n[^]*1 more, which the page shows/,
  );
  expect(await said(host, 'approvals')).toMatch(
    /\nOther requests that wait: 1\nYou see counts only\. An agent uses this terminal/,
  );
  void rpc.call('desktop.click', CLICK_SEND);
  const own = async () => (await views[1]?.read())?.cards;
  await expect.poll(own).toMatchObject({ approvals: [{ agent: { pid: process.pid } }], others: 1 });
});

test('no agent, and nothing it starts, sends a background host away that is in use', async () => {
  const host = await started({ background: true });
  const rpc = await becomeAgent(host);
  const child = connectAs({ path: host.host.socketPath });
  closers.push(() => child.close());
  const asking = await ask(host, { stream: child.stream });
  await expect(asking.request('admin/handover')).rejects.toThrow('in use');
  const pid = await waitingAgent(host);
  rpc.close();
  process.kill(pid, 'SIGKILL');
  const left = async () => (await asking.read()).status;
  await expect.poll(left).toMatchObject({ otherAgents: 0, status: { agents: [] } });
  await expect.poll(() => host.host.menubar.cards()).toMatchObject([{ orphaned: true }]);
  await expect(asking.request('admin/handover')).rejects.toThrow('in use');
});
