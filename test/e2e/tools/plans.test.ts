import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../../support/agent.js';
import { startApp, type DesktopApp } from '../../support/desktop-app.js';
import type { TestHost } from '../../support/host.js';
import type { Person } from '../../support/person.js';
import { withPerson } from '../../support/with-person.js';
import { notesOf } from '../../support/in-english.js';

let chaperone: TestHost;
let agent: TestAgent;
let person: Person;
let app: DesktopApp;

withPerson((started) => ({ chaperone, person, agent } = started));
beforeAll(async () => {
  app = await startApp('gtk', chaperone.host.desktopEnv ?? {}, ['--title', 'Letter']);
  await done('wait_element', { parent: parent(), role: 'button', title: 'Send', timeout: 30 });
});
afterAll(() => app.close());

interface Step {
  tool: string;
  status: string;
  effect: string | null;
}

const parent = () => `applications/${app.pid}`;
async function done(name: string, args: Record<string, unknown>) {
  const result = await agent.call(name, args);
  if (result.isError) throw new Error(result.text);
  return result;
}
/** The call, and the one card it was allowed on. */
async function allowed(name: string, args: Record<string, unknown>) {
  const asked = cards();
  const work = done(name, args);
  const card = await person.answer('allow');
  const result = await work;
  expect(cards()).toBe(asked + 1);
  return { result, card };
}
const cards = () =>
  person.seen.filter((one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose').length;
const idOf = async (role: string, title: string) => {
  const found = await done('find_elements', { parent: parent(), role, title });
  return (found.value['elements'] as [{ elementId: string }])[0].elementId;
};
/** What the application says happened since. */
const since = async (mark: number) =>
  (await app.journal()).slice(mark).filter(({ event }) => ['pressed', 'changed', 'toggled'].includes(event));
const mark = async () => (await app.journal()).length;
const statuses = (value: Record<string, unknown>) => (value['steps'] as Step[]).map(({ status }) => status);

describe('a plan on a real application, through the real shim', () => {
  test('[req:MT-T-run_plan] three steps, one card, and the application says that all of it happened', async () => {
    const start = await mark();
    const steps = [
      { tool: 'write_element_value', arguments: { element_id: await idOf('text field', 'Name'), value: 'Grüße 你好' } },
      { tool: 'click_element', arguments: { element_id: await idOf('check box', 'Remind me') } },
      { tool: 'click_element', arguments: { element_id: await idOf('button', 'Send') } },
    ];
    const { result, card } = await allowed('run_plan', { steps });
    expect(card.subject).toMatchObject({ title: { code: 'title.run_plan', params: { count: 3 } }, place: 'Letter' });
    expect(card.steps?.map(({ subject, text }) => [subject.target, text])).toEqual([
      ['Name', 'Grüße 你好'],
      ['Remind me', null],
      ['Send', null],
    ]);
    expect(card.picture?.target).not.toBeNull();
    const heard = await since(start);
    expect(heard.findLast(({ control }) => control === 'entry')?.value).toBe('Grüße 你好');
    expect(heard.filter(({ control }) => control !== 'entry')).toEqual([
      { control: 'toggle', event: 'toggled', value: 'true' },
      { control: 'send', event: 'pressed', value: '' },
    ]);
    expect(statuses(result.value)).toEqual(['done', 'done', 'done']);
    expect(result.text).toContain('All 3 steps were done.');
    const [dir] = /\/\S+artifacts\/desktop\/\S+/.exec(result.text) ?? [''];
    const lines = (await readFile(join(dir, 'trace.jsonl'), 'utf8')).trim().split('\n');
    expect(
      lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => 'status' in line),
    ).toMatchObject([
      { step: 1, status: 'done' },
      { step: 2, status: 'done' },
      { step: 3, status: 'done' },
    ]);
  });

  test('a dialog that a step opens is answered by the next, found when its turn comes', async () => {
    const start = await mark();
    const steps = [
      { tool: 'click_element', arguments: { element_id: await idOf('button', 'Ask') } },
      { tool: 'click_element', arguments: { parent: parent(), role: 'button', title: 'Cancel' } },
      { tool: 'click_element', arguments: { element_id: await idOf('button', 'Send') } },
    ];
    const { card } = await allowed('run_plan', { steps });
    expect(card.steps?.[1]).toMatchObject({ late: card.steps?.[0]?.process?.name, window: null });
    expect((await since(start)).map(({ control, value }) => [control, value])).toEqual([
      ['ask', ''],
      ['dialog', 'Cancel'],
      ['send', ''],
    ]);
  });

  test('[req:DS-6-26] case 40: denied, none of it reaches the application; failing in the middle, nothing after that does', async () => {
    const start = await mark();
    const send = { tool: 'click_element', arguments: { element_id: await idOf('button', 'Send') } };
    const [no] = await Promise.all([agent.call('run_plan', { steps: [send, send] }), person.answer('deny')]);
    expect(no.isError).toBe(true);
    expect(await since(start)).toEqual([]);
    const missing = { tool: 'click_element', arguments: { parent: parent(), role: 'button', title: 'Nowhere' } };
    const [half] = await Promise.all([
      agent.call('run_plan', { steps: [send, missing, send] }),
      person.answer('allow'),
    ]);
    expect(half.isError).toBe(true);
    expect(half.text).toContain('DESKTOP_ELEMENT_NOT_FOUND: Step 2 of 3 (click_element) failed');
    expect(half.text).toContain('"status":"skipped"');
    expect((await since(start)).map(({ control }) => control)).toEqual(['send']);
  });
});

describe('a session and the macro made of it', () => {
  test('[req:MT-T-execute_macro] [req:MT-T-create_macro] [req:MT-T-get_session] what was done is recorded, and done again with another value on one card', async () => {
    const session = (await done('create_session', { display_name: 'Letters' })).value['name'] as string;
    await allowed('write_element_value', { element_id: await idOf('text field', 'Name'), value: 'Ada Lovelace' });
    await allowed('click_element', { element_id: await idOf('button', 'Send') });
    const sums = (await done('get_session', { name: session })).value;
    expect(sums).toMatchObject({ state: 'active', tools: { write_element_value: 1, click_element: 1 } });
    const evidence = (sums['executions'] as { evidence: string | null }[]).flatMap((one) => one.evidence ?? []);
    expect(evidence.length).toBeGreaterThanOrEqual(2);
    for (const dir of evidence) expect(dir.startsWith(`${chaperone.workspace}/artifacts/desktop/`)).toBe(true);

    const parameters = [{ name: 'who', default: 'Ada Lovelace' }];
    const made = await done('create_macro', { display_name: 'Write to', from_session: session, parameters });
    const name = made.value['name'] as string;
    expect((await done('list_macros', {})).text).toContain('Write to');
    const start = await mark();
    const { result, card } = await allowed('execute_macro', { macro: name, parameter_values: { who: '{{who}} 🎉' } });
    expect(card.subject).toMatchObject({ title: { code: 'title.run_macro' }, target: 'Write to' });
    expect(card.steps?.map(({ text }) => text)).toEqual(['{{who}} 🎉', null]);
    expect(notesOf(card).join()).toMatch(/Recorded by .+\d{4}-\d\d-\d\d/);
    expect(statuses(result.value)).toEqual(['done', 'done']);
    const heard = await since(start);
    expect(heard.findLast(({ control }) => control === 'entry')?.value).toBe('{{who}} 🎉');
    expect(heard.at(-1)).toMatchObject({ control: 'send', event: 'pressed' });
    expect((await done('delete_session', { name: session })).value).toMatchObject({ state: 'ended' });
    await done('delete_macro', { name });
    expect((await agent.call('execute_macro', { macro: name, parameter_values: { who: 'x' } })).isError).toBe(true);
  });
});
