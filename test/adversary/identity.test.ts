import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RESUME_TOOL } from '../../src/main/protocol/local-command.js';
import { startAgent } from '../support/agent.js';
import { openGabp, type Gabp } from '../support/gabp.js';
import { connectAs, type Other } from '../support/other.js';
import { settle } from '../support/person.js';
import { openPipe, type TestPipe } from '../support/pipe.js';
import { startScene, type Scene } from '../support/world.js';

let scene: Scene;
let others: Other[] = [];
beforeEach(async () => {
  scene = await startScene();
});
afterEach(async () => {
  await Promise.all(others.map((other) => other.close()));
  others = [];
  await scene.close();
});

/** A process of its own that calls itself so. */
async function agentCalled(name: string): Promise<{ agent: Gabp; pid: number }> {
  const other = connectAs({ path: scene.host.socketPath });
  others.push(other);
  return { agent: await openGabp(scene, { name, stream: other.stream }), pid: other.pid };
}

const tick = (agent: Gabp | TestPipe) => agent.tool('click', { x: 90, y: 498 });
const ticks = () => scene.world.journal().filter(({ control, event }) => control === 'copy' && event === 'toggled');

describe('a name is a claim [req:DS-6-17]', () => {
  test('a borrowed one matches no grant, and the card shows it beside what the kernel says', async () => {
    const trusted = await agentCalled('Trusted Agent');
    const first = tick(trusted.agent);
    await scene.person.answer('allow', { grant: 'session' });
    expect((await first).isError).not.toBe(true);
    expect((await tick(trusted.agent)).isError).not.toBe(true);
    expect(ticks()).toHaveLength(2);
    const [{ grants }] = [await scene.person.next('grants')];
    expect(grants).toMatchObject([{ kind: 'session', agent: { pid: trusted.pid } }]);

    const thief = await agentCalled('Trusted Agent');
    const attempt = tick(thief.agent);
    const card = await scene.person.answer('deny');
    expect(card.agent).toMatchObject({ claim: 'Trusted Agent 1', pid: thief.pid, executable: process.execPath });
    expect(card.agent.name).not.toContain('Trusted');
    expect((await attempt).isError).toBe(true);
    expect(ticks()).toHaveLength(2);
  });

  test('changed in the middle of a connection it moves no grant, no pause and no card to another agent', async () => {
    const other = connectAs({ path: scene.host.socketPath });
    others.push(other);
    const pipe = await openPipe(scene, { stream: other.stream, cwd: '/root', claim: 'one 1' });
    const asked = async (claim: string) => {
      const attempt = tick(pipe);
      const { agent } = await scene.person.answer('deny');
      await attempt;
      expect(agent).toMatchObject({ claim, pid: process.pid });
      expect(agent.name).not.toContain('Claude');
      expect(agent.cwd).not.toBe('/root');
      return agent.id;
    };
    const before = await asked('one 1');
    const clientInfo = { name: 'Claude Code', version: '9' };
    await pipe.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    expect(await asked('Claude Code 9')).toBe(before);
    pipe.close();
  });

  test('one agent reads, resumes, cancels and aborts nothing of another’s [req:DS-4-3]', async () => {
    const victim = await startAgent(scene.home, { ownProcess: true, args: ['--call-limit', '1'] });
    const thief = await openPipe(scene);
    const { value: handle } = await victim.call('click', { x: 90, y: 498 });
    const { approval } = await scene.person.next('approvalRequested');
    const callId = String(handle['callId']);
    const resumed = await thief.tool(RESUME_TOOL, { call_id: callId });
    expect(resumed.isError).toBe(true);
    expect(resumed.content[0]?.text).toContain('DESKTOP_INVALID_REQUEST');
    await thief.tell('notifications/cancelled', { requestId: 1 });
    for (const id of [approval.executionId, callId, approval.id])
      expect(await scene.rpc.error('desktop.abort', { executionId: id })).toMatchObject({
        code: 'DESKTOP_INVALID_REQUEST',
      });
    await settle(scene.person, approval, 'allow');
    expect((await victim.call(RESUME_TOOL, { call_id: callId })).isError).toBe(false);
    expect(ticks()).toHaveLength(1);
    thief.close();
    await victim.close();
  });
});
