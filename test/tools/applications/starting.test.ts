import { expect, test } from 'vitest';
import { DesktopError } from '../../../src/native/desktop.js';
import { openSimulated } from '../../../src/native/simulated/index.js';
import { ALLOWED, createTestPipeline, failure, pressed } from '../../support/pipeline.js';
import type { ApprovalRequest } from '../../../src/main/approvals/request.js';
import { verbatim } from '../../../src/messages/index.js';

const never = new AbortController().signal;
const parent = 'simulated.mail';

/** Mail, whose process started `ages` milliseconds ago at each look, and whose elements can be read from the `after`th look on. */
async function starting(ages: readonly number[], after: number) {
  const looks = { age: 0, tree: 0 };
  /** Each request, with how often the application had been looked at by then. */
  const asked: [string, number][] = [];
  const decide = async ({ action }: ApprovalRequest) => {
    asked.push([action.effect, looks.tree]);
    return ALLOWED;
  };
  const pipeline = createTestPipeline(decide, openSimulated());
  const { desktop } = pipeline;
  const pid = (await desktop.apps(never)).find(({ id }) => id === parent)?.pid ?? 0;
  pipeline.ages.get = (asked) => (asked === pid ? ages[Math.min(looks.age++, ages.length - 1)] : undefined);
  const { tree, find } = desktop;
  const there = () => looks.tree > after;
  const silent = async () =>
    Promise.reject(new DesktopError('not_found', verbatim('Process 7 shows no accessible elements.')));
  desktop.tree = async (...given) => ((looks.tree += 1), there() ? tree(...given) : silent());
  desktop.find = async (...given) => (there() ? find(...given) : silent());
  return { ...pipeline, looks, asked };
}

test.concurrent.each([
  ['find_elements', { title: 'Send' }],
  ['click_element', { title: 'Send', role: 'button' }],
  ['get_element_tree', {}],
  ['get_element', { title: 'Send', role: 'button' }],
] as const)('%s waits for an application that still starts [req:TA-2]', async (tool, given) => {
  const { run, looks, world } = await starting([1000], 2);
  const result = await run(tool, { parent, ...given });
  expect(looks.tree).toBeGreaterThanOrEqual(3);
  if (tool === 'click_element') expect(pressed(world.journal())).toEqual(['send']);
  else expect(result.text).toContain('Send');
});

const meta = { schemaVersion: 1, requestId: 'r', workspacePath: '/work', timeoutMs: 60_000 };
const route = { app: { bundleId: parent } };
const SEND = { byRole: 'AXButton', titleContains: 'Send' };

test.concurrent.each([
  ['desktop.find', { selector: SEND }],
  ['desktop.click', { target: { selector: SEND } }],
  ['desktop.typeText', { target: { selector: { identifier: 'subject' } }, text: 'a' }],
] as const)('%s waits for an application that still starts [req:TA-2]', async (method, given) => {
  const { run, looks, world } = await starting([1000], 2);
  const { value } = await run(method, { meta, route, ...given });
  expect(looks.tree).toBeGreaterThanOrEqual(3);
  if (method === 'desktop.find') expect(value).toMatchObject({ matched: 1 });
  else expect(world.journal().map(({ control, event }) => [control, event])).toContainEqual(method === 'desktop.click' ? ['send', 'pressed'] : ['subject', 'changed']); // prettier-ignore
});

test.concurrent.each([
  ['find_elements', 'disclose'],
  ['click_element', 'dangerous'],
] as const)(
  '[req:SG-6] %s of an agent that may not see is asked about before anything is waited for',
  async (tool, effect) => {
    const { run, asked, sees } = await starting([1000], 5);
    sees('asks');
    await run(tool, { parent, title: 'Send', role: 'button' });
    const [first, second] = asked;
    expect(first).toEqual(['disclose', 1]);
    expect(second).toEqual([effect, expect.any(Number)]);
    expect(second?.[1]).toBeGreaterThan(5);
  },
);

test.concurrent('an old process that shows nothing is told as such at once, without a look for more', async () => {
  const { run, looks } = await starting([600_000], 99);
  const error = await failure(run('find_elements', { parent, title: 'Send' }));
  expect(error.message).toContain('no accessible elements');
  expect(error.details['reason']).not.toBe('still_starting');
  expect(looks.tree).toBe(0);
});

test.concurrent('one that stays silent is told to be starting, with what to do', async () => {
  const { run } = await starting([29_000, 31_000], 99);
  const error = await failure(run('click_element', { parent, title: 'Send' }));
  expect(error).toMatchObject({
    code: 'DESKTOP_ELEMENT_NOT_FOUND',
    details: { reason: 'still_starting' },
    next: expect.stringContaining('wait_element'),
  });
  expect(error.message).toContain('started 31 s ago');
  const other = await starting([29_000, 31_000], 99);
  const same = await failure(other.run('desktop.click', { meta, route, target: { selector: SEND } }));
  expect(same).toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND', details: { reason: 'still_starting' } });
});

test('waiting ends with the call', async () => {
  const { run, looks } = await starting([1000], 99);
  const ended = new AbortController();
  const work = failure(run('find_elements', { parent }, { signal: ended.signal }));
  await expect.poll(() => looks.tree).toBeGreaterThan(0);
  ended.abort();
  expect((await work).code).toBe('DESKTOP_ABORTED');
});

test('an excluded application is refused at once, however young its process', async () => {
  const { run, desktop, looks, ...given } = await starting([1000], 99);
  const pid = (await desktop.apps(never)).find(({ id }) => id === parent)?.pid ?? 0;
  given.exclude(parent);
  const error = await failure(run('find_elements', { parent: `applications/${pid}`, title: 'Send' }));
  expect(error.details['reason']).not.toBe('still_starting');
  expect(looks.age).toBe(1);
});

test.concurrent.each([
  ['find_elements', { parent, title: 'Send' }],
  ['click_element', { parent, title: 'Send' }],
  ['desktop.click', { meta, route, target: { selector: SEND } }],
] as const)(
  '%s does not wait for one whose windows are all ours: what comes is hidden too [req:TA-4]',
  async (name, given) => {
    const { run, desktop, world } = await starting([29_000, 31_000], 99);
    for (const { id } of (await desktop.windows(never)).filter(({ app }) => app.id === parent))
      world.retitleWindow(id, 'Chaperone');
    const error = await failure(run(name, given));
    expect(error.code).toBe('DESKTOP_ELEMENT_NOT_FOUND');
    expect(error.details['reason']).not.toBe('still_starting');
    expect(world.journal()).toEqual([]);
  },
);
