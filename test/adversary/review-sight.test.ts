import { expect, test } from 'vitest';
import { ALLOWED, createTestPipeline, failure } from '../support/pipeline.js';

const createPipeline = () => createTestPipeline(async () => ALLOWED);
type TestPipeline = ReturnType<typeof createPipeline>;

const windowCalled = async ({ desktop }: TestPipeline, title: string) => {
  const windows = await desktop.windows(new AbortController().signal);
  const found = windows.find((window) => window.title === title);
  if (found === undefined) throw new Error(`no window ${title}`);
  return found;
};

test('an excluded application is hidden however the policy spells its id, and in every list [req:DS-8-10]', async () => {
  const given = createPipeline();
  const refer = await given.refer('note');
  given.deps.excludedApps = () => new Set(['Simulated.NOTES.desktop']);
  for (const tool of ['list_windows', 'list_applications']) {
    const listed = JSON.stringify((await given.run(tool, {})).value);
    expect(listed).not.toMatch(/notes|Shopping/i);
    expect(listed).toContain('simulated.mail');
  }
  for (const [tool, input] of [
    ['find_elements', { parent: 'simulated.notes', role: 'AXTextArea' }],
    ['get_element', { element_id: refer }],
    ['get_application', { name: 'simulated.notes' }],
    ['open_application', { application_id: 'Notes', background: true }],
    ['quit_application', { name: 'Notes' }],
  ] as const)
    expect((await failure(given.run(tool, input))).code).toBe('DESKTOP_ELEMENT_NOT_FOUND');
});

test('an application that is excluded while a call waits for it is not read any more', async () => {
  const given = createPipeline();
  let excluded = new Set<string>();
  given.deps.excludedApps = () => excluded;
  const waiting = given.run(
    'wait_element',
    { parent: 'simulated.notes', title: 'Later', timeout: 1, poll_interval: 0.02 },
    {
      onProgress(state) {
        if (state !== 'running') return;
        excluded = new Set(['simulated.notes']);
        void windowCalled(given, 'Shopping').then(({ id }) =>
          given.world.addElement(id, {
            role: 'AXButton',
            title: 'Later',
            frame: { x: 10, y: 10, width: 50, height: 20 },
          }),
        );
      },
    },
  );
  expect((await failure(waiting)).code).toBe('DESKTOP_TIMEOUT');
});

test('what a hidden window has scrolled out of its frame is not found, and not counted [req:DS-8-10]', async () => {
  const given = createPipeline();
  const button = (title: string, y: number) => ({
    role: 'AXButton' as const,
    title,
    frame: { x: 10, y, width: 100, height: 30 },
  });
  given.world.addApp({
    id: 'browser',
    name: 'Browser',
    executable: '/browser',
    windows: [
      {
        title: 'Chaperone',
        frame: { x: 700, y: 100, width: 300, height: 200 },
        elements: [button('secret one', 10), button('secret two', 900), button('secret three', 1200)],
      },
      { title: 'Other', frame: { x: 100, y: 400, width: 200, height: 200 }, elements: [button('secret-free', 10)] },
    ],
  });
  const found = await given.run('find_elements', {
    parent: 'browser',
    title: 'secret',
    page_size: 1,
    visible_only: false,
  });
  expect(JSON.stringify(found.value)).not.toMatch(/secret (one|two|three)/);
  expect(found.value).toMatchObject({ elements: [{ title: 'secret-free' }], total: 1 });
});

test('while a pairing link is open no element, window or title is read, whatever the call looks at [req:DS-7-18]', async () => {
  const given = createPipeline();
  const note = await given.refer('note');
  const { id } = await windowCalled(given, 'Shopping');
  await given.desktop.setWindowMinimized(id, true, new AbortController().signal);
  given.deps.protection = { ...given.deps.protection, isPairingLinkOpen: () => true };
  for (const [tool, input] of [
    ['get_element', { element_id: note, parent: 'simulated.notes' }],
    ['list_windows', {}],
    ['find_elements', { parent: 'simulated.notes', role: 'AXTextArea' }],
  ] as const)
    expect((await failure(given.run(tool, input))).details['reason']).toBe('pairing');
});

test('reading one element asks for its own application; another parent is refused before anybody is asked', async () => {
  const given = createPipeline();
  const note = await given.refer('note');
  const refused = await failure(given.run('get_element', { element_id: note, parent: 'simulated.mail' }));
  expect(refused.details['reason']).toBe('other_parent');
  expect(given.asked).toEqual([]);
  await given.run('get_element', { element_id: note });
  expect(given.asked[0]?.plan?.window?.app.id).toBe('simulated.notes');
  expect(given.asked[0]?.subject.app).toBe('Notes');
});

test('a wait in the application in front stays in it when another comes to the front', async () => {
  const given = createPipeline();
  const [notes, mail] = [await windowCalled(given, 'Shopping'), await windowCalled(given, 'New Message')];
  given.world.raiseWindow(notes.id);
  const error = await failure(
    given.run(
      'wait_element',
      { title: 'Send', timeout: 0.4, poll_interval: 0.02 },
      { onProgress: (state) => state === 'running' && given.world.raiseWindow(mail.id) },
    ),
  );
  expect(given.asked[0]?.subject.app).toBe('Notes');
  expect(error.code).toBe('DESKTOP_TIMEOUT');
});

test('what is not there yet is asked for each time: an Allow for one application is not one for the next', async () => {
  const given = createPipeline();
  await failure(given.run('wait_element', { parent: 'nowhere', title: 'x', timeout: 0.1 }));
  await failure(given.run('wait_element', { parent: 'simulated.mail', title: 'x', timeout: 0.1 }));
  expect(given.asked.map(({ alwaysAsk }) => alwaysAsk)).toEqual([true, false]);
});

test('a call that waits to read ends when its approval does', async () => {
  const given = createPipeline();
  const error = await failure(
    given.run(
      'wait_element',
      { parent: 'simulated.mail', title: 'Never there', timeout: 5, poll_interval: 0.02 },
      { onProgress: (state) => state === 'running' && given.revoke() },
    ),
  );
  expect(error).toMatchObject({ code: 'DESKTOP_ABORTED', details: { reason: 'person' } });
});
