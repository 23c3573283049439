import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openGabp } from '../support/gabp.js';
import { holdTimers } from '../support/held-timers.js';
import { connectAs } from '../support/other.js';
import { settle } from '../support/person.js';
import { CLICK_SEND, CONFIRM, MAIL, NOTES, startScene, type Scene } from '../support/world.js';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

const NOTE = { selector: { byRole: 'AXTextArea' } };
const type = (text: string, route = NOTES, target: object = NOTE) =>
  scene.rpc.call('desktop.typeText', { route, target, text, confirm: CONFIRM });
const press = (keys: string[], delayMs = 0) =>
  scene.rpc.call('desktop.hotkey', { route: NOTES, keys, options: { delayMs }, confirm: CONFIRM });

/** Clicks and typing in Notes, until this agent quits. */
async function grantNotes(): Promise<void> {
  const call = type('first ');
  await scene.person.answer('allow', { grant: 'session' });
  expect((await call).result).toMatchObject({ typed: true });
}

const cards = () => scene.person.seen.filter(({ type: kind }) => kind === 'approvalRequested').length;

describe('a grant', () => {
  test('lets through what it was given for, and asks for what reaches past the window or ends a line [req:DS-6-15] [req:DS-6-12]', async () => {
    await grantNotes();
    expect((await type('second ')).result).toMatchObject({ typed: true });
    expect((await press(['x'])).result).toMatchObject({ sent: true });
    // In a text area a line break is text.
    expect((await type('two\nlines')).result).toMatchObject({ typed: true });
    expect(cards()).toBe(1);
    for (const attempt of [
      () => type('Bob\n', MAIL, { selector: { byRole: 'AXTextField', titleContains: 'To' } }),
      () => type('rm -rf ~\n', { app: { bundleId: 'simulated.terminal' } }),
      () => type('tab\there'),
      () => type('carriage\rreturn'),
      () => press(['cmd', 'space']),
      () => press(['alt', 'F2']),
      () => press(['ctrl', 'alt', 'delete']),
      () => press(['enter'], 400),
      () => type('other application', MAIL),
      () => scene.rpc.call('desktop.click', CLICK_SEND),
    ]) {
      const before = scene.world.journal().length;
      const call = attempt();
      const { approval } = await scene.person.next('approvalRequested', (one) => one.approval.createdAt > '');
      expect(scene.world.journal()).toHaveLength(before);
      scene.person.send({ type: 'pause', on: true });
      await scene.person.next('approvalResolved', ({ id }) => id === approval.id);
      expect((await call).error).toBeDefined();
      scene.person.send({ type: 'pause', on: false });
      await scene.person.next('status', ({ status }) => status.paused === null);
    }
  });

  test('is for one agent: another process of the same program is asked for', async () => {
    await grantNotes();
    const other = connectAs({ path: scene.host.socketPath });
    const agent = await openGabp(scene, { stream: other.stream });
    const attempt = agent.tool('type_text', { text: 'me too', application: 'simulated.notes' });
    const card = await scene.person.answer('deny');
    expect(card.agent.pid).toBe(other.pid);
    expect((await attempt).isError).toBe(true);
    agent.close();
    await other.close();
  });

  test('taken back in the middle of an act stops it before the next key [req:RA-10]', async () => {
    await grantNotes();
    const { grants } = await scene.person.next('grants');
    scene.world.clearJournal();
    const pause = holdTimers(700);
    const call = press(['a', 'b', 'c'], 700);
    const keys = () => scene.world.journal().filter(({ event }) => event === 'key');
    while (keys().length === 0) await new Promise((resolve) => setImmediate(resolve));
    scene.person.send({ type: 'revokeGrant', id: grants[0]?.id ?? '' });
    await scene.person.next('grants', ({ grants: left }) => left.length === 0);
    await pause.end();
    const { error } = await call;
    expect(error).toMatchObject({ code: 'DESKTOP_ABORTED' });
    expect(keys().length).toBeLessThan(3);
  });

  test('is not offered longer than once for a terminal, and an answer that asks for it is refused [req:DS-6-13]', async () => {
    const call = scene.rpc.call('desktop.typeText', {
      route: { app: { bundleId: 'simulated.terminal' } },
      target: NOTE,
      text: 'ls',
      confirm: CONFIRM,
    });
    const { approval } = await scene.person.next('approvalRequested');
    expect(approval.grants.map(({ kind }) => kind)).not.toContain('always');
    await expect(settle(scene.person, approval, 'allow', { grant: 'always' })).rejects.toThrow('grant_not_offered');
    await settle(scene.person, approval, 'deny');
    expect((await call).error).toMatchObject({ details: { reason: 'denied' } });
  });
});

test('a picture given to one agent is neither listed for nor read by another', async () => {
  const seeing = await openGabp(scene);
  const looking = seeing.tool('capture_screenshot');
  await scene.person.answer('allow');
  expect((await looking).isError).not.toBe(true);
  const pictures = async (agent: typeof seeing) => {
    const listed = (await agent.request('resources/list')) as { resources: { uri: string }[] };
    return listed.resources.filter(({ uri }) => uri.includes('/images/'));
  };
  const resources = await pictures(seeing);
  expect(resources).toHaveLength(1);
  const other = connectAs({ path: scene.host.socketPath });
  const thief = await openGabp(scene, { stream: other.stream });
  expect(await pictures(thief)).toEqual([]);
  await expect(thief.request('resources/read', { uri: resources[0]?.uri })).rejects.toThrow(/not found/);
  const guess = thief.tool('click', { x: 5, y: 5, space: `image:${resources[0]?.uri.split('/').at(-1)}` });
  scene.person.send({ type: 'pause', on: true });
  expect((await guess).isError).toBe(true);
  for (const agent of [seeing, thief]) agent.close();
  await other.close();
});
