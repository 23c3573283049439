import { beforeEach, describe, expect, test } from 'vitest';
import { CALLER, createTestPipeline, failure } from '../../support/pipeline.js';
import { message } from '../../../src/messages/index.js';

type TestPipeline = ReturnType<typeof createTestPipeline>;

let pipeline: TestPipeline;
beforeEach(() => {
  pipeline = createTestPipeline();
});

interface Listed {
  name: string;
  application_id: string;
  pid: number;
  windows: number;
  frontmost: boolean;
  opened: boolean;
}

async function listed(given: TestPipeline = pipeline, more = {}): Promise<Listed[]> {
  return ((await given.run('list_applications', {}, more)).value as { applications: Listed[] }).applications;
}

async function the(id: string): Promise<Listed> {
  const found = (await listed()).find((one) => one.application_id === id);
  if (found === undefined) throw new Error(`${id} does not run`);
  return found;
}

const OTHER = { caller: { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2' } } };

describe('[req:MT-T-list_applications] running applications', () => {
  test('are listed whoever started them, with their windows and which is in front', async () => {
    const all = await listed();
    expect(all.map((one) => one.application_id)).toEqual(
      expect.arrayContaining(['simulated.terminal', 'simulated.calculator', 'simulated.notes', 'simulated.mail']),
    );
    expect(all.filter((one) => one.frontmost).map((one) => one.application_id)).toEqual(['simulated.mail']);
    expect(await the('simulated.mail')).toMatchObject({ windows: 2, opened: false });
  });

  test('come in pages', async () => {
    const all = await listed();
    const { value } = await pipeline.run('list_applications', { page_size: 3 });
    const { applications, next_page_token: token } = value as { applications: Listed[]; next_page_token: string };
    const rest = await pipeline.run('list_applications', { page_token: token });
    expect([...applications, ...(rest.value as { applications: Listed[] }).applications]).toEqual(all);
    for (const forged of ['abc', '10', 'offset:5', btoa('offset:3')])
      expect(await failure(pipeline.run('list_applications', { page_token: forged }))).toMatchObject({
        code: 'DESKTOP_INVALID_REQUEST',
      });
  });

  test('[req:MT-T-get_application] are described one by one, by name or id', async () => {
    const mail = await the('simulated.mail');
    for (const name of [mail.name, 'simulated.mail', 'Mail'])
      expect((await pipeline.run('get_application', { name })).value).toEqual(mail);
    for (const [name, code] of [
      ['applications/1', 'DESKTOP_ELEMENT_NOT_FOUND'],
      ['applications/-', 'DESKTOP_INVALID_REQUEST'],
    ] as const)
      expect(await failure(pipeline.run('get_application', { name }))).toMatchObject({ code });
  });
});

describe('[req:MT-T-open_application] opening', () => {
  test('starts what does not run and brings forward what does, under both spellings', async () => {
    pipeline.world.kill((await the('simulated.calculator')).pid);
    expect(await pipeline.run('open_application', { application_id: 'simulated.calculator' })).toMatchObject({
      value: { application_id: 'simulated.calculator', status: 'started', frontmost: true, focus: 'moved' },
      verified: { effect: 'confirmed' },
      effect: 'input',
    });
    expect(await pipeline.run('open_application', { id: 'Notes' })).toMatchObject({
      value: { status: 'activated', frontmost: true },
      verified: { effect: 'confirmed' },
    });
    expect(await pipeline.run('open_application', { id: 'Notes' })).toMatchObject({
      verified: { effect: 'no_change' },
    });
    expect((await listed()).filter((one) => one.application_id === 'simulated.notes')).toHaveLength(1);
    await pipeline.run('open_application', { id: 'Notes', new_instance: true });
    expect((await listed()).filter((one) => one.application_id === 'simulated.notes')).toHaveLength(2);
  });

  test('in the background leaves front and focus alone', async () => {
    const { app: before } = await pipeline.desktop.frontmost(new AbortController().signal);
    pipeline.world.kill((await the('simulated.calculator')).pid);
    for (const status of ['started', 'already_running'])
      expect(
        (await pipeline.run('open_application', { application_id: 'Calculator', background: true })).value,
      ).toMatchObject({ status, frontmost: false, focus: 'kept' });
    expect((await pipeline.desktop.frontmost(new AbortController().signal)).app?.pid).toBe(before?.pid);
  });

  test('what nobody has fails before the person is asked, with the nearest names', async () => {
    const unknown = await failure(pipeline.run('open_application', { application_id: 'calculatr' }));
    expect(unknown).toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
      details: { reason: 'no_such_application', nearest: ['Calculator'] },
    });
    const strange = await failure(pipeline.run('open_application', { application_id: 'zzzzzz' }));
    expect(strange.details).toMatchObject({ nearest: [], next: expect.stringContaining('No installed application') });
    expect(pipeline.asked).toEqual([]);
    const huge = await failure(pipeline.run('open_application', { application_id: 'x'.repeat(501) }));
    expect(huge.code).toBe('DESKTOP_INVALID_REQUEST');
  });

  test('a path is dangerous, an id is not, and the card shows what would be started', async () => {
    const path = '/simulated/bin/calculator';
    expect(await pipeline.run('open_application', { application_id: path })).toMatchObject({ effect: 'dangerous' });
    expect(pipeline.asked[0]).toMatchObject({ action: { effect: 'dangerous' }, plan: { text: path } });
    await pipeline.run('open_application', { application_id: 'simulated.calculator' });
    expect(pipeline.asked[1]).toMatchObject({
      action: { effect: 'input' },
      plan: { text: path, subject: { title: { code: 'title.open' }, target: null, app: 'Calculator' } },
    });
  });
});

test.each([
  [['/opt/p', 'a b'], "/opt/p 'a b'"],
  [['/opt/p', 'a', 'b'], '/opt/p a b'],
  [['/opt/my p', '', "it's", 'x\ny'], "'/opt/my p' '' 'it'\\''s' $'x\\ny'"],
])('the card shows where each argument begins and ends: %j', async (command, shown) => {
  pipeline.desktop.findApplication = async () => ({ id: 'p', name: 'P', command, installed: true });
  await failure(pipeline.run('open_application', { application_id: 'p' }));
  expect(pipeline.asked[0]?.plan?.text).toBe(shown);
});

describe('[req:MT-T-delete_application] tracking', () => {
  test('marks what an agent opened for that agent only, and taking the mark off ends nothing', async () => {
    pipeline.world.kill((await the('simulated.calculator')).pid);
    const { value } = await pipeline.run('open_application', { application_id: 'simulated.calculator' });
    const { name } = value as { name: string };
    expect((await listed()).filter((one) => one.opened).map((one) => one.name)).toEqual([name]);
    expect((await listed(pipeline, OTHER)).filter((one) => one.opened)).toEqual([]);
    expect((await pipeline.run('delete_application', { name }, OTHER)).value).toMatchObject({ was_opened: false });
    expect((await the('simulated.calculator')).opened).toBe(true);
    const removed = await pipeline.run('delete_application', { name: 'applications/simulated.calculator' });
    expect(removed).toMatchObject({ value: { name, was_opened: true }, effect: 'bookkeeping' });
    expect(removed.text).toContain('not ended');
    expect(await the('simulated.calculator')).toMatchObject({ name, opened: false });
    expect((await pipeline.run('delete_application', { name })).value).toMatchObject({ was_opened: false });
    expect((await pipeline.run('delete_application', { name: 'applications/424242' })).value).toMatchObject({
      was_opened: false,
    });
    expect(await failure(pipeline.run('delete_application', { name: 'nonsense' }))).toMatchObject({
      code: 'DESKTOP_INVALID_REQUEST',
    });
  });
});

describe('[req:MT-T-quit_application] quitting', () => {
  test('ends the process, by asking or by force', async () => {
    const [mail, notes] = [await the('simulated.mail'), await the('simulated.notes')];
    expect(await pipeline.run('quit_application', { name: mail.name })).toMatchObject({
      value: { ended: true, name: mail.name },
      effect: 'dangerous',
      verified: { effect: 'confirmed' },
    });
    expect(pipeline.asked.at(-1)?.plan).toMatchObject({ text: 'Account\nNew Message', subject: { app: 'Mail' } });
    await pipeline.run('quit_application', { name: 'simulated.notes', force: true });
    expect(pipeline.asked.at(-1)?.plan?.notes).toEqual([message('note.ends_application')]);
    const left = (await listed()).map((one) => one.pid);
    expect([left.includes(mail.pid), left.includes(notes.pid)]).toEqual([false, false]);
    expect(await failure(pipeline.run('quit_application', { name: mail.name }))).toMatchObject({
      code: 'DESKTOP_ELEMENT_NOT_FOUND',
      details: { reason: 'no_such_place' },
    });
  });
});
