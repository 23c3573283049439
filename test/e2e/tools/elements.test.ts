import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent, type ToolAnswer } from '../../support/agent.js';
import { startControls, type ControlsApp } from '../../support/controls-app.js';
import { eventually } from '../../support/linux-desktop.js';
import { startHost, type TestHost } from '../../support/host.js';

let chaperone: TestHost;
let agent: TestAgent;

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual', policy: 'unattended' });
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
});
afterAll(async () => {
  await agent.close();
  await chaperone.close();
});

interface Shown {
  elementId: string;
  role: string;
  title: string;
  value: string | null;
  states: string[];
  actions: string[];
}

async function call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const result = await agent.call(name, args);
  if (result.isError) throw new Error(result.text);
  return result;
}

async function found(args: Record<string, unknown>): Promise<Shown[]> {
  return (await call('find_elements', { page_size: 200, ...args })).value['elements'] as Shown[];
}

for (const kit of ['gtk', 'qt'] as const) {
  describe(`elements of a real ${kit} application`, () => {
    const title = `Controls ${kit}`;
    let app: ControlsApp;
    let parent: string;
    let main: string;

    beforeAll(async () => {
      app = await startControls(kit, chaperone.host.desktopEnv ?? {}, title);
      parent = `applications/${app.pid}`;
      await call('wait_element', { parent, role: 'button', title: 'Elsewhere', timeout: 60 });
      await call('wait_element', { parent, role: 'button', title: 'Rebuild', timeout: 60 });
      const { windows } = (await call('list_windows', { parent })).value as {
        windows: { name: string; title: string }[];
      };
      main = windows.find((one) => one.title === title)?.name ?? '';
    });
    afterAll(() => app.close());

    const one = async (args: Record<string, unknown>): Promise<Shown> => {
      const all = await found({ parent: main, ...args });
      const fits = args['title'] === undefined ? all : all.filter((each) => each.title === args['title']);
      if (fits.length !== 1 || fits[0] === undefined) throw new Error(`${fits.length} fit ${JSON.stringify(args)}`);
      return fits[0];
    };
    const said = (control: string, event: string, value: string) =>
      eventually(async () => expect((await app.told(control, event)).at(-1)).toBe(value));

    test('case 27 [req:MT-T-find_elements] pages are disjoint, and together everything', async () => {
      const whole = (await found({ parent, visible_only: false })).map((each) => [each.role, each.title]);
      const pages: Shown[][] = [];
      let token: string | null = null;
      do {
        const args: Record<string, unknown> = { parent, visible_only: false, page_size: 3 };
        const { value } = await call('find_elements', token === null ? args : { ...args, page_token: token });
        pages.push(value['elements'] as Shown[]);
        token = value['next_page_token'] as string | null;
      } while (token !== null);
      expect(whole.length).toBeGreaterThan(20);
      expect(Math.max(...pages.map((page) => page.length))).toBe(3);
      expect(new Set(pages.flat().map((each) => each.elementId)).size).toBe(whole.length);
      expect(pages.flat().map((each) => [each.role, each.title])).toEqual(whole);
    });

    test('case 29 [req:MT-T-find_elements]: a role by any of its names; a window as parent leaves the others out', async () => {
      const names = ['AXButton', 'button', 'push button', 'Button', 'push_button', 'AXButton (button)'];
      const lists = await Promise.all(names.map((role) => found({ parent, role })));
      const titles = lists.map((list) => list.map((each) => each.title));
      expect(titles[0]).toEqual(expect.arrayContaining(['Up', 'Rebuild', 'Elsewhere']));
      for (const list of titles) expect(list).toEqual(titles[0]);
      for (const selector of [{ role: 'push button' }, { role: 'AXButton' }])
        expect((await found({ parent, selector })).map((each) => each.title)).toEqual(titles[0]);
      const inside = (await found({ parent: main, role: 'button' })).map((each) => each.title);
      expect(inside).toContain('Up');
      expect(inside).not.toContain('Elsewhere');
      expect((await found({ parent, role: 'page tab' })).map((each) => each.title)).toEqual(['First', 'Second']);
      expect(await found({ parent, role: 'AXButton', title: 'Agree' })).toEqual([]);
    });

    test('[req:MT-T-get_element] [req:MT-T-get_element_actions] by id, in both spellings, and never in another application or window', async () => {
      const { elementId } = await one({ role: 'check box', title: 'Agree' });
      const forms = [
        { element_id: elementId },
        { parent, element_id: elementId },
        { parent: main, element_id: elementId },
        { name: `${parent}/elements/${elementId}` },
        { parent: main, role: 'checkbox', title: 'Agree' },
      ];
      for (const form of forms)
        expect((await call('get_element', form)).value).toMatchObject({
          elementId,
          role: 'AXCheckBox',
          title: 'Agree',
        });
      for (const form of forms) expect((await call('get_element_actions', form)).value['actions']).toContain('AXPress');
      const before = await app.told('agree', 'toggled');
      const other = `${main.replace(/[^/]+$/, '')}nothing`;
      for (const wrong of [
        { parent: 'applications/1' },
        { parent: other },
        { name: `applications/1/elements/${elementId}`, element_id: undefined },
      ]) {
        const refused = await agent.call('click_element', { element_id: elementId, ...wrong });
        expect(refused.isError, JSON.stringify(wrong)).toBe(true);
        expect(refused.text).toContain('DESKTOP_ELEMENT_NOT_FOUND');
      }
      const elsewhere = (await found({ parent, title: 'Elsewhere' }))[0]?.elementId;
      const refused = await agent.call('click_element', { parent: main, element_id: elsewhere });
      expect(refused.text).toContain('is not in');
      expect(await app.told('agree', 'toggled')).toEqual(before);
      expect(await app.told('elsewhere', 'pressed')).toEqual([]);
    });

    test('[req:MT-T-click_element] presses by id or by fields that fit one; several are refused with candidates', async () => {
      await call('click_element', { parent: main, role: 'button', title: 'Alpha' });
      await eventually(async () => expect(await app.told('alpha', 'pressed')).toHaveLength(1));
      const several = await agent.call('click_element', { parent: main, role: 'button' });
      expect(several.isError).toBe(true);
      expect(several.text).toMatch(/ambiguous[\s\S]*Alpha/);
      const disabled = await agent.call('click_element', { parent: main, role: 'button', title: 'Go' });
      expect(disabled.isError).toBe(true);
      expect(await app.told('go', 'pressed')).toEqual([]);
    });

    test('an id survives more than a move of the window and a rebuild of what it names', async () => {
      const { elementId } = await one({ role: 'button', title: 'Beta' });
      await call('move_window', { name: main, x: 90, y: 70 });
      await call('click_element', { element_id: elementId });
      await call('click_element', { parent: main, role: 'button', title: 'Rebuild' });
      await eventually(async () => expect(await app.told('rebuild', 'pressed')).toHaveLength(1));
      await call('wait_element', { parent: main, role: 'button', title: 'Beta' });
      await call('click_element', { element_id: elementId });
      await eventually(async () => expect(await app.told('beta', 'pressed')).toHaveLength(2));
      expect((await call('get_element', { element_id: elementId })).value).toMatchObject({
        title: 'Beta',
        role: 'AXButton',
      });
    });

    test('case 31 [req:MT-T-write_element_value] writing replaces, twice, and empties; what is there is read back', async () => {
      const { elementId } = await one({ role: 'text field', title: 'Name' });
      for (const value of ['first', 'Grüße “中文” 🎉', '']) {
        const { value: written } = await call('write_element_value', { element_id: elementId, value });
        expect(written).toMatchObject({ written: true, value, effect: 'confirmed' });
        await said('name', 'changed', value);
        expect((await call('get_element', { element_id: elementId })).value['value']).toBe(value);
      }
    });

    test('sets a slider and a spin button, and chooses in a combo box', async () => {
      for (const [control, role, title, value] of [
        ['volume', 'slider', 'Volume', 40],
        ['count', 'spin button', 'Count', 7],
      ] as const) {
        const written = await call('write_element_value', { parent: main, role, title, value });
        expect(written.value, written.text).toMatchObject({ value: String(value), effect: 'confirmed' });
        await said(control, 'changed', String(value));
      }
      const chosen = await call('write_element_value', { parent: main, role: 'combo box', value: 'Blue' });
      expect(chosen.value, chosen.text).toMatchObject({ value: 'Blue', effect: 'confirmed' });
      await said('colour', 'changed', 'Blue');
      for (const [role, value, reason] of [
        ['slider', '400', 'limited'],
        ['slider', 'loud', 'not_a_number'],
        ['combo box', 'Purple', 'no_such_option'],
      ]) {
        const refused = await agent.call('write_element_value', { parent: main, role, value });
        expect(refused.isError).toBe(true);
        expect(refused.text).toContain(reason);
      }
    });

    test('[req:MT-T-perform_element_action] by common names; an unknown one is refused with those there are', async () => {
      const before = (await app.told('up', 'pressed')).length;
      for (const action of ['press', 'click', 'AXPress'])
        expect((await call('perform_element_action', { parent: main, role: 'button', title: 'Up', action })).value).toMatchObject({ performed: 'AXPress' }); // prettier-ignore
      await eventually(async () => expect(await app.told('up', 'pressed')).toHaveLength(before + 3));
      const unknown = await agent.call('perform_element_action', {
        parent: main,
        title: 'Up',
        role: 'button',
        action: 'fly',
      });
      expect(unknown.isError).toBe(true);
      expect(unknown.text).toMatch(/unknown_action[\s\S]*AXPress/);
    });

    test('[req:MT-T-set_element_state] checks, selects and expands, reads it back, and does nothing where it is so', async () => {
      const set = (args: Record<string, unknown>) => call('set_element_state', { parent: main, ...args });
      const agree = { role: 'checkbox', title: 'Agree' };
      expect((await set({ ...agree, checked: true })).value).toMatchObject({ changed: true, effect: 'confirmed', after: { checked: true } }); // prettier-ignore
      const again = await set({ ...agree, checked: true });
      expect(again.value).toMatchObject({ changed: false, method: 'none', effect: 'confirmed' });
      expect(again.text).toContain('already');
      expect((await set({ ...agree, checked: false })).value).toMatchObject({ changed: true, effect: 'confirmed' });
      expect(await app.told('agree', 'toggled')).toEqual(['true', 'false']);

      expect((await set({ role: 'list item', title: 'Cherry', selected: true })).value).toMatchObject({ effect: 'confirmed' }); // prettier-ignore
      await said('fruits', 'selected', 'Cherry');
      expect((await set({ role: 'tab', title: 'Second', selected: true })).value).toMatchObject({
        effect: 'confirmed',
      });
      await said('tabs', 'selected', '1');
      for (const expanded of [true, false]) {
        expect((await set({ title: 'Animals', expanded })).value).toMatchObject({ effect: 'confirmed' });
        await said('animals', 'expanded', String(expanded));
      }
      const wrong = await agent.call('set_element_state', { parent: main, role: 'button', title: 'Up', checked: true });
      expect(wrong.text).toContain('DESKTOP_UNSUPPORTED');
      const two = await agent.call('set_element_state', { parent: main, ...agree, checked: true, selected: true });
      expect(two.text).toContain('exactly one');
    });

    test('case 32 [req:MT-T-wait_element] finds what is there at once, gives up in time on what is not', async () => {
      const there = await call('wait_element', { parent, selector: { text_contains: 'Rebuild' }, timeout: 50 });
      expect(there.value['element']).toMatchObject({ title: 'Rebuild' });
      const start = performance.now();
      const never = await agent.call('wait_element', {
        parent,
        title: 'no such thing',
        timeout: 1,
        poll_interval: 0.1,
      });
      expect(never.isError).toBe(true);
      expect(never.text).toContain('DESKTOP_TIMEOUT');
      expect(performance.now() - start).toBeGreaterThanOrEqual(1000);
    });

    test('[req:MT-T-wait_element_state] follows an element while its text changes, until it is as asked', async () => {
      const [label] = await found({ parent: main, role: 'label', title: 'Status' });
      const number = Number(label?.title.split(' ')[1]);
      const wait = (condition: string, args: Record<string, unknown>) => call('wait_element_state', { condition, timeout: 50, poll_interval: 0.05, ...args }); // prettier-ignore
      const [changed, enabled, shown] = await Promise.all([
        wait('text_equals', { element_id: label?.elementId, value: `Status ${number + 2}` }),
        wait('enabled', { parent: main, role: 'button', title: 'Go' }),
        call('wait_element', { parent: main, title: 'Ready at last', timeout: 50, poll_interval: 0.05 }),
        call('click_element', { parent: main, role: 'button', title: 'Up' }).then(() =>
          call('click_element', { parent: main, role: 'button', title: 'Later' }),
        ),
      ]);
      expect(changed.value['element']).toMatchObject({ elementId: label?.elementId, value: `Status ${number + 2}` });
      expect(enabled.value['element']).toMatchObject({ title: 'Go' });
      expect(shown.value['element']).toMatchObject({ title: 'Ready at last' });
      const late = await agent.call('wait_element_state', { parent: main, role: 'button', title: 'Go', condition: 'gone', timeout: 0.3, poll_interval: 0.1 }); // prettier-ignore
      expect(late.text).toContain('DESKTOP_TIMEOUT');
    });

    test('[req:MT-T-get_element_tree] [req:MT-T-get_tree_changes] a compact tree whose ids work, and what changed since', async () => {
      const tree = await call('get_element_tree', { parent: main });
      const text = String(tree.value['tree']);
      expect(tree.value['truncated']).toEqual({ depth: false, nodes: false, time: false });
      const up = /(e:\d+) Button “Up”/.exec(text)?.[1];
      expect(text).toMatch(/CheckBox “Agree”/);
      expect(text).toMatch(/TextField “Name”.*editable/);
      expect(text).not.toMatch(/Group$/m);
      const nodes = (await call('get_element_tree', { parent: main, format: 'nodes' })).value['nodes'] as Shown[];
      expect(nodes).toHaveLength(Number(tree.value['shown']));
      const short = await call('get_element_tree', { name: parent, max_nodes: 3 });
      expect(short.value).toMatchObject({ shown: 3, truncated: { nodes: true } });
      expect((await call('get_element_tree', { parent, max_depth: 1 })).value['truncated']).toMatchObject({
        depth: true,
      });

      await call('click_element', { element_id: up });
      const since = await call('get_tree_changes', { snapshot: tree.value['snapshot'], timeout: 20 });
      expect(since.text).toMatch(/~ e:\d+ StaticText “Status \d+”: title “Status \d+” → “Status \d+”/);
      let { snapshot } = since.value;
      await eventually(async () => {
        const rest = await call('get_tree_changes', { snapshot });
        snapshot = rest.value['snapshot'];
        expect(rest.value).toMatchObject({ added: [], removed: [], changed: [] });
      });
    });

    test('[req:MT-T-find_region_elements] what touches a rectangle', async () => {
      const { frame } = (await one({ role: 'button', title: 'Rebuild' })) as Shown & {
        frame: { x: number; y: number };
      };
      const { elements } = (await call('find_region_elements', { parent, x: frame.x + 2, y: frame.y + 2, width: 4, height: 4, role: 'button' })).value; // prettier-ignore
      expect((elements as Shown[]).map((each) => each.title)).toEqual(['Rebuild']);
    });
  });
}
