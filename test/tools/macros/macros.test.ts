import { describe, expect, test } from 'vitest';
import type { SequenceResult } from '../../../src/main/pipeline/sequence.js';
import { CALLER, createTestPipeline, failure } from '../../support/pipeline.js';

type TestPipeline = ReturnType<typeof createTestPipeline>;
const NEVER = 'macros/00000000-0000-4000-8000-000000000000';
const text = (pipeline: TestPipeline, identifier: string) => pipeline.world.text(pipeline.world.find(identifier) ?? '');
const create = async (pipeline: TestPipeline, given: object) =>
  (await pipeline.run('create_macro', { display_name: 'Mail somebody', ...given })).value as {
    name: string;
    steps: number;
  };

/** Somebody is written to and the message sent, in a session of its own. */
async function recorded(pipeline: TestPipeline): Promise<string> {
  const { name } = (await pipeline.run('create_session', { display_name: 'Mail' })).value as { name: string };
  await pipeline.run('write_element_value', { element_id: await pipeline.refer('to'), value: 'ada@example.org' });
  await pipeline.run('click_element', { element_id: await pipeline.refer('send') });
  return name;
}

describe('a macro recorded from a session', () => {
  test('[req:MT-T-create_macro] [req:MT-T-execute_macro] [req:MT-T-get_macro] [req:DS-2-8] runs again with another value, asked once with every step filled in', async () => {
    const pipeline = createTestPipeline();
    const parameters = [{ name: 'who', description: 'Address', default: 'ada@example.org' }];
    const made = await create(pipeline, { from_session: await recorded(pipeline), parameters });
    expect(made.steps).toBe(2);
    const kept = (await pipeline.run('get_macro', { name: made.name })).value;
    expect(kept).toMatchObject({
      recorded_by: 'Agent',
      parameters,
      steps: [
        { tool: 'write_element_value', arguments: { parent: 'simulated.mail', role: 'AXTextField', title: 'To', identifier: 'to', value: '{{who}}' } }, // prettier-ignore
        { tool: 'click_element', arguments: { parent: 'simulated.mail', role: 'AXButton', title: 'Send', identifier: 'send' } }, // prettier-ignore
      ],
    });
    pipeline.asked.splice(0);
    const result = await pipeline.run('execute_macro', {
      macro: made.name,
      parameter_values: { who: 'bob@example.org' },
    });
    const [request, ...more] = pipeline.asked;
    expect(more).toEqual([]);
    expect(request?.subject).toMatchObject({ title: { code: 'title.run_macro' }, target: 'Mail somebody' });
    expect(request?.plan?.notes).toMatchObject([{ params: { agent: 'Agent', program: '/bin/agent' } }, {}]);
    expect(request?.plan?.steps?.[0]).toMatchObject({
      arguments: { value: 'bob@example.org' },
      plan: { text: 'bob@example.org' },
    });
    expect((result.value as SequenceResult).steps.map(({ status }) => status)).toEqual(['done', 'done']);
    expect(text(pipeline, 'status')).toBe('Sent to bob@example.org');
    await pipeline.run('execute_macro', { name: made.name });
    expect(text(pipeline, 'status')).toBe('Sent to ada@example.org');
  });

  test('is not begun where two things fit by now', async () => {
    const pipeline = createTestPipeline();
    const made = await create(pipeline, { from_session: await recorded(pipeline) });
    const windows = await pipeline.desktop.windows(new AbortController().signal);
    pipeline.world.addElement(windows.find(({ title }) => title === 'New Message')?.id ?? '', {
      role: 'AXButton',
      title: 'Send',
      identifier: 'send',
      frame: { x: 300, y: 430, width: 100, height: 20 },
    });
    const asked = pipeline.asked.length;
    const error = await failure(pipeline.run('execute_macro', { macro: made.name }));
    expect(error).toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND', details: { reason: 'ambiguous', step: 2 } });
    expect(pipeline.asked).toHaveLength(asked);
  });

  test('takes the steps of a plan, window by title, and plain clicks on what has a name', async () => {
    const pipeline = createTestPipeline();
    const windows = await pipeline.desktop.windows(new AbortController().signal);
    const window = windows.find(({ title }) => title === 'New Message');
    const { frame } = await pipeline.desktop.element(pipeline.world.find('send') ?? '', new AbortController().signal);
    const point = { x: (frame?.x ?? 0) + 20, y: (frame?.y ?? 0) + 10 };
    const steps = [
      { tool: 'focus_window', arguments: { name: `applications/${window?.app.pid}/windows/${window?.id}` } },
      { tool: 'click', arguments: point },
      { tool: 'type_text', arguments: { text: '{{x}}', application: `applications/${window?.app.pid}` } },
    ];
    const { executionId } = await pipeline.run('run_plan', { steps });
    const { name } = await create(pipeline, { execution_ids: [executionId] });
    expect(pipeline.macros.get(name, CALLER.agent).steps).toMatchObject([
      { tool: 'focus_window', arguments: { name: 'applications/simulated.mail/windows/title:New%20Message' } },
      { tool: 'click_element', arguments: { parent: 'simulated.mail', role: 'AXButton', title: 'Send' } },
      { tool: 'type_text', arguments: { text: '{{{{x}}', application: 'simulated.mail' } },
    ]);
    await pipeline.run('execute_macro', { macro: name });
    expect(pipeline.asked.at(-1)?.plan?.steps?.[2]?.plan?.text).toBe('{{x}}');
  });

  test('never holds what was typed into a password field', async () => {
    const pipeline = createTestPipeline();
    pipeline.world.person.focus(pipeline.world.find('account-password') ?? '');
    const { executionId } = await pipeline.run('type_text', { text: 'hunter2', application: 'simulated.mail' });
    const error = await failure(pipeline.run('create_macro', { display_name: 'x', execution_ids: [executionId] }));
    expect(error.message).toContain('password field');
    expect(error.message).not.toContain('hunter2');
  });

  test('holds neither places on the screen nor ids that end', async () => {
    const pipeline = createTestPipeline();
    const { executionId } = await pipeline.run('click', { x: 300, y: 300, button: 'right' });
    const made = (given: object) => failure(pipeline.run('create_macro', { display_name: 'x', ...given }));
    expect((await made({ execution_ids: [executionId] })).details['reason']).toBe('not_a_step');
    for (const [tool, given] of [
      ['click', { x: 1, y: 2 }],
      ['click_element', { element_id: await pipeline.refer('send') }],
      ['click_element', { parent: 'applications/12', title: 'Send' }],
      ['focus_window', { name: 'applications/simulated.mail/windows/w1' }],
      ['execute_shell_command', { command: 'ls' }],
    ] as const)
      expect((await made({ steps: [{ tool, arguments: given }] })).message).toMatch(/^steps\.0\./);
  });

  test('is not made of what others did, or of nothing', async () => {
    const pipeline = createTestPipeline();
    const session = await recorded(pipeline);
    const other = { caller: { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2' } } };
    const run = (given: object) => failure(pipeline.run('create_macro', { display_name: 'x', ...given }, other));
    expect((await run({ from_session: session })).details['reason']).toBe('unknown_session');
    const id = pipeline.records.find(({ start }) => start.tool === 'click_element')?.start.executionId;
    expect((await run({ execution_ids: [id] })).details['reason']).toBe('unknown_execution');
    expect((await run({})).message).toContain('give one of');
    expect((await run({ from_session: session, execution_ids: [id] })).message).toContain('give one of');
  });
});

describe('parameters', () => {
  const steps = [{ tool: 'type_text', arguments: { text: 'Dear {{who}}', application: 'simulated.mail' } }];

  test('are data: braces and quotes in a value are typed as they are', async () => {
    const pipeline = createTestPipeline();
    pipeline.world.person.focus(pipeline.world.find('body') ?? '');
    const { name } = await create(pipeline, { steps, parameters: [{ name: 'who' }] });
    const who = '{{who}} "}]; {{{{ $& tool';
    await pipeline.run('execute_macro', { macro: name, parameter_values: { who } });
    expect(text(pipeline, 'body')).toBe(`Dear ${who}`);
    expect(pipeline.asked.at(-1)?.plan?.steps).toHaveLength(1);
  });

  test('that are missing, unknown, undeclared, unused or stray are named', async () => {
    const pipeline = createTestPipeline();
    const { name } = await create(pipeline, { steps, parameters: [{ name: 'who' }] });
    const run = (given: object) => failure(pipeline.run('execute_macro', { macro: name, parameter_values: given }));
    expect((await run({})).message).toContain('parameter_values.who');
    expect((await run({ who: 'x', toString: 'y' })).message).toContain('parameter_values.toString');
    const made = (given: object) => failure(pipeline.run('create_macro', { display_name: 'x', ...given }));
    expect((await made({ steps })).message).toContain('{{who}}');
    expect((await made({ steps, parameters: [{ name: 'who' }, { name: 'why' }] })).message).toContain('why');
    expect((await made({ steps, parameters: [{ name: 'who' }, { name: 'who' }] })).message).toContain('twice');
    expect((await made({ steps, parameters: [{ name: '1x' }] })).message).toContain('parameters.0.name');
    const stray = [{ tool: 'type_text', arguments: { text: '{{ who }}', application: 'a' } }];
    expect((await made({ steps: stray })).message).toContain('{{{{');
    const session = await recorded(pipeline);
    const parameters = [{ name: 'who', default: 'somebody else' }];
    expect((await made({ from_session: session, parameters })).message).toContain('parameters.who');
    expect(pipeline.macros.list(CALLER.agent)).toHaveLength(1);
  });

  test('decide which call it is: other values, or other steps under the name, are asked anew', async () => {
    const pipeline = createTestPipeline();
    const { name } = await create(pipeline, { steps, parameters: [{ name: 'who', default: 'Ada' }] });
    pipeline.world.person.focus(pipeline.world.find('body') ?? '');
    await pipeline.run('execute_macro', { macro: name });
    await pipeline.run('execute_macro', { macro: name, parameter_values: { who: 'Bob' } });
    const keys = pipeline.asked.filter(({ action }) => action.name === 'execute_macro').map(({ callKey }) => callKey);
    expect(new Set(keys).size).toBe(2);
  });
});

test('[req:MT-T-list_macros] [req:MT-T-delete_macro] macros are listed in pages, and belong to whoever recorded them: for others they do not exist', async () => {
  const pipeline = createTestPipeline();
  const steps = [{ tool: 'open_application', arguments: { application_id: 'simulated.mail' } }];
  for (const title of ['one', 'two', 'three']) await create(pipeline, { display_name: title, steps });
  const again = { caller: { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2', pid: 12, startTime: '3' } } };
  expect((await pipeline.run('list_macros', { page_size: 2 }, again)).text).toMatch(/\nMore: page_token \S+$/);
  const first = (await pipeline.run('list_macros', { page_size: 2 }, again)).value as { macros: { name: string; display_name: string }[]; next_page_token: string }; // prettier-ignore
  const second = (await pipeline.run('list_macros', { page_size: 2, page_token: first.next_page_token }, again)).value as typeof first; // prettier-ignore
  expect([...first.macros, ...second.macros].map((one) => one.display_name)).toEqual(['one', 'two', 'three']);
  expect(second.next_page_token).toBeNull();
  const [{ name } = { name: '' }] = first.macros;
  const other = { caller: { ...CALLER, agent: { ...CALLER.agent, id: 'agent-3', executable: '/bin/other' } } };
  expect((await pipeline.run('list_macros', {}, other)).value).toMatchObject({ macros: [], total: 0 });
  for (const [tool, field] of [
    ['get_macro', 'name'],
    ['execute_macro', 'macro'],
    ['delete_macro', 'name'],
  ] as const) {
    const [refused, never] = await Promise.all([name, NEVER].map((which) => failure(pipeline.run(tool, { [field]: which }, other)))); // prettier-ignore
    expect(refused?.toJSON()).toEqual({ ...never?.toJSON(), message: never?.message.replace(NEVER, name) });
  }
  expect(pipeline.asked.filter(({ action }) => action.name === 'execute_macro')).toEqual([]);
  await pipeline.run('delete_macro', { name });
  expect((await failure(pipeline.run('get_macro', { name }))).details['reason']).toBe('unknown_macro');
  expect((await failure(pipeline.run('execute_macro', { macro: name }))).details['reason']).toBe('unknown_macro');
});
