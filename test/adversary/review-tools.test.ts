import { describe, expect, test } from 'vitest';
import { findPlace } from '../../src/main/pipeline/target/scope.js';
import type { PictureResult } from '../../src/main/tools/screen/picture.js';
import { ALLOWED, createTestPipeline, failure } from '../support/pipeline.js';

const createPipeline = () => createTestPipeline(async () => ALLOWED);
const TITLE_BAR = 28;
const never = new AbortController().signal;

const windowCalled = async ({ desktop }: ReturnType<typeof createPipeline>, title: string) => {
  const found = (await desktop.windows(never)).find((window) => window.title === title);
  if (found === undefined) throw new Error(`no window ${title}`);
  return found;
};

/** An application, such as a page, that says where its controls are: over another's window. */
async function withLiar(given: ReturnType<typeof createPipeline>) {
  const { frame } = await windowCalled(given, 'Shopping');
  const at = { x: 20, y: 700, width: 100, height: 80 };
  const away = { x: frame.x - at.x, y: frame.y - at.y - TITLE_BAR, width: frame.width, height: frame.height };
  const pid = given.world.addApp({
    id: 'page',
    name: 'Page',
    executable: '/page',
    windows: [{ title: 'Page', frame: at, elements: [{ role: 'AXButton', title: 'Lure', identifier: 'lure', frame: away }] }], // prettier-ignore
  });
  return { pid, frame };
}

describe('what is given of one application only', () => {
  test('no picture of another one’s window, wherever an element says that it is', async () => {
    const given = createPipeline();
    const { frame } = await withLiar(given);
    const lure = await given.desktop.element(given.world.find('lure') ?? '', never);
    expect(lure.frame).toMatchObject({ x: frame.x, y: frame.y });
    const input = { element_id: await given.refer('lure') };
    const error = await failure(given.run('capture_element_screenshot', input));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(given.asked.at(-1)?.plan?.window?.title).toBe('Page');
    expect(given.records.at(-1)?.files).not.toContain('observe.png');
  });

  test('its menu is a window of its own, and is pictured', async () => {
    const given = createPipeline();
    const { pid, frame } = await withLiar(given);
    given.world.addWindow(pid, { title: '', frame, normal: false, elements: [] });
    const taken = await given.run('capture_element_screenshot', { element_id: await given.refer('lure') });
    expect((taken.value as PictureResult).image.origin).toEqual({ x: frame.x, y: frame.y });
  });

  test.each(['visible', 'text_contains'])(
    'nothing of what comes to the front while it waits for “%s”',
    async (condition) => {
      const given = createPipeline();
      const { id } = await windowCalled(given, 'Shopping');
      const front = (await given.desktop.frontmost(never)).app;
      expect(front?.id).not.toBe('simulated.notes');
      const wait = given.run(
        'wait_element_state',
        { role: 'AXTextArea', title: 'Note', condition, value: '', timeout: 0.4, poll_interval: 0.02 },
        { onProgress: (state) => void (state === 'running' && given.world.raiseWindow(id)) },
      );
      const error = await failure(wait);
      expect(error.code).toBe('DESKTOP_TIMEOUT');
      expect(JSON.stringify(error)).not.toContain('Milk');
      expect((await given.desktop.frontmost(never)).app?.id).toBe('simulated.notes');
    },
  );

  test('and what is still there is not called gone because something else came to the front', async () => {
    const given = createPipeline();
    const { id } = await windowCalled(given, 'Shopping');
    const wait = given.run(
      'wait_element_state',
      { role: 'AXButton', title: 'Send', condition: 'gone', timeout: 0.4, poll_interval: 0.02 },
      { onProgress: (state) => void (state === 'running' && given.world.raiseWindow(id)) },
    );
    expect((await failure(wait)).code).toBe('DESKTOP_TIMEOUT');
  });

  test('nothing of where an old reference leads, beyond the application that was asked for', async () => {
    const given = createPipeline();
    const note = await given.refer('note');
    const { id } = await windowCalled(given, 'Shopping');
    given.world.removeElement(given.world.find('note') ?? '');
    const wait = given.run(
      'wait_element_state',
      { element_id: note, condition: 'visible', timeout: 0.5, poll_interval: 0.02 },
      {
        onProgress: (state) =>
          void (
            state === 'running' &&
            given.world.addElement(id, { role: 'AXTextArea', title: 'Note', identifier: 'note', value: 'Milk', frame: { x: 1, y: 1, width: 90, height: 90 } }) // prettier-ignore
          ),
      },
    );
    expect((await failure(wait)).code).toBe('DESKTOP_TIMEOUT');
    expect(given.asked.at(-1)?.plan?.window?.app.id).not.toBe('simulated.notes');
  });

  test.each(['get_element', 'get_element_actions'])(
    '%s: nothing of what came to the front in the last moment',
    async (tool) => {
      const given = createPipeline();
      const { id } = await windowCalled(given, 'Shopping');
      const twin = (await windowCalled(given, 'New Message')).id;
      given.world.addElement(twin, { role: 'AXTextArea', title: 'Note', value: 'mine', frame: { x: 1, y: 1, width: 90, height: 30 } }); // prettier-ignore
      const onProgress = (state: string) => void (state === 'running' && given.world.raiseWindow(id));
      const error = await failure(given.run(tool, { role: 'AXTextArea', title: 'Note' }, { onProgress }));
      expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
      expect(JSON.stringify(error)).not.toContain('Milk');
    },
  );
});

test.each(['list_windows', 'list_applications'])(
  '%s: no further page of what was listed before an application was excluded',
  async (tool) => {
    const given = createPipeline();
    const { value } = await given.run(tool, { page_size: 1 });
    const { next_page_token: token } = value as { next_page_token: string };
    expect((await given.run(tool, { page_size: 1, page_token: token })).value).toMatchObject({
      total: expect.any(Number),
    });
    given.exclude('simulated.notes');
    const error = await failure(given.run(tool, { page_size: 500, page_token: token }));
    expect(error.details['reason']).toBe('page_token');
    expect(JSON.stringify((await given.run(tool, {})).value)).not.toMatch(/notes/i);
  },
);

describe('errors before anybody is asked', () => {
  const line = (title: string, y: number) => ({ role: 'AXStaticText' as const, title, identifier: title.slice(0, 3), frame: { x: 10, y, width: 300, height: 20 } }); // prettier-ignore

  async function withLetters() {
    const given = createPipeline();
    const elements = [line('one: the code is 4711', 10), line('two: the code is 4712', 40)];
    const frame = { x: 40, y: 500, width: 400, height: 200 };
    given.world.addApp({ id: 'letters', name: 'Letters', executable: '/letters', windows: [{ title: 'In', frame, elements }] }); // prettier-ignore
    return given;
  }

  test('tell where texts are that fit, and not what they say', async () => {
    const given = await withLetters();
    const error = await failure(given.run('click_element', { parent: 'letters', role: 'AXStaticText' }));
    expect(error.details['candidates']).toMatchObject([{ role: 'AXStaticText', title: '' }, { title: '' }]);
    expect(JSON.stringify([error.message, error.details])).not.toContain('code is');
    const buttons = await failure(given.run('click_element', { parent: 'simulated.mail', role: 'AXButton' }));
    expect(JSON.stringify(buttons.details['candidates'])).toContain('Send');
    expect(given.asked).toEqual([]);
  });

  test('tell nobody what another one’s reference was about', async () => {
    const given = await withLetters();
    const theirs = await given.refer('one');
    const changed = given.world.find('one') ?? '';
    given.world.change(changed, { title: 'the code is 9999' });
    const renamed = await failure(given.run('click_element', { element_id: theirs }));
    given.world.removeElement(changed);
    const gone = await failure(given.run('click_element', { element_id: theirs }));
    for (const error of [renamed, gone]) {
      expect(error.message).toContain('stale');
      expect(JSON.stringify([error.message, error.details])).not.toMatch(/code is/);
    }
    expect(given.asked).toEqual([]);
  });

  test('tell no titles of windows, which are asked about by themselves', async () => {
    const { desktop } = createPipeline();
    const error = await failure(findPlace(desktop, { window: { titlePattern: '^Nothing like it$' } }, never));
    expect(error.details).toMatchObject({
      reason: 'no_such_place',
      running: expect.arrayContaining(['simulated.mail']),
    });
    for (const { title } of await desktop.windows(never)) expect(JSON.stringify(error)).not.toContain(title);
  });
});
