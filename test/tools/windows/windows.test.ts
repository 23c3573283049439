import { beforeEach, describe, expect, test } from 'vitest';
import { ALLOWED, DENIED, createTestPipeline, failure } from '../../support/pipeline.js';
import { message } from '../../../src/messages/index.js';

type TestPipeline = ReturnType<typeof createTestPipeline>;

const DRAFT = {
  id: 'test.editor',
  name: 'Editor',
  executable: '/simulated/bin/editor',
  windows: [
    {
      title: 'Draft',
      frame: { x: 300, y: 200, width: 400, height: 300 },
      asksToSave: true,
      elements: [
        { role: 'AXTextArea', title: 'Text', identifier: 'text', frame: { x: 0, y: 0, width: 400, height: 200 } },
      ],
    },
    { title: 'Palette', frame: { x: 20, y: 40, width: 200, height: 200 }, resizable: false },
  ],
} as const;

let pipeline: TestPipeline;
let pid: number;
beforeEach(() => {
  pipeline = createTestPipeline();
  pid = pipeline.world.addApp({ ...DRAFT, windows: DRAFT.windows.map((one) => ({ ...one, elements: [...('elements' in one ? one.elements : [])] })) }); // prettier-ignore
});

async function listed(input: object = {}): Promise<Record<string, unknown>[]> {
  const { value } = await pipeline.run('list_windows', input);
  return (value as { windows: Record<string, unknown>[] }).windows;
}

async function nameOf(title: string): Promise<string> {
  const found = (await listed()).find((one) => one['title'] === title);
  if (found === undefined) throw new Error(`no window ${title}`);
  return String(found['name']);
}

const valueOf = async (tool: string, input: object) => (await pipeline.run(tool, input)).value;

describe('[req:MT-T-list_windows] lists of windows', () => {
  test('come topmost first, of one application or of all, with what each is now', async () => {
    const all = await listed();
    expect(all.map((one) => one['title'])).toEqual(
      expect.arrayContaining(['Palette', 'Draft', 'New Message']) as string[],
    );
    expect(all[0]).toMatchObject({ title: 'Palette', focused: true, visible: true, minimized: false });
    for (const parent of [`applications/${pid}`, 'test.editor', 'Editor'])
      expect((await listed({ parent })).map((one) => one['title'])).toEqual(['Palette', 'Draft']);
    for (const parent of ['', 'applications/-']) expect(await listed({ parent })).toHaveLength(all.length);
    expect(await failure(pipeline.run('list_windows', { parent: 'applications/1' }))).toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
      details: { reason: 'no_such_place' },
    });
  });

  test('come in pages that neither overlap nor miss, also when windows close meanwhile', async () => {
    const all = await listed();
    const first = await pipeline.run('list_windows', { page_size: 2 });
    const { windows, next_page_token: token, total } = first.value as Record<string, unknown>;
    expect(total).toBe(all.length);
    pipeline.world.kill(pid);
    const rest = await pipeline.run('list_windows', { page_size: 500, page_token: token });
    const names = [windows, (rest.value as Record<string, unknown>)['windows']]
      .flat()
      .map((one) => (one as { name: string }).name);
    expect(names).toEqual(all.map((one) => one['name']));
    expect(await failure(pipeline.run('list_windows', { parent: 'simulated.mail', page_token: token }))).toMatchObject({
      details: { reason: 'page_token' },
    });
  });
});

describe('one window', () => {
  test('[req:MT-T-get_window] is described with its place among the others and its display', async () => {
    const value = await valueOf('get_window', { name: await nameOf('Draft') });
    expect(value).toMatchObject({
      title: 'Draft',
      application: `applications/${pid}`,
      application_id: 'test.editor',
      frame: { x: 300, y: 200, width: 400, height: 300 },
      z_index: 1,
      display: 'displays/display-1',
    });
  });

  test('[req:MT-T-get_window_state] tells what it can do, by its name or by upstream’s', async () => {
    const name = await nameOf('Palette');
    const state = await valueOf('get_window_state', { name });
    expect(state).toMatchObject({
      name: `${name}/state`,
      resizable: false,
      modal: false,
      minimized: false,
      focused: true,
    });
    expect(await valueOf('get_window_state', { name: `${name}/state` })).toEqual(state);
  });

  test.each(['window-1', 'applications/1/windows/1', 'applications/x', '../..', 'applications/9/elements/e:1'])(
    'called %j is nowhere, and the error says what names look like or what there is',
    async (name) => {
      for (const tool of ['get_window', 'get_window_state', 'focus_window', 'minimize_window', 'close_window']) {
        const { code, next } = await failure(pipeline.run(tool, { name }));
        expect(['DESKTOP_INVALID_REQUEST', 'DESKTOP_ELEMENT_NOT_FOUND'], tool).toContain(code);
        expect(next).not.toBe('');
      }
      expect(pipeline.asked.filter(({ action }) => ['pointer', 'dangerous'].includes(action.effect))).toEqual([]);
    },
  );
});

describe('acts on a window', () => {
  test('[req:MT-T-move_window] [req:MT-T-resize_window] answer with what was granted, not with what was asked', async () => {
    const name = await nameOf('Draft');
    expect(await pipeline.run('move_window', { name, x: 50, y: -400 })).toMatchObject({
      value: { name, frame: { x: 50, y: 0, width: 400, height: 300 }, as_asked: false },
      verified: { effect: 'confirmed', before: { frame: { x: 300 } }, after: { frame: { x: 50, y: 0 } } },
    });
    expect(await pipeline.run('resize_window', { name, width: 5, height: 333.4 })).toMatchObject({
      value: { frame: { width: 160, height: 333 }, as_asked: false },
      verified: { effect: 'confirmed' },
    });
    expect(
      await pipeline.run('resize_window', { name: await nameOf('Palette'), width: 500, height: 500 }),
    ).toMatchObject({
      value: { frame: { width: 200, height: 200 }, as_asked: false, next: expect.stringContaining('keeps it so') },
      verified: { effect: 'no_change' },
    });
    expect(pipeline.asked.at(-1)?.plan?.notes).toEqual([message('note.to_size', { width: 500, height: 500 })]);
  });

  test.each([
    ['move_window', { x: Number.NaN, y: 0 }],
    ['move_window', { x: Number.POSITIVE_INFINITY, y: 0 }],
    ['move_window', { x: 1e9, y: 0 }],
    ['move_window', { x: null, y: null }],
    ['move_window', { x: 1 }],
    ['move_window', { x: 1, y: 1, z: 1 }],
    ['resize_window', { width: 0, height: 10 }],
    ['resize_window', { width: -5, height: 10 }],
    ['resize_window', { width: 10, height: 1e9 }],
    ['resize_window', { width: '10', height: 10 }],
  ])('%s %j is refused by name, and nothing moves', async (tool, numbers) => {
    const before = await listed();
    const refused = await failure(pipeline.run(tool, { name: before[0]?.['name'], ...numbers }));
    expect(refused).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST', details: { reason: 'invalid_params' } });
    expect(refused.message).toMatch(/\b(x|y|z|width|height)\b/);
    expect(await listed()).toEqual(before);
  });

  test('[req:MT-T-minimize_window] [req:MT-T-restore_window] [req:MT-T-maximize_window] tell what the window is then', async () => {
    const name = await nameOf('Draft');
    const { frame } = (await listed()).find((one) => one['name'] === name) ?? {};
    expect(await pipeline.run('minimize_window', { name })).toMatchObject({
      value: { name, minimized: true, visible: false, as_asked: true },
      verified: { effect: 'confirmed' },
    });
    expect(await pipeline.run('minimize_window', { name })).toMatchObject({ verified: { effect: 'no_change' } });
    expect(await valueOf('restore_window', { name })).toMatchObject({ minimized: false, visible: true });
    expect(await pipeline.run('maximize_window', { name })).toMatchObject({
      value: { maximized: true, frame: { x: 0, y: 0, width: 1440, height: 900 } },
    });
    expect(await pipeline.run('move_window', { name, x: 9, y: 9 })).toMatchObject({
      value: { as_asked: false, next: expect.stringContaining('restore_window first') },
      verified: { effect: 'no_change' },
    });
    await pipeline.run('minimize_window', { name });
    expect(await valueOf('restore_window', { name })).toMatchObject({ minimized: false, maximized: true });
    expect(await valueOf('restore_window', { name })).toMatchObject({ maximized: false, frame });
    expect(await pipeline.run('restore_window', { name })).toMatchObject({ verified: { effect: 'no_change' } });
    expect(await failure(pipeline.run('maximize_window', { name: await nameOf('Palette') }))).toMatchObject({
      code: 'DESKTOP_UNSUPPORTED',
    });
  });

  test('[req:MT-T-focus_window] brings to the front, and says where nothing changed', async () => {
    const name = await nameOf('Draft');
    expect(await pipeline.run('focus_window', { name })).toMatchObject({
      value: { focused: true },
      verified: { effect: 'confirmed' },
    });
    expect(await pipeline.run('focus_window', { name })).toMatchObject({ verified: { effect: 'no_change' } });
    expect((await listed())[0]).toMatchObject({ name });
  });

  test('are asked for, and a denied one changes nothing', async () => {
    const denying = createTestPipeline(async ({ action }) => (action.effect === 'disclose' ? ALLOWED : DENIED));
    const { value } = await denying.run('list_windows', {});
    const [{ name }] = (value as { windows: [{ name: string }] }).windows;
    for (const [tool, more] of Object.entries({ move_window: { x: 1, y: 1 }, minimize_window: {}, close_window: {} }))
      expect(await failure(denying.run(tool, { name, ...more }))).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED' });
    expect((await denying.run('list_windows', {})).value).toEqual(value);
    expect(denying.asked.map((one) => one.action.effect)).toEqual(expect.arrayContaining(['pointer', 'dangerous']));
  });
});

describe('[req:MT-T-close_window] closing', () => {
  test('succeeds where the window closes (upstream’s close always failed)', async () => {
    const name = await nameOf('Draft');
    expect(await pipeline.run('close_window', { name })).toMatchObject({
      value: { closed: true, name, windows_left: 1 },
      verified: { effect: 'confirmed' },
      effect: 'dangerous',
    });
    expect((await listed()).map((one) => one['title'])).not.toContain('Draft');
  });

  test('case 34: unsaved text leaves a dialog, and the error names it and its buttons', async () => {
    pipeline.world.person.focus(pipeline.world.find('text', pid) ?? '');
    pipeline.world.person.type('not saved');
    const name = await nameOf('Draft');
    const asking = await failure(pipeline.run('close_window', { name }));
    expect(asking).toMatchObject({
      code: 'DESKTOP_TARGET_CHANGED',
      details: { reason: 'save_dialog', dialog: { title: 'Save changes to Draft?' } },
    });
    const { buttons } = asking.details['dialog'] as { buttons: { title: string; element_id: string }[] };
    expect(buttons.map((one) => one.title)).toEqual(['Cancel', 'Don’t Save', 'Save']);
    expect(await nameOf('Draft')).toBe(name);
    const again = await failure(pipeline.run('close_window', { name }));
    expect(again.details).toMatchObject({ reason: 'save_dialog', dialog: { title: 'Save changes to Draft?' } });
    const discard = (again.details['dialog'] as typeof asking.details & { buttons: typeof buttons }).buttons[1];
    await pipeline.run('click_element', { element_id: discard?.element_id });
    expect((await listed()).map((one) => one['title'])).not.toContain('Draft');
  });

  test('by force ends the application, and the card says what is lost', async () => {
    pipeline.world.person.focus(pipeline.world.find('text', pid) ?? '');
    pipeline.world.person.type('not saved');
    expect(await valueOf('close_window', { name: await nameOf('Draft'), force: true })).toMatchObject({
      windows_left: 0,
    });
    const { plan } = pipeline.asked.at(-1) ?? {};
    expect(plan?.text).toBe('Draft\nPalette');
    expect(plan?.notes).toEqual([message('note.ends_application')]);
    expect(await failure(pipeline.run('get_application', { name: `applications/${pid}` }))).toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
    });
  });

  test('by force is refused where it would take a window along that is not open to agents', async () => {
    pipeline.world.addWindow(pid, { title: 'Chaperone', frame: { x: 0, y: 0, width: 300, height: 200 } });
    const name = await nameOf('Draft');
    for (const [tool, target] of [
      ['close_window', name],
      ['quit_application', `applications/${pid}`],
    ] as const)
      expect(await failure(pipeline.run(tool, { name: target, force: true }))).toMatchObject({
        details: { reason: 'protected' },
      });
    expect(await nameOf('Draft')).toBe(name);
  });

  test('an application that hangs is an error, not a success', async () => {
    const name = await nameOf('Draft');
    pipeline.world.hang(pid);
    expect(await failure(pipeline.run('close_window', { name }))).toMatchObject({ code: 'DESKTOP_TIMEOUT' });
    expect(await nameOf('Draft')).toBe(name);
  });
});
