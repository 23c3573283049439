import { describe, expect, test } from 'vitest';
import { Stopped } from '../../src/main/pipeline/failures.js';
import type { SequenceResult } from '../../src/main/pipeline/sequence-result.js';
import type { RunResult } from '../../src/main/pipeline/dependencies.js';
import type { WireError } from '../../src/main/protocol/index.js';
import { planForRecord } from '../../src/main/evidence/execution-record.js';
import { WireError as Refusal } from '../../src/main/protocol/index.js';
import { ALLOWED, createTestRooms, DENIED, failure } from '../support/rooms.js';
import type { RunOptions } from '../support/rooms.js';
import { message } from '../../src/messages/index.js';

type Rooms = ReturnType<typeof createTestRooms>;

const stepsOf = (result: RunResult) => (result.value as SequenceResult).steps;
const failedSteps = (error: WireError) => error.details['steps'] as SequenceResult['steps'];
const click = async (rooms: Rooms, identifier: string) => ({
  tool: 'click_element',
  arguments: { element_id: await rooms.refer(identifier) },
});
const write = async (rooms: Rooms, identifier: string, value: string) => ({
  tool: 'write_element_value',
  arguments: { element_id: await rooms.refer(identifier), value },
});
const acts = (entries: { event: string; control: string }[]) =>
  entries.filter(({ event }) => event === 'pressed' || event === 'toggled').map(({ control }) => control);
/** Something happens right before a step's turn. */
const before = (step: number, happens: () => void): RunOptions => ({
  onProgress: (_state, message) => {
    if (message.startsWith(`Step ${step}:`)) happens();
  },
});
const windowNamed = async ({ desktop }: Rooms, title: string) =>
  (await desktop.windows(new AbortController().signal)).find((window) => window.title === title)?.id ?? '';

describe('a plan', () => {
  test('[req:MT-T-run_plan] [req:DS-2-8] is asked once with every step, runs in order, and tells of each', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    const steps = [await write(rooms, 'to', 'bob@example.org'), await click(rooms, 'send'), await click(rooms, 'copy')];
    const result = await rooms.run('run_plan', { steps });
    expect(rooms.asked).toHaveLength(1);
    const [request] = rooms.asked;
    expect(request).toMatchObject({ action: { effect: 'dangerous' }, alwaysAsk: false });
    expect(request?.subject).toMatchObject({ title: { code: 'title.run_plan', params: { count: 3 } }, app: 'Mail' });
    expect(request?.picture?.target).not.toBeNull();
    expect(request?.plan?.steps?.map(({ tool, subject, arguments: given }) => [tool, subject.target, given])).toEqual([
      ['write_element_value', 'To', steps[0]?.arguments],
      ['click_element', 'Send', steps[1]?.arguments],
      ['click_element', 'Send me a copy', steps[2]?.arguments],
    ]);
    expect(rooms.world.text(rooms.world.find('status') ?? '')).toBe('Sent to bob@example.org');
    expect(acts(rooms.world.journal())).toEqual(['send', 'copy']);
    expect(stepsOf(result).map(({ status, effect }) => [status, effect])).toEqual(Array(3).fill(['done', 'confirmed']));
    expect(stepsOf(result)[0]).toMatchObject({ before: null, after: 'bob@example.org' });
    expect(result.verified?.effect).toBe('confirmed');
    expect(result.text).toContain('All 3 steps were done.');
  });

  test('[req:TR-5] leaves one folder with pictures from before and after and a line for each step, with what was confirmed', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    await rooms.run('run_plan', { steps: [await click(rooms, 'copy'), await click(rooms, 'send')] });
    expect(rooms.records).toHaveLength(1);
    expect(rooms.records[0]?.files).toEqual(['before.png', 'after.png']);
    expect(rooms.records[0]?.traces.filter((line) => 'status' in line)).toMatchObject([
      {
        step: 1,
        tool: 'click_element',
        status: 'done',
        effect: 'confirmed',
        after: expect.stringContaining('checked'),
      },
      {
        step: 2,
        tool: 'click_element',
        status: 'done',
        effect: 'confirmed',
        after: expect.stringContaining('Who is it for?'),
      },
    ]);
  });

  test('that is denied does none of it', async () => {
    const rooms = createTestRooms(async () => DENIED);
    const error = await failure(
      rooms.run('run_plan', { steps: [await click(rooms, 'copy'), await click(rooms, 'send')] }),
    );
    expect(error.code).toBe('DESKTOP_CONFIRM_REQUIRED');
    expect(rooms.world.journal()).toEqual([]);
    expect(rooms.records[0]?.end?.outcome).toBe('denied');
  });

  test('goes on when a step changes nothing, and says so; or stops there when asked to', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    const steps = [await click(rooms, 'send'), await click(rooms, 'send'), await click(rooms, 'copy')];
    const result = await rooms.run('run_plan', { steps });
    expect(stepsOf(result).map(({ effect }) => effect)).toEqual(['confirmed', 'no_change', 'confirmed']);
    expect(result.verified?.effect).toBe('unverified');
    const error = await failure(rooms.run('run_plan', { steps, stop_on_no_change: true }));
    expect(error).toMatchObject({
      code: 'DESKTOP_ABORTED',
      retryable: false,
      details: { reason: 'no_change', step: 1 },
    });
    expect(acts(rooms.world.journal())).toEqual(['send', 'send', 'copy', 'send']);
  });

  test('types into what an earlier step gave the focus to, inside the approved window', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    rooms.world.person.focus(rooms.world.find('to') ?? '');
    const steps = [
      { tool: 'click', arguments: { x: 300, y: 300 } },
      { tool: 'type_text', arguments: { text: 'dear', application: 'simulated.mail' } },
    ];
    const result = await rooms.run('run_plan', { steps });
    expect(stepsOf(result).map(({ status }) => status)).toEqual(['done', 'done']);
    expect(rooms.world.text(rooms.world.find('body') ?? '')).toBe('dear');
    const typing = rooms.asked[0]?.plan?.steps?.[1];
    expect(typing?.subject.target).toBeNull();
    expect(typing?.plan?.notes).toContainEqual(message('note.goes_to_focus'));
  });

  test('says so as well where the window is not in front yet, and of a point where nothing tells what is there', async () => {
    const rooms = createTestRooms(async () => DENIED);
    const id = rooms.world.addApp({
      id: 'game',
      name: 'Game',
      executable: '/game',
      windows: [{ title: 'Game', frame: { x: 40, y: 500, width: 300, height: 200 }, elements: [] }],
    });
    rooms.world.raiseWindow(await windowNamed(rooms, 'New Message'));
    const steps = [
      { tool: 'click_element', arguments: { parent: 'simulated.mail', identifier: 'copy' } },
      { tool: 'type_text', arguments: { text: 'yes', application: `applications/${id}` } },
      { tool: 'click', arguments: { x: 100, y: 620 } },
    ];
    await failure(rooms.run('run_plan', { steps }));
    const notes = rooms.asked[0]?.plan?.steps?.map(({ plan }) => plan?.notes) ?? [];
    expect(notes[1]).toContainEqual(message('note.goes_to_focus'));
    expect(notes[2]).toContainEqual(message('note.goes_to_point'));
  });
});

describe('what one approval may cover', () => {
  test('steps in two applications always ask, and stand in no window that a grant could name', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    const result = await rooms.run('run_plan', { steps: [await click(rooms, 'copy'), await click(rooms, 'key-7')] });
    expect(rooms.asked[0]).toMatchObject({ alwaysAsk: true, plan: { window: null } });
    expect(stepsOf(result).map(({ status }) => status)).toEqual(['done', 'done']);
  });

  test('the class is the strongest of the steps', async () => {
    const rooms = createTestRooms(async () => DENIED);
    const name = `applications/1/windows/${await windowNamed(rooms, 'New Message')}`;
    const pid = (await rooms.desktop.apps(new AbortController().signal)).find((app) => app.name === 'Mail')?.pid;
    const close = { tool: 'close_window', arguments: { name: name.replace('/1/', `/${pid}/`) } };
    await failure(rooms.run('run_plan', { steps: [await click(rooms, 'copy'), close] }));
    expect(rooms.asked[0]?.action.effect).toBe('dangerous');
  });
});

describe('between the steps', () => {
  test('a control that says something else now stops the plan, and what was done is told', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    const steps = [await click(rooms, 'copy'), await click(rooms, 'send'), await click(rooms, 'copy')];
    const change = () => rooms.world.change(rooms.world.find('send') ?? '', { title: 'Delete' });
    const error = await failure(rooms.run('run_plan', { steps }, before(2, change)));
    expect(error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED', retryable: false, details: { step: 2 } });
    expect(error.message).toContain('1 step before it was done');
    expect(failedSteps(error).map(({ status }) => status)).toEqual(['done', 'failed', 'skipped']);
    expect(acts(rooms.world.journal())).toEqual(['copy']);
    expect(rooms.records[0]?.end?.outcome).toBe('failed');
  });

  test('a new title of the window is what steps do; another origin is not', async () => {
    for (const [url, done] of [
      ['https://mail.example/sent', true],
      ['https://elsewhere.example/', false],
    ] as const) {
      const rooms = createTestRooms(async () => ALLOWED);
      const id = await windowNamed(rooms, 'New Message');
      rooms.world.retitleWindow(id, 'New Message', 'https://mail.example/new');
      const steps = [await click(rooms, 'copy'), await click(rooms, 'send')];
      const work = rooms.run(
        'run_plan',
        { steps },
        before(2, () => rooms.world.retitleWindow(id, 'Sent', url)),
      );
      if (done) expect(stepsOf(await work)[1]?.status).toBe('done');
      else expect((await failure(work)).code).toBe('DESKTOP_TARGET_CHANGED');
      expect(acts(rooms.world.journal())).toEqual(done ? ['copy', 'send'] : ['copy']);
    }
  });

  test('what changed while the person was asked stops it before the first step, wherever it is', async () => {
    const rooms: Rooms = createTestRooms(async () => {
      rooms.world.change(rooms.world.find('send') ?? '', { title: 'Delete' });
      return ALLOWED;
    });
    const error = await failure(
      rooms.run('run_plan', { steps: [await click(rooms, 'copy'), await click(rooms, 'send')] }),
    );
    expect(error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED', details: { step: 2 } });
    expect(error.message).toBe(
      'Step 2 (click_element): the target is not what was approved any more. Nothing was done.',
    );
    expect(rooms.world.journal()).toEqual([]);
  });

  test('an abort ends it there, and nothing stays held down', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    rooms.world.person.focus(rooms.world.find('body') ?? '');
    rooms.world.clearJournal();
    const key = { tool: 'press_key', arguments: { key: 'a', modifiers: ['shift'], application: 'simulated.mail' } };
    const stop = () => void rooms.rooms.executions.stop(new Stopped('abort', 'Aborted by the caller.'));
    const error = await failure(rooms.run('run_plan', { steps: [key, key, key] }, before(2, stop)));
    expect(error).toMatchObject({ code: 'DESKTOP_ABORTED', details: { reason: 'abort', step: 2 } });
    const events = rooms.world.journal().map(({ event }) => event);
    expect(events.filter((event) => event === 'key').length).toBeGreaterThan(0);
    expect(events.filter((event) => event === 'keyup')).toHaveLength(events.filter((event) => event === 'key').length);
    expect(rooms.world.text(rooms.world.find('body') ?? '')).toBe('A');
  });

  test('a permission taken back, and a pause, end it there', async () => {
    const revoked = createTestRooms(async () => ALLOWED);
    const error = await failure(
      revoked.run(
        'run_plan',
        { steps: [await click(revoked, 'copy'), await click(revoked, 'send')] },
        before(2, () => revoked.revoke()),
      ),
    );
    expect(error).toMatchObject({ code: 'DESKTOP_ABORTED', details: { reason: 'person' } });
    expect(acts(revoked.world.journal())).toEqual(['copy']);

    const paused = createTestRooms(async () => ALLOWED);
    let open = true;
    paused.rooms.approver.assertOpen = () => {
      if (!open) throw new Refusal('DESKTOP_HOST_NOT_READY', 'Agents are paused.', { reason: 'paused' });
    };
    const wait = { tool: 'wait', arguments: { duration: 0.01 } };
    const steps = [await click(paused, 'copy'), wait, await click(paused, 'send')];
    const told = await failure(
      paused.run(
        'run_plan',
        { steps },
        before(2, () => (open = false)),
      ),
    );
    expect(told).toMatchObject({ code: 'DESKTOP_HOST_NOT_READY', retryable: false, details: { step: 3 } });
    expect(failedSteps(told).map(({ status }) => status)).toEqual(['done', 'done', 'failed']);
    expect(acts(paused.world.journal())).toEqual(['copy']);
  });
});

describe('password fields', () => {
  test('what a plan types there is in no record, also when its turn never came', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    rooms.world.person.focus(rooms.world.find('account-password') ?? '');
    const steps = [
      { tool: 'press_key', arguments: { key: 'end', application: 'simulated.mail' } },
      { tool: 'type_text', arguments: { text: 'hunter2', application: 'simulated.mail' } },
    ];
    await rooms.run('run_plan', { steps });
    await failure(
      rooms.run(
        'run_plan',
        { steps },
        before(2, () => rooms.revoke()),
      ),
    );
    expect(rooms.world.text(rooms.world.find('account-password') ?? '')).toBe('correct horsehunter2');
    const plans = rooms.records.map(({ end }) => end?.plan ?? null).filter((plan) => plan !== null);
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(JSON.stringify(planForRecord(plan))).not.toContain('hunter2');
  });
});
