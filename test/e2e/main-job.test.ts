import { CLICK } from '../support/titles.js';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.js';
import { startApp, type DesktopApp } from '../support/desktop-app.js';
import { eventually } from '../support/eventually.js';
import type { TestHost } from '../support/host.js';
import type { Person } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { withPerson } from '../support/with-person.js';

let chaperone: TestHost;
let agent: TestAgent;
let person: Person;

withPerson((started) => ({ chaperone, person, agent } = started));

for (const kit of ['gtk', 'qt'] as const) {
  describe(`the main job on a real ${kit} application, through the real shim`, () => {
    let app: DesktopApp;
    const title = `Letter ${kit}`;
    const parent = () => `applications/${app.pid}`;

    beforeAll(async () => {
      app = await startApp(kit, chaperone.host.desktopEnv ?? {}, ['--title', title]);
      await looked('wait_element', { parent: parent(), role: 'AXButton', title: 'Send', timeout: 20 });
    });
    afterAll(() => app.close());
    const presses = async () =>
      (await app.journal()).filter((line) => line.control === 'send' && line.event === 'pressed').length;
    const entered = async () =>
      (await app.journal()).findLast((line) => line.control === 'entry' && line.event === 'changed')?.value;

    const allowed = async (work: Promise<Awaited<ReturnType<TestAgent['call']>>>) => {
      const [result] = await Promise.all([work, person.answer('allow')]);
      if (result.isError) throw new Error(result.text);
      return result;
    };
    const looked = async (name: string, args: Record<string, unknown>) => {
      const result = await agent.call(name, args);
      if (result.isError) throw new Error(result.text);
      return result;
    };

    test('asks a question and gets the person’s answer', async () => {
      const [result] = await Promise.all([
        agent.call('send_message', { text: `May I press **Send** in ${title}?` }),
        person.reply('Yes, once.'),
      ]);
      expect(result.value).toMatchObject({ reply: 'Yes, once.', paired: true });
    });

    test('[req:DS-9-2] finds a button, presses it after Allow, and the application says that it was pressed', async () => {
      const found = await looked('wait_element', { parent: parent(), role: 'AXButton', title: 'Send', timeout: 20 });
      const { elementId } = found.value['element'] as { elementId: string };
      expect(await presses()).toBe(0);
      const work = agent.call('click_element', { element_id: elementId });
      const card = await person.answer('allow');
      const clicked = await work;
      expect(card.subject).toMatchObject({ title: CLICK, target: 'Send', place: title });
      expect(card.picture?.target).not.toBeNull();
      expect(clicked.isError, clicked.text).toBe(false);
      expect(clicked.value).toMatchObject({ clicked: true, method: 'accessibility' });
      await eventually(presses).toBe(1);
    });

    test('[req:DS-6-26] a denied press never reaches the application', async () => {
      const found = await looked('find_elements', { parent: parent(), role: 'AXButton', title: 'Send' });
      const [{ elementId }] = found.value['elements'] as [{ elementId: string }];
      const before = (await app.journal()).length;
      const [result] = await Promise.all([
        agent.call('click_element', { element_id: elementId }),
        person.answer('deny', { message: 'not now' }),
      ]);
      expect(result.isError).toBe(true);
      expect(result.text).toContain('not now');
      expect(await app.journal()).toHaveLength(before);
    });

    test('[req:DS-9-2] writes text with umlauts, Chinese and emoji, and reads it back', async () => {
      const found = await looked('find_elements', { parent: parent(), role: 'AXTextField', title: 'Name' });
      const [{ elementId }] = found.value['elements'] as [{ elementId: string }];
      const written = await allowed(
        agent.call('write_element_value', { element_id: elementId, value: 'Grüße 你好 🎉' }),
      );
      expect(written.value).toMatchObject({ effect: 'confirmed', after: 'Grüße 你好 🎉' });
      await eventually(entered).toBe('Grüße 你好 🎉');
    });

    test('[req:DS-9-2] presses keys in the window, after bringing it back to the front', async () => {
      const found = await looked('find_elements', { parent: parent(), role: 'AXTextField', title: 'Name' });
      const [{ frame }] = found.value['elements'] as [
        { frame: { x: number; y: number; width: number; height: number } },
      ];
      await allowed(
        agent.call('click', { x: Math.round(frame.x + frame.width / 2), y: Math.round(frame.y + frame.height / 2) }),
      );
      await allowed(agent.call('press_key', { key: 'a', modifiers: ['ctrl'], application: String(app.pid) }));
      await allowed(agent.call('type_text', { text: 'über alles 😀', application: String(app.pid) }));
      await eventually(entered).toContain('über alles 😀');
    });

    test('a screenshot says its size, scale and origin', async () => {
      const shot = await looked('capture_screenshot', {});
      expect(shot.images).toHaveLength(1);
      expect(shot.text).toMatch(/\d+×\d+ px, [\d.]+ px per point/);
    });

    test('[req:DS-4-16] its elements have AX role names, and a route names it by its window class', async () => {
      const bundleId = { gtk: 'Gtk-fixture.py', qt: 'qt-fixture' }[kit];
      const rpc = await openRpc(chaperone.host.socketPath, chaperone.workspace);
      const find = (byRole: string) =>
        rpc.result('desktop.find', { route: { app: { bundleId } }, selector: { byRole, titleContains: 'Send' } });
      expect(await find('AXButton')).toMatchObject({ matched: 1, elementRefs: [{ role: 'AXButton', title: 'Send' }] });
      expect(await find('push button')).toMatchObject({ matched: 0 });
      rpc.close();
    });

    test('the same press through raw JSON-RPC, with evidence in the caller’s workspace', async () => {
      const rpc = await openRpc(chaperone.host.socketPath, chaperone.workspace);
      const before = await presses();
      const [result] = await Promise.all([
        rpc.result('desktop.click', {
          route: { window: { titlePattern: `^${title}$` } },
          target: { selector: { byRole: 'AXButton', titleContains: 'Send' } },
          confirm: { phrase: 'CONFIRM' },
        }),
        person.answer('allow'),
      ]);
      rpc.close();
      const { dir } = result['evidence'] as { dir: string };
      expect(dir.startsWith(`${chaperone.workspace}/artifacts/desktop/`)).toBe(true);
      for (const name of ['before.png', 'after.png'])
        expect((await readFile(dir + name)).subarray(1, 4).toString()).toBe('PNG');
      await eventually(presses).toBe(before + 1);
    });
  });
}
