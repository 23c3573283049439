import { CLICK } from '../support/titles.js';
import { describe, expect, test } from 'vitest';
import { WaitEnded, type Decision } from '../../src/main/approvals/request.js';
import { Stopped } from '../../src/main/pipeline/failures.js';
import { WireError } from '../../src/main/protocol/index.js';
import { holdTimers } from '../support/held-timers.js';
import { ALLOWED, createTestPipeline, DENIED, failure, pressed } from '../support/pipeline.js';
import { verbatim } from '../../src/messages/index.js';

describe('an approved click', () => {
  test('happens once, is verified, and is kept with pictures from before and after', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    const result = await pipeline.run('click_element', { element_id: await pipeline.refer('send') });
    expect(pressed(pipeline.world.journal())).toEqual(['send']);
    expect(result.verified?.effect).toBe('confirmed');
    expect(JSON.stringify(result.verified?.after)).toContain('Who is it for?');
    const [record] = pipeline.records;
    expect(record?.files).toEqual(['before.png', 'after.png']);
    expect(record?.started).toBe(true);
    expect(record?.end?.outcome).toBe('confirmed');
  });

  test('whose picture from afterwards cannot be made is told as done, with evidence that says what it lacks', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    const { png } = pipeline.deps.imaging;
    pipeline.deps.imaging = {
      ...pipeline.deps.imaging,
      png: (capture) =>
        pipeline.records[0]?.started === true ? Promise.reject(new Error('no picture')) : png(capture),
    };
    const result = await pipeline.run('click_element', { element_id: await pipeline.refer('send') });
    expect(result.verified?.effect).toBe('confirmed');
    expect(pipeline.records[0]).toMatchObject({ files: ['before.png'], lost: ['after.png'] });
  });

  test('shows the person what will be touched', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    await pipeline.run('click_element', { element_id: await pipeline.refer('send') });
    const [request] = pipeline.asked;
    expect(request?.subject).toMatchObject({ title: CLICK, target: 'Send', app: 'Mail', place: 'New Message' });
    expect(request?.picture?.target).not.toBeNull();
    expect(request?.plan?.window?.app.pid).toBeGreaterThan(0);
  });

  test('is the same call again only with the same arguments', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    for (const key of ['x', 'y', 'x']) await pipeline.run('press_key', { key });
    const [x, y, again] = pipeline.asked.map(({ callKey }) => callKey);
    expect(y).not.toBe(x);
    expect(again).toBe(x);
  });

  test('that changed nothing says so', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    const send = await pipeline.refer('send');
    await pipeline.run('click_element', { element_id: send });
    const again = await pipeline.run('click_element', { element_id: send });
    expect(again.verified?.effect).toBe('no_change');
  });
});

describe('where the log has no line of a call', () => {
  test('[req:DS-8-12] what was read is not told', async () => {
    const pipeline = createTestPipeline();
    pipeline.loseLog();
    const error = await failure(pipeline.run('list_windows', {}));
    expect(error.details['reason']).toBe('evidence');
  });

  test('[req:DS-8-8] what was done is told, as incomplete', async () => {
    const pipeline = createTestPipeline();
    pipeline.loseLog();
    expect(await pipeline.run('press_key', { key: 'x' })).toMatchObject({ incomplete: true });
  });
});

describe('no means no', () => {
  test('a denial reaches the agent with what the person said, and nothing happens', async () => {
    const pipeline = createTestPipeline(async () => DENIED);
    const error = await failure(pipeline.run('click_element', { element_id: await pipeline.refer('send') }));
    expect(error.code).toBe('DESKTOP_CONFIRM_REQUIRED');
    expect(error.details['reason']).toBe('denied');
    expect(error.message).toContain('not that one');
    expect(pressed(pipeline.world.journal())).toEqual([]);
    expect(pipeline.records[0]?.end?.outcome).toBe('denied');
  });

  test('[req:DS-6-6] an approver that throws is a no', async () => {
    const pipeline = createTestPipeline(() => Promise.reject(new Error('unwired')));
    const error = await failure(pipeline.run('click_element', { element_id: await pipeline.refer('send') }));
    expect(error.code).toBe('DESKTOP_INTERNAL_ERROR');
    expect(pressed(pipeline.world.journal())).toEqual([]);
  });

  test('[req:DS-8-7] evidence that cannot be started refuses the act', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    const begin = pipeline.deps.recorder.begin;
    pipeline.deps.recorder.begin = async (start) => ({
      ...(await begin(start)),
      started: () => Promise.reject(new WireError('DESKTOP_HOST_NOT_READY', verbatim('disk full'))),
    });
    const error = await failure(pipeline.run('click_element', { element_id: await pipeline.refer('send') }));
    expect(error.message).toBe('disk full');
    expect(pressed(pipeline.world.journal())).toEqual([]);
  });

  test('an approval taken back while typing stops the rest', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    pipeline.world.person.focus(pipeline.world.find('body') ?? '');
    let events = 0;
    pipeline.deps.noteInjection = () => {
      events += 1;
      if (events === 3) pipeline.revoke();
    };
    const error = await failure(pipeline.run('press_key', { key: 'a', modifiers: ['shift', 'ctrl', 'alt'] }));
    expect(error.code).toBe('DESKTOP_ABORTED');
    expect(pipeline.world.journal().filter((one) => one.event === 'changed')).toEqual([]);
  });
});

describe('drift between approval and act', () => {
  const windowIdOf = async ({ desktop }: ReturnType<typeof createTestPipeline>) => {
    const windows = await desktop.windows(new AbortController().signal);
    return windows.find((window) => window.title === 'New Message')?.id ?? '';
  };
  const change = (
    alter: (pipeline: ReturnType<typeof createTestPipeline>, windowId: string) => void,
    by: Extract<Decision, { kind: 'allowed' }>['by'] = 'person',
  ) => {
    const pipeline: ReturnType<typeof createTestPipeline> = createTestPipeline(async () => {
      alter(pipeline, await windowIdOf(pipeline));
      return { ...ALLOWED, by };
    });
    return pipeline;
  };

  test('a swapped dialog with the same title and control is refused', async () => {
    const pipeline = change(({ world }, windowId) => {
      const send = {
        role: 'AXButton' as const,
        title: 'Send',
        identifier: 'send',
        frame: { x: 432, y: 384, width: 108, height: 32 },
      };
      world.swapDialog(windowId, { title: 'New Message', elements: [send] });
    });
    const error = await failure(pipeline.run('click_element', { element_id: await pipeline.refer('send') }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(pressed(pipeline.world.journal())).toEqual([]);
  });

  test('a button that says something else now is refused', async () => {
    const pipeline = change(({ world }) => world.change(world.find('send') ?? '', { title: 'Delete' }));
    const error = await failure(pipeline.run('click_element', { element_id: await pipeline.refer('send') }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
  });

  test('another page in the same window is refused', async () => {
    const pipeline = change(({ world }, windowId) =>
      world.retitleWindow(windowId, 'New Message', 'https://elsewhere.example/'),
    );
    const error = await failure(pipeline.run('click_element', { element_id: await pipeline.refer('send') }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
  });

  test.each(['person', 'grant'] as const)('another title is refused where a %s allowed it', async (by) => {
    const pipeline = change(({ world }, windowId) => world.retitleWindow(windowId, 'Reply to Eve'), by);
    const error = await failure(pipeline.run('click_element', { element_id: await pipeline.refer('send') }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(pressed(pipeline.world.journal())).toEqual([]);
  });

  test('another title is no drift where the policy alone allows it, and nobody read the title', async () => {
    const pipeline = change(({ world }, windowId) => world.retitleWindow(windowId, 'New Message (loaded)'), 'policy');
    const result = await pipeline.run('click_element', { element_id: await pipeline.refer('send') });
    expect(result.verified?.effect).toBe('confirmed');
  });

  test('another page of the same site is refused also where the policy alone allows it', async () => {
    const page = (name: string) => `https://mail.example/${name}`;
    const pipeline = change(
      ({ world }, windowId) => world.retitleWindow(windowId, 'New Message', page('sent')),
      'policy',
    );
    pipeline.world.retitleWindow(await windowIdOf(pipeline), 'New Message', page('draft'));
    const error = await failure(pipeline.run('click_element', { element_id: await pipeline.refer('send') }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
  });

  test('a moved window is no drift: the click goes to the same place in it', async () => {
    const pipeline = change(({ world }, windowId) => world.moveWindow(windowId, { x: 200, y: 90 }));
    const result = await pipeline.run('click_element', { element_id: await pipeline.refer('send') });
    expect(result.verified?.effect).toBe('confirmed');
  });

  test('an approved coordinate whose pixels changed is refused', async () => {
    const pipeline = change(({ world }, windowId) =>
      world.addElement(windowId, {
        role: 'AXStaticText',
        title: 'ERASE EVERYTHING',
        frame: { x: 190, y: 380, width: 250, height: 40 },
      }),
    );
    const error = await failure(pipeline.run('click', { x: 300, y: 495 }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(pipeline.world.journal().filter((one) => one.event === 'pointer')).toEqual([]);
  });

  test('a window raised over an approved point is put back behind, not clicked', async () => {
    const pipeline = change(({ world, desktop }) => {
      const pid = world.addApp({
        id: 'evil',
        name: 'Evil',
        executable: '/evil',
        windows: [{ title: 'Bank', frame: { x: 60, y: 70, width: 560, height: 470 }, elements: [] }],
      });
      expect(pid).toBeGreaterThan(0);
      expect(desktop.platform).toBe('simulated');
    });
    await pipeline.run('click', { x: 546, y: 514 });
    const clicked = pipeline.world.journal().filter((one) => one.event === 'pointer');
    expect(clicked.length).toBeGreaterThan(0);
    expect(new Set(clicked.map((one) => one.window))).toEqual(new Set(['New Message']));
  });

  test('focus stolen in the middle of typing stops the typing there', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    pipeline.world.person.focus(pipeline.world.find('copy') ?? '');
    let events = 0;
    pipeline.deps.noteInjection = () => {
      events += 1;
      if (events === 4)
        pipeline.world.addApp({
          id: 'thief',
          name: 'Thief',
          executable: '/thief',
          windows: [
            {
              title: 'Password',
              frame: { x: 0, y: 0, width: 300, height: 200 },
              elements: [
                { role: 'AXTextField', title: 'p', identifier: 'trap', frame: { x: 0, y: 0, width: 100, height: 20 } },
              ],
              focus: 'trap',
            },
          ],
        });
    };
    const error = await failure(pipeline.run('type_text', { text: 'secret text' }));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(pipeline.world.text(pipeline.world.find('trap') ?? '')).toBe('');
  });
});

describe('waiting and stopping', () => {
  const never = (_request: unknown, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });

  test('a time limit during the wait is retryable and names the card', async () => {
    const limit = holdTimers(90_000);
    const tooLong = (request: unknown, signal: AbortSignal) => (void limit.end(), never(request, signal));
    const pipeline = createTestPipeline(tooLong);
    const error = await failure(
      pipeline.run('click_element', { element_id: await pipeline.refer('send') }, { timeoutMs: 90_000 }),
    );
    expect(error.code).toBe('DESKTOP_TIMEOUT');
    expect(error.retryable).toBe(true);
    expect(error.details).toMatchObject({ reason: 'awaiting_human', approvalId: 'a' });
    expect(pipeline.records[0]?.end?.outcome).toBe('waiting');
  });

  test('a caller that goes away leaves the card; a caller that gives up takes it along', async () => {
    for (const [mode, code] of [
      ['detach', 'DESKTOP_TIMEOUT'],
      ['withdraw', 'DESKTOP_ABORTED'],
    ] as const) {
      const reasons: unknown[] = [];
      const control = new AbortController();
      const pipeline = createTestPipeline((request, signal) => {
        queueMicrotask(() => control.abort(new WaitEnded(mode)));
        return never(request, signal).catch((thrown: unknown) => {
          reasons.push(thrown instanceof WaitEnded ? thrown.mode : thrown);
          throw thrown;
        });
      });
      const error = await failure(
        pipeline.run('click_element', { element_id: await pipeline.refer('send') }, { signal: control.signal }),
      );
      expect(error.code).toBe(code);
      expect(reasons).toEqual([mode]);
    }
  });

  test('stop ends a running call and lifts what is held down', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    pipeline.world.person.focus(pipeline.world.find('copy') ?? '');
    pipeline.deps.noteInjection = () => void pipeline.deps.executions.stop(new Stopped('stop', verbatim('Stopped.')));
    const error = await failure(pipeline.run('press_key', { key: 'x', modifiers: ['ctrl', 'shift'] }));
    expect(error.code).toBe('DESKTOP_ABORTED');
    const journal = pipeline.world.journal();
    expect(journal.filter((one) => one.event === 'keyup').length).toBe(
      journal.filter((one) => one.event === 'key').length,
    );
  });

  test('[req:DS-2-6] one agent has one control call at a time, and the second is planned after the first', async () => {
    const order: string[] = [];
    const pipeline = createTestPipeline(async (request) => {
      order.push(`asked ${String((request.arguments as { n?: number }).n ?? '')}`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push('answered');
      return ALLOWED;
    });
    const send = await pipeline.refer('send');
    await Promise.all([
      pipeline.run('click_element', { element_id: send }),
      pipeline.run('click_element', { element_id: send }),
    ]);
    expect(order).toEqual(['asked ', 'answered', 'asked ', 'answered']);
  });
});
