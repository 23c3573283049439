import { describe, expect, test } from 'vitest';
import type { SequenceResult } from '../../src/main/pipeline/sequence.js';
import type { WireError } from '../../src/main/protocol/index.js';
import { ALLOWED, createTestPipeline, DENIED, failure } from '../support/pipeline.js';

const frame = (x: number, y: number, width = 100, height = 30) => ({ x, y, width, height });
const button = (title: string, identifier: string, x: number) =>
  ({ role: 'AXButton', title, identifier, frame: frame(x, 20) }) as const;

/** An application whose button opens a dialog with these buttons. */
function withEditor(
  opens: { title: string; url?: string; buttons: string[] },
  decision = ALLOWED,
  whileAsked: () => void = () => undefined,
) {
  const pipeline = createTestPipeline(async () => {
    whileAsked();
    return decision;
  });
  const editor = (onPress: () => void) => ({
    id: 'simulated.editor',
    name: 'Editor',
    executable: '/simulated/bin/editor',
    windows: [
      {
        title: 'Letter',
        frame: { x: 40, y: 500, width: 300, height: 200 },
        elements: [{ ...button('Close', 'editor-close', 20), onPress }],
      },
    ],
  });
  const pid: number = pipeline.world.addApp(
    editor(() => {
      const id = pipeline.world.addWindow(pid, {
        title: opens.title,
        frame: { x: 60, y: 540, width: 360, height: 120 },
        elements: opens.buttons.map((title, index) => button(title, `dialog-${index}`, 10 + index * 110)),
      });
      if (opens.url !== undefined) pipeline.world.retitleWindow(id, opens.title, opens.url);
    }),
  );
  return { ...pipeline, pid };
}

const LEAVE = { tool: 'click_element', arguments: { parent: 'simulated.editor', role: 'button', title: 'Leave' } };
const plan = async (pipeline: ReturnType<typeof withEditor>) => ({
  steps: [
    { tool: 'click_element', arguments: { element_id: await pipeline.refer('editor-close') } },
    LEAVE,
    { tool: 'click_element', arguments: { element_id: await pipeline.refer('copy') } },
  ],
});
const acts = (pipeline: ReturnType<typeof withEditor>) =>
  pipeline.world
    .journal()
    .filter(({ event }) => event === 'pressed' || event === 'toggled')
    .map(({ control }) => control);
const statuses = (error: WireError) => (error.details['steps'] as SequenceResult['steps']).map(({ status }) => status);

/** Runs the plan, with `swap` right before its second step: that one is not done. */
async function failsAtStepTwo(
  pipeline: ReturnType<typeof withEditor>,
  swap: () => void,
  changed: 'application' | 'window',
): Promise<void> {
  const error = await failure(
    pipeline.run('run_plan', await plan(pipeline), {
      onProgress: (_state, message) => {
        if (message.startsWith('Step 2:')) swap();
      },
    }),
  );
  const details = { step: 2, drift: [{ what: changed }] };
  expect(error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED', details });
  expect(acts(pipeline)).toEqual(['editor-close']);
}

describe('a step whose target is not there yet', () => {
  test('is shown as such, always asked, and done once exactly one thing fits', async () => {
    const pipeline = withEditor({ title: 'Save?', buttons: ['Leave', 'Cancel'] });
    const result = await pipeline.run('run_plan', await plan(pipeline));
    const [request] = pipeline.asked;
    expect(request).toMatchObject({ alwaysAsk: true });
    expect(request?.plan?.steps?.[1]).toMatchObject({ plan: null, late: { app: { pid: pipeline.pid } } });
    expect(request?.plan?.steps?.[1]?.subject).toMatchObject({ target: 'Leave', app: 'Editor' });
    expect((result.value as SequenceResult).done).toBe(3);
    expect(acts(pipeline)).toEqual(['editor-close', 'dialog-0', 'copy']);
  });

  test('[req:AC-8] and turns out to be irreversible is not done: the person was not shown what it is about', async () => {
    const pipeline = withEditor({ title: 'Save?', buttons: ['Discard', 'Cancel'] });
    const { steps } = await plan(pipeline);
    const discard = { ...LEAVE, arguments: { ...LEAVE.arguments, title: 'Discard' } };
    const error = await failure(
      pipeline.run('run_plan', { steps: steps.map((one) => (one === LEAVE ? discard : one)) }),
    );
    expect(error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED', details: { reason: 'consequence', step: 2 } });
    expect(acts(pipeline)).toEqual(['editor-close']);
  });

  test('and finds two that fit does neither, and nothing after it', async () => {
    const pipeline = withEditor({ title: 'Save?', buttons: ['Leave', 'Leave'] });
    const error = await failure(pipeline.run('run_plan', await plan(pipeline)));
    expect(error).toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND', details: { reason: 'ambiguous', step: 2 } });
    expect(statuses(error)).toEqual(['done', 'failed', 'skipped']);
    expect(acts(pipeline)).toEqual(['editor-close']);
  });

  test('and never comes, fails after a little patience', async () => {
    const pipeline = withEditor({ title: 'Save?', buttons: ['Cancel'] });
    const error = await failure(pipeline.run('run_plan', await plan(pipeline)));
    expect(error).toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND', details: { step: 2 } });
    expect(acts(pipeline)).toEqual(['editor-close']);
  });

  test('is not looked for in a process that only took the name of the approved one', async () => {
    const pipeline: ReturnType<typeof withEditor> = withEditor({ title: 'Save?', buttons: ['Cancel'] });
    const swap = () => {
      pipeline.world.kill(pipeline.pid);
      pipeline.world.addApp({
        id: 'simulated.editor',
        name: 'Editor',
        executable: '/tmp/evil',
        windows: [{ title: 'Letter', frame: frame(40, 500, 300, 200), elements: [button('Leave', 'trap', 20)] }],
      });
    };
    await failsAtStepTwo(pipeline, swap, 'application');
  });

  const notes = { title: 'Notes', frame: frame(500, 100, 200, 100), elements: [] };
  const account = { title: 'Account', frame: frame(500, 300, 200, 100), elements: [button('Leave', 'trap', 20)] };

  test('[req:LW-1] is not looked for, and nothing is done, where a window came or went while the person was asked', async () => {
    for (const change of ['replaced', 'closed', 'opened']) {
      let noted = '';
      const pipeline: ReturnType<typeof withEditor> = withEditor(
        { title: 'Save?', buttons: ['Leave'] },
        ALLOWED,
        () => {
          if (change !== 'opened') pipeline.world.removeWindow(noted);
          if (change !== 'closed') pipeline.world.addWindow(pipeline.pid, account);
        },
      );
      noted = pipeline.world.addWindow(pipeline.pid, notes);
      const error = await failure(pipeline.run('run_plan', await plan(pipeline)));
      expect([change, error.code]).toEqual([change, 'DESKTOP_TARGET_CHANGED']);
      expect(acts(pipeline)).toEqual([]);
    }
  });

  test('[req:LW-2] is not pressed in a window that took the place of an approved one', async () => {
    const pipeline: ReturnType<typeof withEditor> = withEditor({ title: 'Save?', buttons: ['Cancel'] });
    const noted = pipeline.world.addWindow(pipeline.pid, notes);
    const swap = () => {
      pipeline.world.removeWindow(noted);
      pipeline.world.addWindow(pipeline.pid, account);
    };
    await failsAtStepTwo(pipeline, swap, 'window');
  });

  test('is not pressed on a page of another origin', async () => {
    const pipeline = withEditor({ title: 'Bank', url: 'https://bank.example/', buttons: ['Leave'] });
    const error = await failure(pipeline.run('run_plan', await plan(pipeline)));
    expect(error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED', details: { step: 2 } });
    expect(acts(pipeline)).toEqual(['editor-close']);
  });

  test('may be in an application that an earlier step opens', async () => {
    const pipeline = withEditor({ title: 'Save?', buttons: [] });
    const make = { id: 'simulated.dice', name: 'Dice', executable: '/simulated/bin/dice' };
    const window = { title: 'Dice', frame: frame(700, 500, 300, 200), elements: [button('Roll', 'roll', 20)] };
    pipeline.world.addApp({ ...make, windows: [window] }, { start: false });
    const roll = { tool: 'click_element', arguments: { parent: 'simulated.dice', title: 'Roll' } };
    const open = { tool: 'open_application', arguments: { application_id: 'simulated.dice' } };
    await pipeline.run('run_plan', { steps: [open, roll] });
    expect(pipeline.asked[0]).toMatchObject({ alwaysAsk: true, plan: { window: null } });
    expect(pipeline.asked[0]?.plan?.steps?.[1]?.late).toMatchObject({ app: null, name: 'simulated.dice' });
    expect(acts(pipeline)).toEqual(['roll']);
    pipeline.world.kill(
      (await pipeline.desktop.apps(new AbortController().signal)).find((one) => one.name === 'Dice')?.pid ?? 0,
    );
    const error = await failure(pipeline.run('run_plan', { steps: [roll, open] }));
    expect(error.details['step']).toBe(1);
    expect(pipeline.asked).toHaveLength(1);
  });

  test('must name its application, and cannot be the first', async () => {
    const pipeline = withEditor({ title: 'Save?', buttons: [] }, DENIED);
    const { steps } = await plan(pipeline);
    const [first] = steps;
    const nowhere = { tool: 'click_element', arguments: { title: 'Leave', role: 'button' } };
    for (const list of [
      [first, nowhere],
      [LEAVE, first],
    ]) {
      const error = await failure(pipeline.run('run_plan', { steps: list }));
      expect(error.code).toBe('DESKTOP_ELEMENT_NOT_FOUND');
      expect(error.message).toContain('Nothing was done');
    }
    expect(pipeline.asked).toEqual([]);
  });

  test('must be named in words: the id of what is not there tells the person nothing', async () => {
    const pipeline = withEditor({ title: 'Save?', buttons: ['Leave'] });
    await pipeline.run('run_plan', { steps: (await plan(pipeline)).steps.slice(0, 1) });
    const id = await pipeline.refer('dialog-0');
    const dialog = (await pipeline.desktop.windows(new AbortController().signal)).find(
      ({ title }) => title === 'Save?',
    );
    pipeline.world.removeWindow(dialog?.id ?? '');
    const asked = pipeline.asked.length;
    const close = { tool: 'click_element', arguments: { parent: 'simulated.editor', title: 'Close' } };
    for (const [tool, given] of [
      ['click_element', { name: `applications/${pipeline.pid}/elements/${id}` }],
      ['click_element', { element_id: id, parent: 'simulated.editor' }],
      ['drag_files', { target_element_id: id, application: 'simulated.editor', file_paths: ['/etc/hosts'] }],
    ] as const) {
      const error = await failure(pipeline.run('run_plan', { steps: [close, { tool, arguments: given }] }));
      expect(error).toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND', details: { step: 2 } });
    }
    expect(pipeline.asked).toHaveLength(asked);
    expect(acts(pipeline)).toEqual(['editor-close']);
  });
});
