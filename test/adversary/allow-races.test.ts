/** An Allow that arrives right after something that takes the right away: it never acts. */
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { openGabp } from '../support/gabp.js';
import { press, type Person } from '../support/person.js';
import { CLICK_COPY, startScene, type Scene } from '../support/world.js';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene({ tcp: 0 });
});
afterEach(() => scene.close());

const ticks = () => scene.world.journal().filter(({ control, event }) => control === 'copy' && event === 'toggled');

/** A card whose buttons are no longer dead. */
async function waitingCard() {
  const call = scene.rpc.call('desktop.click', CLICK_COPY).catch((thrown: unknown) => thrown);
  const { approval } = await scene.person.next('approvalRequested');
  // From half a second on it takes an answer.
  await eventually(() => Date.now() - Date.parse(approval.createdAt)).toBeGreaterThan(600);
  return { call, approval };
}

/** Sent on one connection in one go, so that nothing comes between them. */
test.each<[string, (person: Person) => void]>([
  ['a pause', (person) => person.send({ type: 'pause', on: true })],
  ['Stop in the menu', () => void scene.host.menubar.stop()],
])('[req:RA-1] right after %s', async (_what, before) => {
  const { call, approval } = await waitingCard();
  before(scene.person);
  press(scene.person, approval, 'allow');
  const { decision } = await scene.person.next('approvalResolved', ({ id }) => id === approval.id);
  expect(decision).toBe('deny');
  await call;
  expect(ticks()).toEqual([]);
});

test('[req:RA-1] by a page whose pairing was taken away just before', async () => {
  const second = await scene.page(scene.host.pairingLink());
  const { pairings } = await second.next('pairings', (one) => one.pairings.some(({ here }) => here));
  const keyId = pairings.find(({ here }) => here)?.keyId ?? '';
  const { call, approval } = await waitingCard();
  scene.person.send({ type: 'revokePairing', keyId });
  await scene.person.next('pairings', (one) => !one.pairings.some((each) => each.keyId === keyId));
  press(second, approval, 'allow');
  // Both came in before this one's answer goes out.
  await scene.rpc.result('desktop.health');
  expect(scene.person.seen.filter((one) => one.type === 'approvalResolved')).toEqual([]);
  press(scene.person, approval, 'deny');
  await call;
  expect(ticks()).toEqual([]);
});

test('[req:RA-2] over TCP: no JSON-RPC, no admin methods, and the same cards', async () => {
  const port = scene.host.tcpPort ?? 0;
  const agent = await openGabp(scene, { stream: connect(port, '127.0.0.1') });
  for (const method of ['admin/pair', 'admin/stop', 'admin/deny', 'admin/status'])
    await expect(agent.request(method)).rejects.toThrow('Method not found');
  const click = agent.tool('click', { x: 90, y: 498 });
  const card = await scene.person.answer('deny');
  expect(card.agent.pid).toBe(process.pid);
  expect((await click).isError).toBe(true);
  agent.close();
  const raw = connect(port, '127.0.0.1');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'desktop.health', params: {} });
  raw.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  const heard = await new Promise<string>((resolve) => {
    raw.once('data', (data) => resolve(String(data)));
    raw.once('close', () => resolve(''));
  });
  expect(heard).not.toContain('hostVersion');
  raw.destroy();
  expect(ticks()).toEqual([]);
});
