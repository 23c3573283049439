/** The ids of elements are their agent's own. */
import { expect, test } from 'vitest';
import { createReferences } from '../../src/main/pipeline/target/references.js';
import { CALLER, createTestPipeline, failure } from '../support/pipeline.js';

const OTHER = { caller: { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2' } } };
interface Found {
  elements: { elementId: string; title: string }[];
}
const find = async (pipeline: ReturnType<typeof createTestPipeline>, given: object, more = {}) =>
  ((await pipeline.run('find_elements', { parent: 'simulated.mail', ...given }, more)).value as Found).elements;

test('another agent’s id is as unknown as one that was never given, whatever has become of the element', async () => {
  const pipeline = createTestPipeline();
  const [send] = await find(pipeline, { role: 'AXButton', title: 'Send' });
  const element_id = send?.elementId ?? '';
  for (const gone of [false, true]) {
    if (gone) pipeline.world.removeElement(pipeline.world.find('send') ?? '');
    for (const [tool, given] of [
      ['get_element', {}],
      ['click_element', {}],
      ['write_element_value', { value: 'x' }],
      ['get_element_tree', {}],
    ] as const) {
      const theirs = await failure(pipeline.run(tool, { ...given, element_id }, OTHER));
      const never = await failure(pipeline.run(tool, { ...given, element_id: 'e:99999' }, OTHER));
      expect(theirs.toJSON()).toEqual({ ...never.toJSON(), message: never.message.replace('e:99999', element_id) });
      expect(JSON.stringify(theirs)).not.toContain('Send');
    }
    for (const parent of [element_id, `applications/-/elements/${element_id}`])
      expect((await failure(pipeline.run('create_observation', { parent }, OTHER))).details).toMatchObject({ reason: 'unknown_reference' }); // prettier-ignore
  }
  expect((await failure(pipeline.run('click_element', { element_id }))).details['reason']).toBe('stale');
});

test('an element is named by its application’s process or id, and by no other application', async () => {
  const pipeline = createTestPipeline();
  const [send] = await find(pipeline, { role: 'AXButton', title: 'Send' });
  const named = (app: string) =>
    pipeline.run('get_element', { element_id: `applications/${app}/elements/${send?.elementId ?? ''}` });
  const { pid = 0 } = (await pipeline.desktop.apps(new AbortController().signal)).find(({ id }) => id === 'simulated.mail') ?? {}; // prettier-ignore
  expect((await named('simulated.mail')).value).toEqual((await named(String(pid))).value);
  expect((await failure(named('simulated.notes'))).details['reason']).toBe('other_parent');
});

test('numbers tell nothing of what others do, and stay the same for their agent whatever others do', async () => {
  const pipeline = createTestPipeline();
  await find(pipeline, {});
  const [first] = await find(pipeline, { role: 'AXButton', title: 'Send' }, OTHER);
  expect(first?.elementId).toBe('e:1');
  const again = await pipeline.run(
    'get_element',
    { element_id: 'e:1' },
    { caller: { ...OTHER.caller, connectionId: 'c9' } },
  );
  expect(again.value).toMatchObject({ elementId: 'e:1', title: 'Send' });
});

test('the numbers on a picture lead to elements for the agent that was given it only', async () => {
  const pipeline = createTestPipeline();
  const taken = await pipeline.run('capture_screenshot', { marks: true });
  const { image } = taken.value as { image: { id: string } };
  const mark = { element_id: `mark:1@${image.id}` };
  expect((await pipeline.run('get_element', mark)).value).toHaveProperty('elementId');
  expect((await failure(pipeline.run('get_element', mark, OTHER))).details['reason']).toBe('unknown_mark');
});

test('of more agents than can be remembered, the one that was silent longest is forgotten', async () => {
  const pipeline = createTestPipeline();
  const never = new AbortController().signal;
  const send = await pipeline.desktop.element(pipeline.world.find('send') ?? '', never);
  const references = createReferences();
  for (let count = 0; count < 200; count += 1) references(`agent-${count}`).refer(send);
  references('agent-0');
  references('one more');
  const known = (agent: string) => references(agent).resolve(pipeline.desktop, { elementId: 'e:1' }, never);
  expect((await known('agent-0')).title).toBe('Send');
  expect((await failure(known('agent-1'))).details['reason']).toBe('unknown_reference');
});
