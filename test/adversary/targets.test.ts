import { describe, expect, test } from 'vitest';
import type { Window } from '../../src/native/desktop.js';
import { openGabp, type Gabp } from '../support/gabp.js';
import { settle } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { CLICK_SEND, CONFIRM, MAIL, SEND, type Scene, eachScene } from '../support/world.js';

let scene: Scene;
let agent: Gabp;
eachScene((made) => ({ scene, agent } = made));

const signal = () => AbortSignal.timeout(5000);
const mail = async (): Promise<Window> => {
  const found = (await scene.desktop.windows(signal())).find((one) => one.title === 'New Message');
  if (found === undefined) throw new Error('no mail window');
  return found;
};
const pressed = () => scene.world.journal().filter(({ event }) => event === 'pressed' || event === 'changed');

/** The person says yes, and at the last moment the world is another one. */
async function allowAfter(change: () => void): Promise<void> {
  const { approval } = await scene.person.next('approvalRequested');
  change();
  await settle(scene.person, approval, 'allow');
}

const sendButton = (onPress?: () => void) => ({
  role: 'AXButton' as const,
  title: 'Send',
  identifier: 'send',
  frame: { x: 432, y: 384, width: 108, height: 32 },
  ...(onPress === undefined ? {} : { onPress }),
});

describe('what the person agreed to is not there any more [req:DS-6-10] [req:DS-4-12]', () => {
  test('a dialog with the same title, role and path in the same place', async () => {
    const { id } = await mail();
    const path = (await scene.desktop.element(scene.world.find('send') ?? '', signal())).path;
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    await allowAfter(() => {
      const before = Array.from({ length: (path.at(-1) ?? 0) as number }, () => ({
        role: 'AXStaticText' as const,
        title: '',
        frame: { x: 0, y: 0, width: 1, height: 1 },
      }));
      scene.world.swapDialog(id, { title: 'New Message', elements: [...before, sendButton()] });
    });
    expect((await call).error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED' });
    expect(pressed()).toEqual([]);
  });

  test('another button under the same name in the same window', async () => {
    const { id } = await mail();
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    await allowAfter(() => {
      scene.world.removeElement(scene.world.find('send') ?? '');
      scene.world.addElement(id, sendButton());
    });
    expect((await call).error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED' });
    expect(pressed()).toEqual([]);
  });

  test('other pixels at the same coordinates', async () => {
    const call = agent.tool('click', { x: 300, y: 300 });
    await allowAfter(() =>
      scene.world.change(scene.world.find('body') ?? '', { value: `${'Delete everything '.repeat(8)}\n`.repeat(30) }),
    );
    const answer = await call;
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toContain('DESKTOP_TARGET_CHANGED');
    expect(scene.world.journal().filter(({ event }) => event === 'pointer')).toEqual([]);
  });

  test('another window over the same coordinates gets nothing of the click', async () => {
    const call = agent.tool('click', { x: 300, y: 300 });
    const { app, frame } = await mail();
    await allowAfter(() => void scene.world.addWindow(app.pid, { title: 'Really delete?', frame }));
    const answer = await call;
    // The approved window came forward and took the click, and the answer says so.
    expect(answer.structuredContent).toMatchObject({ clicked: true, effect: 'confirmed' });
    const windows = scene.world.journal().map(({ window }) => window);
    expect(new Set(windows)).toEqual(new Set(['New Message']));
  });

  test('the same window at another address', async () => {
    const { id } = await mail();
    scene.world.retitleWindow(id, 'Shop', 'https://shop.example/cart');
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    await allowAfter(() => scene.world.retitleWindow(id, 'Shop', 'https://bank.example/pay'));
    expect((await call).error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED' });
    expect(pressed()).toEqual([]);
  });

  test('a text field that has become a password field', async () => {
    const call = scene.rpc.call('desktop.typeText', {
      route: MAIL,
      target: { selector: { byRole: 'AXTextField', titleContains: 'Subject' } },
      text: 'hello',
      confirm: CONFIRM,
    });
    await allowAfter(() => scene.world.setSecure(scene.world.find('subject') ?? '', true));
    expect((await call).error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED' });
    expect(pressed()).toEqual([]);
  });

  test('the process ended and another of the same name came', async () => {
    const { app } = await mail();
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    const { approval } = await scene.person.next('approvalRequested');
    scene.world.kill(app.pid);
    await scene.desktop.launch('simulated.mail', { background: false, newInstance: false }, signal());
    await settle(scene.person, approval, 'allow');
    expect((await call).error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED' });
    expect(pressed()).toEqual([]);
  });

  test('[req:DS-5-12] an Allow kept for a caller that had gone does not act on what looks different now [req:DS-6-11]', async () => {
    const { id } = await mail();
    const leaving = await openRpc(scene.host.socketPath, scene.workspace);
    void leaving.call('desktop.click', CLICK_SEND);
    const { approval } = await scene.person.next('approvalRequested');
    leaving.close();
    await scene.person.next('approvalChanged', (changed) => changed.approval.orphaned);
    await settle(scene.person, approval, 'allow');
    scene.world.swapDialog(id, { title: 'New Message', elements: [sendButton()] });
    const again = scene.rpc.call('desktop.click', CLICK_SEND);
    const { approval: fresh } = await scene.person.next('approvalRequested');
    expect(fresh.id).not.toBe(approval.id);
    expect(pressed()).toEqual([]);
    scene.person.send({ type: 'pause', on: true });
    expect((await again).error?.code).toMatch(/DESKTOP_(CONFIRM_REQUIRED|ABORTED|HOST_NOT_READY)/);
    expect(pressed()).toEqual([]);
  });
});

test('an Allow kept for a drag is not one into a window that only has the name of the one it was to end in [req:DS-6-11]', async () => {
  const own = await mail();
  const notes = (await scene.desktop.windows(signal())).find(({ title }) => title === 'Shopping');
  if (notes === undefined) throw new Error('no notes');
  const from = { x: own.frame.x + 60, y: own.frame.y + 10 };
  const to = { x: notes.frame.x + 200, y: notes.frame.y + 300 };
  const drag = { start_x: from.x, start_y: from.y, end_x: to.x, end_y: to.y };
  const leaving = await openGabp(scene);
  const left = expect(leaving.tool('drag', drag)).rejects.toThrow('ended');
  const { approval } = await scene.person.next('approvalRequested');
  leaving.close();
  await left;
  await scene.person.next('approvalChanged', (changed) => changed.approval.orphaned);
  await settle(scene.person, approval, 'allow');
  scene.world.clearJournal();
  scene.world.removeWindow(notes.id);
  const { title, frame } = notes;
  const other = scene.world.addApp({ id: 'evil', name: 'Notes', executable: '/evil', windows: [{ title, frame, elements: [] }] }); // prettier-ignore
  expect(other).toBeGreaterThan(0);
  scene.world.raiseWindow(own.id);
  void agent.tool('drag', drag).catch(() => undefined);
  const { approval: fresh } = await scene.person.next('approvalRequested');
  expect(fresh.id).not.toBe(approval.id);
  expect(scene.world.journal().filter(({ event }) => event === 'pointer')).toEqual([]);
});

describe('a selector', () => {
  test('that fits several is refused with the candidates, and none is pressed [req:DS-6-7]', async () => {
    scene.person.allowLooking();
    const { id } = await mail();
    scene.world.addElement(id, {
      role: 'AXButton',
      title: 'Send later',
      frame: { x: 10, y: 430, width: 80, height: 20 },
    });
    const error = await scene.rpc.error('desktop.click', { route: MAIL, target: SEND, confirm: CONFIRM });
    expect(error).toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND', details: { reason: 'ambiguous' } });
    expect(error.details['candidates']).toHaveLength(2);
    expect(pressed()).toEqual([]);
  });

  test('is not for what is disabled or hidden: the only one that is neither is meant, and none where none is left [req:DS-6-7]', async () => {
    scene.person.allowLooking();
    const { id } = await mail();
    const other = (more: object) => scene.world.addElement(id, { ...sendButton(), ...more });
    other({ enabled: false, frame: { x: 10, y: 430, width: 80, height: 20 } });
    other({ visible: false, frame: { x: 120, y: 430, width: 80, height: 20 } });
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    await allowAfter(() => undefined);
    expect((await call).result).toMatchObject({ clicked: true });
    expect(pressed()).toHaveLength(1);
    scene.world.clearJournal();
    scene.world.change(scene.world.find('send') ?? '', { enabled: false });
    const error = await scene.rpc.error('desktop.click', CLICK_SEND);
    expect(error).toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND' });
    expect(pressed()).toEqual([]);
  });
});
