import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CALLER, createTestPipeline, failure } from '../../support/pipeline.js';
import { message } from '../../../src/messages/index.js';

let pipeline: ReturnType<typeof createTestPipeline>;
let parent: string;
let pids: Map<string, number>;
beforeEach(async () => {
  pipeline = createTestPipeline();
  pids = new Map((await pipeline.desktop.apps(new AbortController().signal)).map(({ name, pid }) => [name, pid]));
  parent = `applications/${pidOf('Notes')}`;
});
const pidOf = (app: string) => String(pids.get(app));
afterEach(() => pipeline.observations.close());

type Value = Record<string, unknown> & { name: string; events: Record<string, unknown>[]; next_after: number };
const run = async (tool: string, input: unknown = {}): Promise<Value> =>
  (await pipeline.run(tool, input)).value as Value;
const refused = (tool: string, input: unknown) => failure(pipeline.run(tool, input));
/** The text of Notes, changed as its own code would. */
const write = (value: string) => pipeline.world.change(pipeline.world.find('note') ?? '', { value });

describe('what is watched', () => {
  test('[req:MT-T-create_observation] is named as the specification has it, in short, or by upstream’s names; the usable name comes at once', async () => {
    const plain = await run('create_observation', { parent });
    expect(plain).toMatchObject({
      name: expect.stringMatching(/^observations\/[0-9a-f]+$/),
      state: 'ACTIVE',
      types: ['element_changes'],
      parent,
      last_sequence: 0,
      reason: null,
    });
    expect(plain['poll_interval_ms']).toBeGreaterThanOrEqual(1000);
    for (const type of ['element', 'window', 'application', 'attribute', 'tree'])
      for (const spelling of [type, `${type}_changes`])
        expect(await run('create_observation', { parent, type: spelling })).toMatchObject({
          types: [`${type}_changes`],
        });
    expect((await refused('create_observation', { parent, type: 'everything' })).message).toMatch(/type/);
  });

  test('[req:MT-T-create_observation] is told of by the roles and attributes asked for, and only while it is seen', async () => {
    const { world } = pipeline;
    const [undo, locked] = [world.find('undo') ?? '', world.find('locked') ?? ''];
    const asked = { parent, attributes: ['title'], visible_only: true };
    const made = { ...asked, roles: ['AXButton'] };
    const [buttons, all] = [await run('create_observation', made), await run('create_observation', asked)];
    const hidden = world.addElement(undo, { role: 'AXButton', title: 'Hidden', visible: false, frame: { x: 0, y: 0, width: 9, height: 9 } }); // prettier-ignore
    write('Another text');
    world.change(locked, { title: 'Closed' });
    world.change(hidden, { title: 'Hidden still' });
    world.change(undo, { title: 'Redo', enabled: true });
    const told = async ({ name }: Value) => {
      const { events } = await run('poll_observation', { name, timeout: 60 });
      return [...new Set(JSON.stringify(events).match(/Redo|Closed|Hidden|Another/g))].toSorted();
    };
    expect(await told(buttons)).toEqual(['Redo']);
    expect(await told(all)).toEqual(['Closed', 'Redo']);
  });

  test('is an application, a window, an element, or everything there is of windows and applications', async () => {
    const [window] = (await pipeline.desktop.windows(new AbortController().signal)).filter(
      ({ app }) => `applications/${app.pid}` === parent,
    );
    const elementId = await pipeline.refer('note');
    const all = [undefined, '', '-', 'applications/-'];
    for (const type of ['window', 'application'])
      for (const everywhere of all)
        expect(
          await run('create_observation', { type, ...(everywhere === undefined ? {} : { parent: everywhere }) }),
        ).toMatchObject({ parent: '' });
    for (const name of [
      elementId,
      `${parent}/elements/${elementId}`,
      `applications/simulated.notes/elements/${elementId}`,
    ])
      expect(await run('create_observation', { parent: name })).toMatchObject({
        parent: `${parent}/elements/${elementId}`,
      });
    expect(await run('create_observation', { parent: `${parent}/windows/${window?.id ?? ''}` })).toMatchObject({
      parent: `${parent}/windows/${window?.id ?? ''}`,
    });
    expect(await run('create_observation', {})).toMatchObject({ parent: `applications/${pidOf('Mail')}` });
    for (const wrong of [
      'applications/1',
      'applications/x/y/z',
      `${parent}/windows/none`,
      `${parent}/elements/e:999`,
      'e:999',
    ])
      expect((await refused('create_observation', { parent: wrong })).code, wrong).toBe('DESKTOP_ELEMENT_NOT_FOUND');
  });

  test('is looked at as often as asked for, in either spelling; what is out of bounds is kept within and said', async () => {
    expect(await run('create_observation', { parent, poll_interval_ms: 25_000 })).toMatchObject({
      poll_interval_ms: 25_000,
      notes: [],
    });
    expect(await run('create_observation', { parent, poll_interval: 24.5 })).toMatchObject({
      poll_interval_ms: 24_500,
    });
    for (const asked of [0, -5, 1e9]) {
      const made = await run('create_observation', { parent, poll_interval_ms: asked });
      expect(made['poll_interval_ms']).toBeGreaterThanOrEqual(100);
      expect(made['poll_interval_ms']).toBeLessThanOrEqual(60_000);
      expect(made['notes']).toEqual(expect.arrayContaining([expect.stringContaining(String(asked))]));
    }
    for (const wrong of ['1', Infinity, NaN, null])
      expect((await refused('create_observation', { parent, poll_interval_ms: wrong })).code).toBe(
        'DESKTOP_INVALID_REQUEST',
      );
  });

  test('is shown to the person before it begins: what, and that it goes on', async () => {
    await run('create_observation', { parent });
    const [asked] = pipeline.asked;
    expect(asked).toMatchObject({
      action: { effect: 'disclose' },
      subject: { title: { code: 'title.watch_controls' }, target: null, app: 'Notes' },
    });
    expect(asked?.plan?.covers).toEqual([message('note.goes_on_between_calls')]);
  });

  test('refuses what it does not know, too much of what it does, and to bring anything to the front', async () => {
    const wrong = [
      { parent, polling: 1 },
      { parent, roles: Array(21).fill('AXButton') },
      { parent, roles: ['x'.repeat(101)] },
      { parent, roles: [7] },
      { parent, attributes: ['colour'] },
      { parent, attributes: Array(200).fill('value') },
      { parent: 'x'.repeat(501) },
      { parent, visible_only: 'yes' },
    ];
    for (const input of wrong)
      expect((await refused('create_observation', input)).code, JSON.stringify(input).slice(0, 80)).toBe(
        'DESKTOP_INVALID_REQUEST',
      );
    expect((await refused('create_observation', { parent, activate: true })).message).toMatch(/focus_window/);
    expect(await run('create_observation', { parent, activate: false })).toMatchObject({ state: 'ACTIVE' });
    expect(pipeline.observations.activeCount()).toBe(1);
  });
});

describe('[req:MT-T-stream_observations] events', () => {
  test('[req:MT-T-poll_observation] come to who waits, each once, as words and as values, and again to who asks for them', async () => {
    const { name } = await run('create_observation', { parent, attributes: ['text'] });
    const waiting = pipeline.run('poll_observation', { name, timeout: 60 });
    write('Hello');
    const { value, text } = await waiting;
    expect(value).toMatchObject({
      name,
      state: 'ACTIVE',
      dropped: 0,
      next_after: 1,
      more: false,
      events: [{ sequence: 1, kind: 'element_modified', observation: name }],
    });
    expect(text).toMatch(/^#1 element_modified e:\d+ AXTextArea “[^”]*”: value ".*" → "Hello"\n/);
    expect(await run('poll_observation', { name, timeout: 0 })).toMatchObject({ events: [], next_after: 1 });
    expect(await run('poll_observation', { name, timeout: 0, after_sequence: 0 })).toMatchObject({
      events: [{ sequence: 1 }],
    });
  });

  test('come from an observation that a stream attaches to, without another question', async () => {
    const { name } = await run('create_observation', { parent });
    write('One');
    const streamed = await run('stream_observations', { name, timeout: 60 });
    expect(streamed).toMatchObject({ name, events: [{ sequence: 1 }] });
    expect(pipeline.asked.at(-1)?.plan).toMatchObject({ window: pipeline.asked[0]?.plan?.window, look: null });
    await run('cancel_observation', { name });
    expect(await run('stream_observations', { name, timeout: 60 })).toMatchObject({
      state: 'CANCELLED',
      reason: expect.any(String),
      events: [],
    });
  });

  test('come from one that a stream begins, which the same stream again joins', async () => {
    const begun = await run('stream_observations', { parent, types: ['element', 'window_changes'], timeout: 0 });
    expect(begun).toMatchObject({ state: 'ACTIVE', events: [] });
    write('Two');
    pipeline.world.person.focus(pipeline.world.find('note') ?? '');
    const again = await run('stream_observations', { parent, types: ['window', 'element', 'window'], timeout: 60 });
    expect(again).toMatchObject({
      name: begun.name,
      events: expect.arrayContaining([expect.objectContaining({ kind: 'element_modified' })]),
    });
    expect(pipeline.observations.activeCount()).toBe(1);
    const other = await run('stream_observations', { parent, types: ['element'], roles: ['AXButton'], timeout: 0 });
    expect(other.name).not.toBe(begun.name);
  });

  test('are not waited for under two names at once', async () => {
    const { name } = await run('create_observation', { parent });
    expect((await refused('stream_observations', { name, parent })).message).toMatch(/either name/);
    for (const timeout of [-1, 3601, '5'])
      expect((await refused('poll_observation', { name, timeout })).code).toBe('DESKTOP_INVALID_REQUEST');
    for (const after of [-1, 0.5, 'all'])
      expect((await refused('poll_observation', { name, after_sequence: after })).code).toBe('DESKTOP_INVALID_REQUEST');
  });

  test('stop for a wait that is given up', async () => {
    const { name } = await run('create_observation', { parent });
    const control = new AbortController();
    const waiting = failure(pipeline.run('poll_observation', { name, timeout: 3600 }, { signal: control.signal }));
    control.abort();
    expect((await waiting).code).toBe('DESKTOP_ABORTED');
  });
});

describe('observations', () => {
  test('[req:MT-T-get_observation] [req:MT-T-cancel_observation] tell their state, by any of their names, also when they have ended', async () => {
    const { name } = await run('create_observation', { parent });
    const id = name.replace('observations/', '');
    for (const spelling of [name, id, `${parent}/observations/${id}`, `operations/observation/${id}`])
      expect(await run('get_observation', { name: spelling })).toMatchObject({ name, state: 'ACTIVE' });
    expect(await run('cancel_observation', { name })).toMatchObject({ name, state: 'CANCELLED', expires: null });
    expect(await run('get_observation', { name })).toMatchObject({ state: 'CANCELLED', reason: expect.any(String) });
    for (const tool of ['get_observation', 'cancel_observation', 'poll_observation', 'stream_observations']) {
      const error = await refused(tool, { name: 'observations/none' });
      expect(error.details['reason'], tool).toBe('unknown_observation');
      expect(error.next).toMatch(/list_observations/);
    }
  });

  test('[req:MT-T-list_observations] are listed in pages, all of them or those of one parent', async () => {
    const names: string[] = [];
    for (let made = 0; made < 5; made += 1)
      names.push((await run('create_observation', { parent, poll_interval_ms: 5000 + made })).name);
    const other = await run('create_observation', { type: 'window' });
    const listed = async (input: object) =>
      ((await run('list_observations', input))['observations'] as { name: string }[]).map((one) => one.name);
    expect(await listed({})).toEqual([...names, other.name]);
    for (const name of [parent, 'applications/simulated.notes']) expect(await listed({ parent: name })).toEqual(names);
    expect(await listed({ parent: `${parent}0` })).toEqual([]);
    const first = await run('list_observations', { parent, page_size: 3 });
    expect(first).toMatchObject({ total: 5, next_page_token: expect.any(String) });
    expect(await listed({ parent, page_size: 3, page_token: first['next_page_token'] })).toEqual(names.slice(3));
  });

  test('of one agent are unknown to another', async () => {
    const { name } = await run('create_observation', { parent });
    const other = { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2' } };
    for (const tool of ['get_observation', 'cancel_observation', 'poll_observation', 'stream_observations'])
      expect((await failure(pipeline.run(tool, { name }, { caller: other }))).details['reason']).toBe(
        'unknown_observation',
      );
    expect((await pipeline.run('list_observations', {}, { caller: other })).value).toMatchObject({
      observations: [],
      total: 0,
    });
  });
});
