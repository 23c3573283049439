import { describe, expect, test } from 'vitest';
import { Stopped } from '../../src/main/pipeline/failures.js';
import type { SequenceResult } from '../../src/main/pipeline/sequence.js';
import type { RunResult } from '../../src/main/pipeline/dependencies.js';
import { planForRecord } from '../../src/main/evidence/execution.js';
import { WireError as Refusal, type WireError } from '../../src/main/protocol/index.js';
import { ALLOWED, createTestPipeline, DENIED, failure, type RunOptions } from '../support/pipeline.js';
import { message, verbatim } from '../../src/messages/index.js';
import { openSimulated } from '../../src/native/simulated/index.js';

type TestPipeline = ReturnType<typeof createTestPipeline>;

const stepsOf = (result: RunResult) => (result.value as SequenceResult).steps;
const failedSteps = (error: WireError) => error.details['steps'] as SequenceResult['steps'];
const click = async (pipeline: TestPipeline, identifier: string) => ({
  tool: 'click_element',
  arguments: { element_id: await pipeline.refer(identifier) },
});
const write = async (pipeline: TestPipeline, identifier: string, value: string) => ({
  tool: 'write_element_value',
  arguments: { element_id: await pipeline.refer(identifier), value },
});
const acts = (entries: { event: string; control: string }[]) =>
  entries.filter(({ event }) => event === 'pressed' || event === 'toggled').map(({ control }) => control);
/** Something happens right before a step's turn. */
const before = (step: number, happens: () => void): RunOptions => ({
  onProgress: (_state, message) => {
    if (message.startsWith(`Step ${step}:`)) happens();
  },
});
const windowNamed = async ({ desktop }: TestPipeline, title: string) =>
  (await desktop.windows(new AbortController().signal)).find((window) => window.title === title)?.id ?? '';

describe('a plan', () => {
  test('[req:MT-T-run_plan] [req:DS-2-8] is asked once with every step, runs in order, and tells of each', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    const steps = [
      await write(pipeline, 'to', 'bob@example.org'),
      await click(pipeline, 'send'),
      await click(pipeline, 'copy'),
    ];
    const result = await pipeline.run('run_plan', { steps });
    expect(pipeline.asked).toHaveLength(1);
    const [request] = pipeline.asked;
    expect(request).toMatchObject({ action: { effect: 'dangerous' }, alwaysAsk: false });
    expect(request?.subject).toMatchObject({ title: { code: 'title.run_plan', params: { count: 3 } }, app: 'Mail' });
    expect(request?.picture?.target).not.toBeNull();
    expect(request?.plan?.steps?.map(({ tool, subject, arguments: given }) => [tool, subject.target, given])).toEqual([
      ['write_element_value', 'To', steps[0]?.arguments],
      ['click_element', 'Send', steps[1]?.arguments],
      ['click_element', 'Sender gets a copy', steps[2]?.arguments],
    ]);
    expect(pipeline.world.text(pipeline.world.find('status') ?? '')).toBe('Sent to bob@example.org');
    expect(acts(pipeline.world.journal())).toEqual(['send', 'copy']);
    expect(stepsOf(result).map(({ status, effect }) => [status, effect])).toEqual(Array(3).fill(['done', 'confirmed']));
    expect(stepsOf(result)[0]).toMatchObject({ before: null, after: 'bob@example.org' });
    expect(result.verified?.effect).toBe('confirmed');
    expect(result.text).toContain('All 3 steps were done.');
  });

  test('[req:TR-5] leaves one folder with pictures from before and after and a line for each step, with what was confirmed', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    await pipeline.run('run_plan', { steps: [await click(pipeline, 'copy'), await click(pipeline, 'send')] });
    expect(pipeline.records).toHaveLength(1);
    expect(pipeline.records[0]?.files).toEqual(['before.png', 'after.png']);
    expect(pipeline.records[0]?.traces.filter((line) => 'status' in line)).toMatchObject([
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
    const pipeline = createTestPipeline(async () => DENIED);
    const error = await failure(
      pipeline.run('run_plan', { steps: [await click(pipeline, 'copy'), await click(pipeline, 'send')] }),
    );
    expect(error.code).toBe('DESKTOP_CONFIRM_REQUIRED');
    expect(pipeline.world.journal()).toEqual([]);
    expect(pipeline.records[0]?.end?.outcome).toBe('denied');
  });

  test.each([null, true])(
    'goes on when a step changes nothing, and says so; or stops there when asked to (told early: %s)',
    async (tells) => {
      const simulated = { ...openSimulated(), untilApplication: async () => tells };
      const pipeline = createTestPipeline(async () => ALLOWED, simulated);
      const steps = [await click(pipeline, 'send'), await click(pipeline, 'send'), await click(pipeline, 'copy')];
      const result = await pipeline.run('run_plan', { steps });
      expect(stepsOf(result).map(({ effect }) => effect)).toEqual([
        'confirmed',
        tells === null ? 'no_change' : 'unverified',
        'confirmed',
      ]);
      expect(result.verified?.effect).toBe('unverified');
      const error = await failure(pipeline.run('run_plan', { steps, stop_on_no_change: true }));
      expect(error).toMatchObject({
        code: 'DESKTOP_ABORTED',
        retryable: false,
        details: { reason: 'no_change', step: 1 },
      });
      expect(acts(pipeline.world.journal())).toEqual(['send', 'send', 'copy', 'send']);
    },
  );

  test('types into what an earlier step gave the focus to, inside the approved window', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    pipeline.world.person.focus(pipeline.world.find('to') ?? '');
    const steps = [
      { tool: 'click', arguments: { x: 300, y: 300 } },
      { tool: 'type_text', arguments: { text: 'dear', application: 'simulated.mail' } },
    ];
    const result = await pipeline.run('run_plan', { steps });
    expect(stepsOf(result).map(({ status }) => status)).toEqual(['done', 'done']);
    expect(pipeline.world.text(pipeline.world.find('body') ?? '')).toBe('dear');
    const typing = pipeline.asked[0]?.plan?.steps?.[1];
    expect(typing?.subject.target).toBeNull();
    expect(typing?.plan?.notes).toContainEqual(message('note.goes_to_focus'));
  });

  test('says so as well where the window is not in front yet, and of a point where nothing tells what is there', async () => {
    const pipeline = createTestPipeline(async () => DENIED);
    const id = pipeline.world.addApp({
      id: 'game',
      name: 'Game',
      executable: '/game',
      windows: [{ title: 'Game', frame: { x: 40, y: 500, width: 300, height: 200 }, elements: [] }],
    });
    pipeline.world.raiseWindow(await windowNamed(pipeline, 'New Message'));
    const steps = [
      { tool: 'click_element', arguments: { parent: 'simulated.mail', identifier: 'copy' } },
      { tool: 'type_text', arguments: { text: 'yes', application: `applications/${id}` } },
      { tool: 'click', arguments: { x: 100, y: 620 } },
    ];
    await failure(pipeline.run('run_plan', { steps }));
    const notes = pipeline.asked[0]?.plan?.steps?.map(({ plan }) => plan?.notes) ?? [];
    expect(notes[1]).toContainEqual(message('note.goes_to_focus'));
    expect(notes[2]).toContainEqual(message('note.goes_to_point'));
  });
});

describe('what one approval may cover', () => {
  test('steps in two applications always ask, and stand in no window that a grant could name', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    const result = await pipeline.run('run_plan', {
      steps: [await click(pipeline, 'copy'), await click(pipeline, 'key-7')],
    });
    expect(pipeline.asked[0]).toMatchObject({ alwaysAsk: true, plan: { window: null } });
    expect(stepsOf(result).map(({ status }) => status)).toEqual(['done', 'done']);
  });

  test('the class is the strongest of the steps', async () => {
    const pipeline = createTestPipeline(async () => DENIED);
    const name = `applications/1/windows/${await windowNamed(pipeline, 'New Message')}`;
    const pid = (await pipeline.desktop.apps(new AbortController().signal)).find((app) => app.name === 'Mail')?.pid;
    const close = { tool: 'close_window', arguments: { name: name.replace('/1/', `/${pid}/`) } };
    await failure(pipeline.run('run_plan', { steps: [await click(pipeline, 'copy'), close] }));
    expect(pipeline.asked[0]?.action.effect).toBe('dangerous');
  });
});

describe('between the steps', () => {
  test('a control that says something else now stops the plan, and what was done is told', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    const steps = [await click(pipeline, 'copy'), await click(pipeline, 'send'), await click(pipeline, 'copy')];
    const change = () => pipeline.world.change(pipeline.world.find('send') ?? '', { title: 'Delete' });
    const error = await failure(pipeline.run('run_plan', { steps }, before(2, change)));
    expect(error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED', retryable: false, details: { step: 2 } });
    expect(error.message).toContain('1 step before it was done');
    expect(failedSteps(error).map(({ status }) => status)).toEqual(['done', 'failed', 'skipped']);
    expect(acts(pipeline.world.journal())).toEqual(['copy']);
    expect(pipeline.records[0]?.end?.outcome).toBe('failed');
  });

  test('a new title of the window is what steps do; another origin is not', async () => {
    for (const [url, done] of [
      ['https://mail.example/sent', true],
      ['https://elsewhere.example/', false],
    ] as const) {
      const pipeline = createTestPipeline(async () => ALLOWED);
      const id = await windowNamed(pipeline, 'New Message');
      pipeline.world.retitleWindow(id, 'New Message', 'https://mail.example/new');
      const steps = [await click(pipeline, 'copy'), await click(pipeline, 'send')];
      const work = pipeline.run(
        'run_plan',
        { steps },
        before(2, () => pipeline.world.retitleWindow(id, 'Sent', url)),
      );
      if (done) expect(stepsOf(await work)[1]?.status).toBe('done');
      else expect((await failure(work)).code).toBe('DESKTOP_TARGET_CHANGED');
      expect(acts(pipeline.world.journal())).toEqual(done ? ['copy', 'send'] : ['copy']);
    }
  });

  test('what changed while the person was asked stops it before the first step, wherever it is', async () => {
    const pipeline: TestPipeline = createTestPipeline(async () => {
      pipeline.world.change(pipeline.world.find('send') ?? '', { title: 'Delete' });
      return ALLOWED;
    });
    const error = await failure(
      pipeline.run('run_plan', { steps: [await click(pipeline, 'copy'), await click(pipeline, 'send')] }),
    );
    expect(error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED', details: { step: 2 } });
    expect(error.message).toBe(
      'Step 2 (click_element): the target is not what was approved any more. Nothing was done.',
    );
    expect(pipeline.world.journal()).toEqual([]);
  });

  test('an abort ends it there, and nothing stays held down', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    pipeline.world.person.focus(pipeline.world.find('body') ?? '');
    pipeline.world.clearJournal();
    const key = { tool: 'press_key', arguments: { key: 'a', modifiers: ['shift'], application: 'simulated.mail' } };
    const stop = () => void pipeline.deps.executions.stop(new Stopped('abort', verbatim('Aborted by the caller.')));
    const error = await failure(pipeline.run('run_plan', { steps: [key, key, key] }, before(2, stop)));
    expect(error).toMatchObject({ code: 'DESKTOP_ABORTED', details: { reason: 'abort', step: 2 } });
    const events = pipeline.world.journal().map(({ event }) => event);
    expect(events.filter((event) => event === 'key').length).toBeGreaterThan(0);
    expect(events.filter((event) => event === 'keyup')).toHaveLength(events.filter((event) => event === 'key').length);
    expect(pipeline.world.text(pipeline.world.find('body') ?? '')).toBe('A');
  });

  test('a permission taken back, and a pause, end it there', async () => {
    const revoked = createTestPipeline(async () => ALLOWED);
    const error = await failure(
      revoked.run(
        'run_plan',
        { steps: [await click(revoked, 'copy'), await click(revoked, 'send')] },
        before(2, () => revoked.revoke()),
      ),
    );
    expect(error).toMatchObject({ code: 'DESKTOP_ABORTED', details: { reason: 'person' } });
    expect(acts(revoked.world.journal())).toEqual(['copy']);

    const paused = createTestPipeline(async () => ALLOWED);
    let open = true;
    paused.deps.approver.assertOpen = () => {
      if (!open) throw new Refusal('DESKTOP_HOST_NOT_READY', verbatim('Agents are paused.'), { reason: 'paused' });
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
    const pipeline = createTestPipeline(async () => ALLOWED);
    pipeline.world.person.focus(pipeline.world.find('account-password') ?? '');
    const steps = [
      { tool: 'press_key', arguments: { key: 'end', application: 'simulated.mail' } },
      { tool: 'type_text', arguments: { text: 'hunter2', application: 'simulated.mail' } },
    ];
    await pipeline.run('run_plan', { steps });
    await failure(
      pipeline.run(
        'run_plan',
        { steps },
        before(2, () => pipeline.revoke()),
      ),
    );
    expect(pipeline.world.text(pipeline.world.find('account-password') ?? '')).toBe('correct horsehunter2');
    const plans = pipeline.records.map(({ end }) => end?.plan ?? null).filter((plan) => plan !== null);
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(JSON.stringify(planForRecord(plan))).not.toContain('hunter2');
  });
});
