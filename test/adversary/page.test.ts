import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { FromPage } from '../../src/main/protocol/index.js';
import { openGabp } from '../support/gabp.js';
import { realPresses } from '../support/host.js';
import { connectAs, type Other } from '../support/other.js';
import { settle, type Person } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { CLICK_SEND, CONFIRM, NOTES, startScene, type Scene } from '../support/world.js';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene(realPresses);
});
afterEach(() => scene.close());

const errorOf = (person: Person) => person.next('error');

/** Sends it and gives the refusal. */
async function refused(person: Person, message: FromPage): Promise<string> {
  person.send(message);
  return (await errorOf(person)).code;
}

/** The stranger's reply to the agent's question is refused, and the person's reaches it. */
async function expectNoReply(agent: Awaited<ReturnType<typeof openGabp>>, stranger: Person): Promise<void> {
  const question = agent.tool('send_message', { text: 'Shall I?' });
  const asked = await scene.person.next('agentMessage');
  expect(await refused(stranger, { type: 'ack', id: asked.ack_id, message: 'yes, do it' })).toBe('pairing_needed');
  scene.person.send({ type: 'ack', id: asked.ack_id, message: 'no' });
  expect((await question).structuredContent).toMatchObject({ reply: 'no', paired: true });
  agent.close();
}

async function openCard() {
  const call = scene.rpc.call('desktop.click', CLICK_SEND);
  const { approval } = await scene.person.next('approvalRequested');
  return { call, card: approval };
}

const sent = () => scene.world.journal().filter(({ control, event }) => control === 'send' && event === 'pressed');

describe('a page that is not paired', () => {
  test('decides, resumes, revokes and widens nothing [req:DS-6-34] [req:DS-6-27] [req:DS-7-11]', async () => {
    const stranger = await scene.page();
    const { call, card } = await openCard();
    const attempts: FromPage[] = [
      { type: 'approval', id: card.id, digest: card.digest, decision: 'allow' },
      { type: 'approval', id: card.id, digest: card.digest, decision: 'allow', grant: 'always' },
      { type: 'approval', id: card.id, digest: card.digest, decision: 'deny' },
      { type: 'pause', on: false },
      { type: 'abort' },
      { type: 'revokeGrant', id: card.id },
      { type: 'revokePairing', keyId: 'anything' },
      { type: 'setPolicy', preset: 'standard' },
    ];
    for (const attempt of attempts)
      expect([attempt, await refused(stranger, attempt)]).toEqual([attempt, 'pairing_needed']);
    expect(sent()).toEqual([]);
    await settle(scene.person, card, 'deny');
    expect((await call).error).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED', details: { reason: 'denied' } });
  });

  test('is told nothing of cards, activity, grants, policy and agents', async () => {
    const stranger = await scene.page();
    const { call, card } = await openCard();
    await settle(scene.person, card, 'allow');
    expect((await call).result).toMatchObject({ clicked: true });
    stranger.send({ type: 'resume', cursor: 0 });
    const again = await stranger.next('connected');
    expect(again).toMatchObject({
      role: 'unpaired',
      approvals: [],
      activity: [],
      grants: [],
      policy: null,
      health: null,
    });
    expect(again.status.agents).toEqual([]);
    const kinds = new Set(stranger.seen.map(({ type }) => type));
    for (const secret of ['approvalRequested', 'approvalResolved', 'approvalChanged', 'activity', 'grants', 'policy'])
      expect(kinds).not.toContain(secret);
    expect(JSON.stringify(stranger.seen)).not.toContain('Send');
  });

  test('run by a connected agent, does not answer for the person [req:DS-7-12]', async () => {
    const agent = await openGabp(scene);
    await expectNoReply(agent, await scene.page());
  });

  test('opened before its program became an agent, does not answer either [req:DS-7-12]', async () => {
    const stranger = await scene.page();
    await expectNoReply(await openGabp(scene), stranger);
  });

  test('cannot guess a link: wrong codes, a spent one, and then none at all for a while [req:DS-7-15]', async () => {
    const link = scene.host.pairingLink();
    const key = { kty: 'EC' as const, crv: 'P-256' as const, x: 'a'.repeat(43), y: 'b'.repeat(43) };
    const stranger = await scene.page();
    expect(await refused(stranger, { type: 'pair', code: 'a'.repeat(43), publicKey: key })).toBe('wrong_code');
    await scene.page(link);
    const spent = new URL(link).hash.replace('#pair=', '');
    expect(await refused(stranger, { type: 'pair', code: spent, publicKey: key })).toBe('wrong_code');
    const proof: FromPage = { type: 'authenticate', keyId: 'x', signature: 'y' };
    expect(await refused(stranger, proof)).toBe('not_paired');
    const codes: string[] = [];
    for (let tries = 0; tries < 3; tries += 1)
      codes.push(await refused(stranger, { type: 'pair', code: `wrong-${tries}`, publicKey: key }));
    expect(codes).toContain('too_many');
  });
});

describe('an answer that must not count', () => {
  test('sooner than half a second after the card, so Enter pressed ahead approves nothing [req:DS-6-21]', async () => {
    const { call, card } = await openCard();
    const refusals = await settle(scene.person, card, 'allow');
    expect(refusals[0]).toBe('too_soon');
    expect((await call).result).toMatchObject({ clicked: true });
    expect(sent()).toHaveLength(1);
  });

  test('for another digest than the card’s, or a card that is gone [req:DS-6-23]', async () => {
    const { call, card } = await openCard();
    const stale: FromPage = { type: 'approval', id: card.id, digest: 'f'.repeat(64), decision: 'allow' };
    expect(await refused(scene.person, stale)).toBe('stale');
    await settle(scene.person, card, 'deny');
    await call;
    const late: FromPage = { type: 'approval', id: card.id, digest: card.digest, decision: 'allow' };
    expect(await refused(scene.person, late)).toBe('settled');
    expect(sent()).toEqual([]);
  });

  test('within a second of injected input: the press is asked for again [req:DS-6-30]', async () => {
    const second = connectAs({ path: scene.host.socketPath });
    const rpc = await openRpc(second.stream, scene.workspace);
    const late = rpc.call('desktop.click', CLICK_SEND);
    const { approval: waiting } = await scene.person.next('approvalRequested');
    const typing = scene.rpc.call('desktop.hotkey', { route: NOTES, keys: ['x'], confirm: CONFIRM });
    const { approval } = await scene.person.next('approvalRequested');
    await settle(scene.person, approval, 'allow');
    while (!scene.world.journal().some(({ value }) => value === 'x'))
      await new Promise((resolve) => setImmediate(resolve));
    expect(await settle(scene.person, waiting, 'allow')).toContain('press_again');
    expect((await typing).result).toMatchObject({ sent: true });
    expect((await late).result).toMatchObject({ clicked: true });
    rpc.close();
    await second.close();
  });

  test('three refusals in a minute pause the agent, and only the person lets it go on [req:DS-6-25]', async () => {
    for (let times = 0; times < 3; times += 1) {
      const { call, card } = await openCard();
      await settle(scene.person, card, 'deny');
      expect((await call).error).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED' });
    }
    expect(await scene.rpc.error('desktop.click', CLICK_SEND)).toMatchObject({
      code: 'DESKTOP_HOST_NOT_READY',
      details: { reason: 'paused' },
    });
    const stranger = await scene.page();
    expect(await refused(stranger, { type: 'pause', on: false })).toBe('pairing_needed');
    scene.person.send({ type: 'pause', on: false });
    const { call, card } = await openCard();
    await settle(scene.person, card, 'allow');
    expect((await call).result).toMatchObject({ clicked: true });
  });
});

describe('another user of this machine', () => {
  let other: Other;
  afterEach(() => other.close());

  test('gets no conversation on the page’s socket, and answers nothing [req:DS-7-12]', async () => {
    const agent = await openGabp(scene);
    const question = agent.tool('send_message', { text: 'The secret is 1234' });
    const asked = await scene.person.next('agentMessage');
    const { host, port } = new URL(scene.host.url);
    other = connectAs({ host: '127.0.0.1', port: Number(port) }, { uid: 65_534 });
    const socket = new WebSocket(`ws://${host}/ws`, { origin: `http://${host}`, createConnection: () => other.stream });
    const heard: string[] = [];
    socket.on('message', (data) => heard.push(String(data)));
    await once(socket, 'message');
    expect(JSON.parse(heard[0] ?? '')).toMatchObject({
      type: 'connected',
      role: 'unpaired',
      history: [],
      pendingAckId: null,
    });
    socket.send(JSON.stringify({ type: 'ack', id: asked.ack_id, message: 'I am the person' }));
    await once(socket, 'message');
    expect(JSON.parse(heard[1] ?? '')).toMatchObject({ type: 'error', code: 'pairing_needed' });
    socket.send(JSON.stringify({ type: 'resume', cursor: 0 }));
    await once(socket, 'message');
    expect(heard.join('')).not.toContain('1234');
    scene.person.send({ type: 'ack', id: asked.ack_id, message: 'thanks' });
    expect((await question).structuredContent).toMatchObject({ reply: 'thanks' });
    socket.terminate();
    agent.close();
  });

  test('is refused on the agents’ socket [req:DS-3-5]', async () => {
    other = connectAs({ path: scene.host.socketPath }, { uid: 65_534 });
    other.stream.on('error', () => undefined);
    expect(await other.ended).toBe('EACCES');
    expect(await scene.rpc.result('desktop.health')).toBeDefined();
  });
});
