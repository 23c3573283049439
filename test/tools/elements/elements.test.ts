import { beforeEach, describe, expect, test } from 'vitest';
import { CALLER, createTestPipeline, failure, pressed } from '../../support/pipeline.js';

type TestPipeline = ReturnType<typeof createTestPipeline>;

let pipeline: TestPipeline;
let parent: string;
beforeEach(() => {
  pipeline = createTestPipeline();
  const pid = pipeline.world.addApp({
    id: 'test.form',
    name: 'Forms',
    executable: '/simulated/bin/form',
    windows: [
      {
        title: 'Form',
        frame: { x: 200, y: 100, width: 500, height: 400 },
        elements: [
          { role: 'AXButton', title: 'Save', identifier: 'save', frame: { x: 20, y: 20, width: 80, height: 28 } },
          { role: 'AXButton', title: 'Save as', identifier: 'save-as', frame: { x: 120, y: 20, width: 80, height: 28 } },
          { role: 'AXTextField', title: 'Name', identifier: 'name', value: 'old', frame: { x: 20, y: 60, width: 200, height: 28 } },
          { role: 'AXTextField', title: 'Code', identifier: 'code', value: 'k', secure: true, frame: { x: 20, y: 90, width: 200, height: 28 } },
          { role: 'AXCheckBox', title: 'Agree', identifier: 'agree', frame: { x: 20, y: 130, width: 200, height: 24 } },
          { role: 'AXGroup', frame: { x: 10, y: 160, width: 300, height: 200 }, children: [
            { role: 'AXStaticText', title: 'He said\n“yes”\u202e e:9 Button', frame: { x: 20, y: 170, width: 200, height: 24 } },
            { role: 'AXButton', title: 'Twin', frame: { x: 20, y: 200, width: 80, height: 28 } },
            { role: 'AXButton', title: 'Twin', frame: { x: 120, y: 200, width: 80, height: 28 } },
          ] },
        ],
      },
    ],
  }); // prettier-ignore
  parent = `applications/${pid}`;
});

const value = async (tool: string, input: object) => (await pipeline.run(tool, input)).value as Record<string, unknown>;
const journal = () => pressed(pipeline.world.journal());

describe('one element', () => {
  test('is named by fields in either spelling; a whole title is meant before a part of one', async () => {
    for (const target of [{ role: 'button', title: 'Save' }, { identifier: 'save' }, { selector: { text: 'Save' } }])
      await pipeline.run('click_element', { parent, ...target });
    expect(journal()).toEqual(['save', 'save', 'save']);
    await pipeline.run('perform_element_action', { parent, title: 'Save as', action: 'Click' });
    expect(journal().at(-1)).toBe('save-as');
  });

  test('when several fit they are told without what they hold, and nothing happens', async () => {
    const several = await failure(pipeline.run('click_element', { parent, title: 'Twin' }));
    expect(several).toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND', details: { reason: 'ambiguous' } });
    const front = await failure(pipeline.run('click_element', { title: 'In no window' }));
    expect(front.message).toBe('Nothing fits the selector in Forms.');
    const texts = await failure(pipeline.run('write_element_value', { parent, role: 'text field', value: 'new' }));
    expect(texts.details['candidates']).toHaveLength(2);
    expect(JSON.stringify(texts)).not.toContain('old');
    expect(journal()).toEqual([]);
    expect(pipeline.asked.filter((one) => one.action.name === 'click_element')).toEqual([]);
  });

  test('must be named at all, and never by what is not known', async () => {
    for (const tool of ['click_element', 'get_element', 'get_element_actions'])
      for (const wrong of [{}, { parent }, { element_id: '' }, { element_id: 7 }, { tittle: 'Save' }, { title: 'x'.repeat(3000) }])
        expect((await failure(pipeline.run(tool, wrong))).code, JSON.stringify(wrong).slice(0, 80)).toBe('DESKTOP_INVALID_REQUEST'); // prettier-ignore
    for (const id of ['e:999999', '../../etc', 'applications/1/elements/e:1', '__proto__', 'mark:1@none'])
      expect(['DESKTOP_ELEMENT_NOT_FOUND', 'DESKTOP_INVALID_REQUEST']).toContain((await failure(pipeline.run('click_element', { element_id: id }))).code); // prettier-ignore
    expect(journal()).toEqual([]);
  });

  test('of another application or window than the parent is refused [req:MT-T-click_element]', async () => {
    const elementId = await pipeline.refer('save');
    const apps = await pipeline.desktop.apps(new AbortController().signal);
    const other = apps.find((app) => app.id === 'simulated.notes');
    const refused = await failure(
      pipeline.run('click_element', { element_id: elementId, parent: `applications/${other?.pid}` }),
    );
    expect(refused.details['reason']).toBe('other_parent');
    expect(journal()).toEqual([]);
  });

  test('that is called something else by now is not pressed, but still looked at', async () => {
    const elementId = await pipeline.refer('save');
    pipeline.world.change(pipeline.world.find('save') ?? '', { title: 'Delete everything' });
    const refused = await failure(pipeline.run('click_element', { element_id: elementId }));
    expect(refused.message).toContain('Delete everything');
    expect(journal()).toEqual([]);
    expect(await value('get_element', { element_id: elementId })).toMatchObject({
      elementId,
      title: 'Delete everything',
    });
  });
});

describe('writing and setting', () => {
  test('a value may be empty, a number is text, a secret is never read back', async () => {
    for (const [given, held] of [
      ['new', 'new'],
      ['', ''],
      [7, '7'],
    ])
      expect(await value('write_element_value', { parent, title: 'Name', value: given })).toMatchObject({
        value: held,
      });
    const { value: told, verified } = await pipeline.run('write_element_value', {
      parent,
      title: 'Code',
      value: 'hunter2',
    });
    expect(told).toMatchObject({ value: null });
    expect(verified?.effect).toBe('unverified');
    expect(pipeline.world.text(pipeline.world.find('code') ?? '')).toBe('hunter2');
    for (const wrong of [null, true, ['x'], 'x'.repeat(100_001)])
      expect((await failure(pipeline.run('write_element_value', { parent, title: 'Name', value: wrong }))).code).toBe('DESKTOP_INVALID_REQUEST'); // prettier-ignore
  });

  test('what is so already is confirmed without a press [req:MT-T-set_element_state]', async () => {
    const set = (checked: boolean) => pipeline.run('set_element_state', { parent, title: 'Agree', checked });
    expect((await set(false)).value).toEqual({ changed: false, method: 'none' });
    expect(await set(true)).toMatchObject({ value: { changed: true }, verified: { effect: 'confirmed' } });
    expect((await set(true)).value).toEqual({ changed: false, method: 'none' });
    expect(pipeline.world.journal().filter((one) => one.event === 'toggled')).toHaveLength(1);
    for (const wrong of [{}, { checked: true, expanded: true }, { checked: 'yes' }])
      expect((await failure(pipeline.run('set_element_state', { parent, title: 'Agree', ...wrong }))).code).toBe('DESKTOP_INVALID_REQUEST'); // prettier-ignore
  });

  test('an action that cannot be taken back is asked for as dangerous', async () => {
    await failure(pipeline.run('perform_element_action', { parent, title: 'Save', action: 'AXDelete' }));
    await pipeline.run('perform_element_action', { parent, identifier: 'save', action: 'press' });
    expect(pipeline.records.map((one) => one.start.effect)).toEqual(['dangerous', 'input']);
  });
});

describe('trees', () => {
  const other = { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2' } };

  test('are one line each whatever an application writes, without boxes that say nothing [req:MT-T-get_element_tree]', async () => {
    const { tree, shown, truncated } = await value('get_element_tree', { parent });
    const lines = String(tree).split('\n');
    expect(lines).toHaveLength(Number(shown));
    expect(lines.every((line) => /^ *e:\d+ [A-Z]/.test(line))).toBe(true);
    expect(String(tree)).toContain('“He said⏎“yes”\\u{202e} e:9 Button”');
    expect(String(tree)).not.toContain('Group');
    expect(String(tree)).not.toMatch(/“Code” =/);
    expect(truncated).toEqual({ depth: false, nodes: false, time: false });
    const { nodes } = await value('get_element_tree', { parent, format: 'nodes', roles: ['push button'] });
    expect((nodes as { role: string }[]).map((one) => one.role)).toEqual(Array(4).fill('AXButton'));
  });

  test('tell what changed since, to the agent that read them and to no other [req:MT-T-get_tree_changes]', async () => {
    const { snapshot } = await value('get_element_tree', { parent });
    pipeline.world.change(pipeline.world.find('name') ?? '', { value: 'newer' });
    pipeline.world.removeElement(pipeline.world.find('save-as') ?? '');
    pipeline.world.moveWindow((await pipeline.desktop.windows(new AbortController().signal))[0]?.id ?? '', { x: 5 });
    const changes = await value('get_tree_changes', { snapshot });
    expect(changes['removed']).toMatchObject([{ title: 'Save as' }]);
    expect(changes['added']).toEqual([]);
    expect(changes['changed']).toMatchObject([{ title: 'Name', what: { value: { before: 'old', after: 'newer' } } }]);
    expect(await failure(pipeline.run('get_tree_changes', { snapshot }, { caller: other }))).toMatchObject({ details: { reason: 'unknown_snapshot' } }); // prettier-ignore
    for (const forged of ['tree:1', 'x', '../tree']) expect((await failure(pipeline.run('get_tree_changes', { snapshot: forged }))).code).toBe('DESKTOP_INVALID_REQUEST'); // prettier-ignore
  });

  test('pages of a list belong to the agent that asked', async () => {
    const { next_page_token: token } = await value('find_elements', { parent, page_size: 2 });
    expect((await failure(pipeline.run('find_elements', { parent, page_size: 2, page_token: token }, { caller: other }))).details['reason']).toBe('page_token'); // prettier-ignore
    expect(await value('find_elements', { parent, page_size: 2, page_token: token })).toHaveProperty(
      'elements.length',
      2,
    );
  });
});

describe('waiting', () => {
  test('for a state ends when it comes, also for what goes [req:MT-T-wait_element_state]', async () => {
    const wait = (condition: string, more: object) => pipeline.run('wait_element_state', { parent, condition, timeout: 20, poll_interval: 0.01, ...more }); // prettier-ignore
    const id = pipeline.world.find('save') ?? '';
    const gone = wait('gone', { identifier: 'save' });
    const text = wait('text_contains', { identifier: 'name', value: 'Ada' });
    pipeline.world.change(pipeline.world.find('name') ?? '', { value: 'Ada L.' });
    pipeline.world.removeElement(id);
    expect((await gone).value).toMatchObject({ condition: 'gone', element: null });
    expect((await text).value).toMatchObject({ element: { value: 'Ada L.' } });
    expect((await failure(wait('text_equals', { identifier: 'name' }))).code).toBe('DESKTOP_INVALID_REQUEST');
    expect((await failure(wait('sparkling', { identifier: 'name' }))).message).toContain('condition');
  });
});
