import { expect, it } from 'vitest';
import { connectAs } from '../support/other.js';
import { openPage } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { CLICK_SEND, startScene } from '../support/world.js';
import { message } from '../../src/messages/index.js';

it('[req:AP-G-3] an agent that left while it was paused is shown, over a restart too, until a person lets it go on', async () => {
  const scene = await startScene();
  try {
    const other = connectAs({ path: scene.host.socketPath });
    const rpc = await openRpc(other.stream, scene.workspace);
    const work = rpc.call('desktop.click', CLICK_SEND);
    const { approval } = await scene.person.next('approvalRequested');
    const { id } = approval.agent;
    scene.person.send({ type: 'pauseAgent', id, on: true });
    expect((await work).error).toBeDefined();
    const { status: here } = await scene.person.next('status', ({ status }) =>
      status.agents.some((one) => one.id === id && one.state === 'paused'),
    );
    expect(here.away).toEqual([]);
    await other.close();
    const gone = (all: { agents: { id: string }[]; away?: unknown[] | undefined }) =>
      all.agents.every((one) => one.id !== id) && (all.away ?? []).length > 0;
    const { status } = await scene.person.next('status', ({ status: now }) => gone(now));
    expect(status.away).toMatchObject([{ id, agent: { id, pid: other.pid }, paused: { reason: message('pause.by', { who: 'person', did: 'one' }) } }]); // prettier-ignore
    expect(status.paused).toBeNull();

    await scene.restart();
    const person = await openPage(scene.host.url, scene.host.pairingLink());
    const known = person.seen.findLast((one) => one.type === 'connected');
    expect(known?.status.away).toMatchObject([{ id, agent: { pid: other.pid, executable: process.execPath } }]);
    const stranger = await openPage(scene.host.url);
    expect(JSON.stringify(stranger.seen)).not.toContain(id);
    stranger.send({ type: 'pauseAgent', id, on: false });
    expect(await stranger.next('error')).toMatchObject({ code: 'pairing_needed' });
    person.send({ type: 'pauseAgent', id, on: false });
    await person.next('status', ({ status: now }) => now.away?.length === 0);
    person.send({ type: 'pauseAgent', id, on: false });
    expect(await person.next('error')).toMatchObject({ code: 'unknown_agent' });
    stranger.close();
    person.close();
  } finally {
    await scene.close();
  }
});
