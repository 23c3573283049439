/** What the person is shown of input, and what is refused before they are asked: on the simulated desktop. */
import { title } from '../../../src/main/protocol/index.js';
import { dragging } from '../../support/titles.js';
import { describe, expect, test } from 'vitest';
import { createTestPipeline, failure } from '../../support/pipeline.js';
import { openSimulated, type SimulatedDesktop } from '../../../src/native/simulated/index.js';
import { assertStaysInField } from '../../../src/main/desktop/type-text.js';
import { message } from '../../../src/messages/index.js';

const NOTE = { x: 760, y: 230 };

const held = (chord: string) => message('title_part.held_keys', { chord });
const steps = (count: number, way: 'down' | 'left') => message('title_part.steps', { count, way });

describe('the card', () => {
  test('of dropped files lists them, and is shown whatever grants there are', async () => {
    const { run, asked, refer, world } = createTestPipeline();
    world.person.focus(world.find('note') ?? '');
    const element_id = await refer('note');
    await run('drag_files', { element_id, file_paths: ['/etc/hostname', '/etc/passwd'], duration: 0.01 });
    expect(asked.at(-1)).toMatchObject({
      alwaysAsk: true,
      subject: { title: { code: 'title.drop_files', params: { count: 2 } }, target: 'Note' },
    });
    expect(asked.at(-1)?.plan?.text).toBe('/etc/hostname\n/etc/passwd');
    expect(world.journal().filter(({ event }) => event === 'dropped')).toMatchObject([
      { value: '/etc/hostname\n/etc/passwd' },
    ]);
  });

  test('of a drag into another application says where it ends, and no grant for the first stands for it', async () => {
    const { run, asked } = createTestPipeline();
    await run('drag', { start_x: 760, start_y: 230, end_x: 800, end_y: 240 });
    expect(asked.at(-1)).toMatchObject({
      alwaysAsk: false,
      subject: { title: dragging('(800, 240)'), target: 'Note' },
    });
    await run('drag', { start_x: 760, start_y: 230, end_x: 300, end_y: 300 });
    expect(asked.at(-1)?.alwaysAsk).toBe(true);
    expect(asked.at(-1)?.plan?.notes).toMatchObject([{ code: 'note.ends_over' }]);
  });

  test('says the button, the count and the modifiers; those that the window manager takes are always asked for', async () => {
    const { run, asked } = createTestPipeline();
    await run('click', { ...NOTE, button: 'right', click_count: 2, modifiers: ['shift'] });
    expect(asked.at(-1)).toMatchObject({
      alwaysAsk: false,
      subject: { title: { code: 'title.click', params: { button: 'right', count: 2, keys: held('shift') } } },
    });
    await run('click', { ...NOTE, keys: ['alt'] });
    expect(asked.at(-1)).toMatchObject({ alwaysAsk: true, subject: { title: { params: { keys: held('alt') } } } });
    await run('scroll', { ...NOTE, vertical: -2, horizontal: -1 });
    expect(asked.at(-1)?.subject.title).toEqual(
      title('title.scroll', { keys: '', ways: [steps(2, 'down'), steps(1, 'left')] }),
    );
    await run('type_text', { text: 'ax', modifiers: ['ctrl'], application: 'simulated.notes' });
    expect(asked.at(-1)?.plan?.text).toBe('ctrl+ax');
    await run('hold_key', { key: 'f5', duration: 0.01, application: 'simulated.notes' });
    expect(asked.at(-1)?.plan?.notes).toEqual([message('note.held_for', { seconds: 0.01 })]);
  });
});

describe('text that leaves its line', () => {
  const typed = async (text: string) => {
    const { run, world } = createTestPipeline();
    const { value, verified } = await run('type_text', { text, application: 'simulated.mail' });
    expect(value).toMatchObject({ method: 'keys' });
    return { verified, journal: world.journal().map(({ control, value: held }) => [control, held]) };
  };

  test('[req:MT-T-type_text] by Enter at its end is read back without that', async () => {
    const { verified, journal } = await typed('ada@example.com\n');
    expect(verified).toEqual({ effect: 'confirmed', before: '', after: 'ada@example.com' });
    expect(journal).toContainEqual(['send', '']);
  });

  test.each(['Ada\tLunch', 'Ada\nLunch', 'Ada\n\tLunch', 'Ada\r\nLunch'])(
    'with more behind it, %j, is refused before anything is typed or asked',
    async (text) => {
      const { run, world, asked } = createTestPipeline();
      const refused = run('type_text', { text, application: 'simulated.mail' });
      await expect(refused).rejects.toMatchObject({
        code: 'DESKTOP_INVALID_REQUEST',
        details: { reason: 'leaves_field' },
      });
      expect([world.journal(), asked]).toEqual([[], []]);
    },
  );
});

test('text for what is no field: the first character opens its editor, and the rest is inserted there at once', async () => {
  const simulated = openSimulated();
  const { world } = simulated;
  const named = (name: string) => simulated.element(world.find(name) ?? '', new AbortController().signal);
  const [button, field] = await Promise.all([named('send'), named('to')]);
  const came: string[][] = [];
  const desktop: SimulatedDesktop = {
    ...simulated,
    typeText: async (text) => void came.push(['keys', text]),
    insertText: async (id, text) => void came.push(['inserted', id, text]),
    focusElement: async () => undefined,
    focusedElement: async () => (came.length === 0 ? button : field),
  };
  const { run } = createTestPipeline(undefined, desktop);
  await run('type_text', { text: 'Pears', application: 'simulated.mail' });
  expect(came).toEqual([
    ['keys', 'P'],
    ['inserted', field.id, 'ears'],
  ]);
});

test('[req:AT-4] several paragraphs go into a document; a tab in them, and a page around it, are refused', async () => {
  const { desktop, world } = createTestPipeline();
  const never = new AbortController().signal;
  const field = await desktop.element(world.find('note') ?? '', never);
  const [window] = (await desktop.windows(never)).filter(({ app }) => app.pid === field.pid);
  if (window === undefined) throw new Error('no window');
  const paragraph = { ...field, role: 'AXGroup', nativeRole: 'paragraph' };
  const typed =
    (text: string, documentUrl: string | null, element = paragraph) =>
    () =>
      assertStaysInField(
        { target: { kind: 'element', element }, window: { ...window, documentUrl } },
        { text, paste: false },
      );
  expect(typed('Pears\nPlums', null)).not.toThrow();
  expect(typed('Pears\tPlums', null)).toThrow(/would leave/);
  expect(typed('Pears\nPlums', 'https://shop.example/')).toThrow(/would leave/);
  expect(typed('Pears\nPlums', null, { ...paragraph, nativeRole: 'panel' })).toThrow(/would leave/);
});

describe('refused before anybody is asked', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['a gesture', 'gesture', { center_x: 1, center_y: 1, gesture_type: 'swipe' }],
    ['a point in no window', 'click', { x: -1, y: 100 }],
    ['a point that is null', 'click', { x: null, y: null }],
    ['an animated click', 'click', { ...NOTE, show_animation: true }],
    ['four clicks', 'click', { ...NOTE, click_count: 4 }],
    ['a parameter that there is not', 'click', { ...NOTE, buton: 'right' }],
    ['a button that there is not', 'click', { ...NOTE, button: 'side' }],
    ['an unknown modifier', 'click', { ...NOTE, modifiers: ['hyper'] }],
    ['too many modifiers', 'click', { ...NOTE, modifiers: Array.from({ length: 7 }, () => 'shift') }],
    ['an unknown key', 'press_key', { key: 'x'.repeat(50) }],
    ['a modifier as long as a book', 'press_key', { key: 'x', modifiers: ['y'.repeat(1000)] }],
    ['a wheel turned for ever', 'scroll', { ...NOTE, delta_y: 1e9 }],
    ['a path of one point', 'drag', { path: [NOTE] }],
    ['a path with something else in it', 'drag', { path: [NOTE, { x: 1, y: 2, z: 3 }] }],
    ['a path and ends', 'drag', { path: [NOTE, NOTE], start_x: 1 }],
    ['a drag that lasts a minute', 'drag', { start_x: 1, start_y: 1, end_x: 2, end_y: 2, duration_ms: 60_000 }],
    ['half a point', 'left_mouse_down', { x: 5 }],
    ['a key held for no time', 'hold_key', { key: 'a', duration: 0 }],
    ['a key held for a minute', 'hold_key', { key: 'a', duration: 60 }],
    ['no text', 'type_text', { text: '' }],
    ['a control character', 'type_text', { text: 'a\u001bb' }],
    ['a control character to paste', 'type_text', { text: 'a\u0085b', paste: true }],
    ['half of a character', 'type_text', { text: 'a\ud800b' }],
    ['a null character', 'type_text', { text: 'a\0b' }],
    ['half of a character in a title', 'find_elements', { title: 'a\ud800b' }],
    ['half of a character in a list', 'drag', { path: [NOTE, NOTE], modifiers: ['\udc00'] }],
    ['a picture that is another’s', 'mouse_move', { x: 1, y: 1, space: 'image:7' }],
    ['a file that is not there', 'automate_open_file_dialog', { file_path: '/nowhere/at/all' }],
    ['a dialog that is not there', 'automate_open_file_dialog', { file_path: '/etc/hostname' }],
  ])('%s', async (_what, tool, input) => {
    const { run, asked, world } = createTestPipeline();
    const error = await failure(run(tool, input));
    expect(['DESKTOP_INVALID_REQUEST', 'DESKTOP_UNSUPPORTED', 'DESKTOP_ELEMENT_NOT_FOUND']).toContain(error.code);
    expect(error.next).not.toBe('');
    expect(asked).toEqual([]);
    expect(world.journal()).toEqual([]);
  });
});
