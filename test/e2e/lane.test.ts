/** Who acts when: one lane for the desktop, free while a person thinks. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGabp } from '../support/gabp.js';
import { realPresses } from '../support/host.js';
import { holdTimers } from '../support/held-timers.js';
import { connectAs, type Other } from '../support/other.js';
import { settle } from '../support/person.js';
import { openRpc, type Rpc } from '../support/rpc.js';
import { CLICK_SEND, CONFIRM, MAIL, NOTES, startScene, type Scene } from '../support/world.js';

let scene: Scene;
let other: Other;
let second: Rpc;
beforeEach(async () => {
  scene = await startScene(realPresses);
  scene.person.allowLooking();
  other = connectAs({ path: scene.host.socketPath });
  second = await openRpc(other.stream, scene.workspace);
});
afterEach(async () => {
  second.close();
  await other.close();
  await scene.close();
});

const TICK = {
  route: NOTES,
  target: { selector: { byRole: 'AXCheckBox', titleContains: 'Locked' } },
  confirm: CONFIRM,
};
const card = () => scene.person.next('approvalRequested', ({ approval }) => approval.effect !== 'disclose');
const acts = () =>
  scene.world
    .journal()
    .filter(({ event }) => event === 'pressed' || event === 'toggled')
    .map(({ control }) => control);

test('[req:DS-2-5] [req:DS-2-7] [req:DS-2-10] while one agent’s card waits another acts, reads go on, and the order of Allow is the order of acting', async () => {
  const find = () => scene.rpc.result('desktop.find', { route: MAIL, selector: { titleContains: 'Send' } });
  await find();
  const first = scene.rpc.call('desktop.click', CLICK_SEND);
  const { approval: firstCard } = await card();
  const ticked = second.call('desktop.click', TICK);
  const { approval: secondCard } = await card();
  expect(firstCard.agent.pid).not.toBe(secondCard.agent.pid);
  expect(await find()).toMatchObject({ matched: 2 });
  expect(acts()).toEqual([]);

  await settle(scene.person, secondCard, 'allow');
  expect((await ticked).result).toMatchObject({ clicked: true });
  expect(acts()).toEqual(['locked']);
  await settle(scene.person, firstCard, 'allow');
  expect((await first).result).toMatchObject({ clicked: true });
  expect(acts()).toEqual(['locked', 'send']);
});

test('[req:DS-2-10] reads and waits take no lane: they end while another agent holds it', async () => {
  holdTimers(5000);
  const typing = second.call('desktop.hotkey', {
    route: NOTES,
    keys: ['a', 'b'],
    options: { delayMs: 5000 },
    confirm: CONFIRM,
  }, { requestId: 'holds-the-lane' }); // prettier-ignore
  await settle(scene.person, (await card()).approval, 'allow');
  await expect.poll(() => scene.world.journal().some(({ event }) => event === 'keyup')).toBe(true);
  const [read, waited] = await Promise.all([
    scene.rpc.call('desktop.find', { route: MAIL, selector: { titleContains: 'Send' } }),
    scene.rpc.call('desktop.waitUntil', {
      route: MAIL,
      condition: { selectorExists: { titleContains: 'Send' } },
      timeoutMs: 5000,
    }),
  ]);
  expect(read.result).toMatchObject({ matched: 2 });
  expect(waited.result).toMatchObject({ ok: true });
  const ended = scene.world.journal().filter(({ value }) => value === 'b');
  expect(ended).toEqual([]);
  await second.result('desktop.abort', { executionId: 'holds-the-lane' });
  expect((await typing).error).toMatchObject({ code: 'DESKTOP_ABORTED' });
});

test('[req:DS-2-6] an agent’s acts run one after another: the second is planned and asked for when the first has ended', async () => {
  const first = scene.rpc.call('desktop.click', CLICK_SEND);
  const { approval } = await card();
  const next = scene.rpc.call('desktop.click', TICK);
  expect(approval.subject.target).toBe('Send');
  scene.world.change(scene.world.find('locked') ?? '', { title: 'Locked by somebody' });
  await settle(scene.person, approval, 'allow');
  await first;
  const { approval: later } = await card();
  expect(later.subject.target).toBe('Locked by somebody');
  await settle(scene.person, later, 'allow');
  expect((await next).result).toMatchObject({ clicked: true });
  expect(acts()).toEqual(['send', 'locked']);
});

test('[req:PR-4] [req:PR-2] an agent that types without a pause keeps nobody from allowing another: it stands still from the refused press on, then types on', async () => {
  const typist = connectAs({ path: scene.host.socketPath });
  const typing = await openGabp(scene, { stream: typist.stream });
  const text = 'x'.repeat(900);
  const typed = typing
    .tool('type_text', { text, char_delay: 0.2, application: 'simulated.notes' })
    .catch(() => undefined);
  await settle(scene.person, (await card()).approval, 'allow');
  const keys = () => scene.world.journal().filter(({ value }) => value === 'x').length;
  await expect.poll(keys).toBeGreaterThan(2);
  const first = scene.rpc.call('desktop.click', CLICK_SEND);
  expect(await settle(scene.person, (await card()).approval, 'allow')).toContain('press_again');
  const before = keys();
  expect(before).toBeLessThan(text.length);
  await expect.poll(keys).toBeGreaterThan(before);
  typing.close();
  await typist.close();
  await typed;
  expect((await first).result).toMatchObject({ clicked: true });
});
