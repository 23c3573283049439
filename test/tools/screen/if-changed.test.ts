/** A picture that the agent has already is left out where it asks for that. */
import { expect, test } from 'vitest';
import { toolResult } from '../../../src/main/calls/results.js';
import { isSameImage } from '../../../src/main/tools/images.js';
import type { PictureResult } from '../../../src/main/tools/screen/picture.js';
import { CALLER, createTestPipeline } from '../../support/pipeline.js';

const SIZE = { max_width: 400 };

function scene() {
  const pipeline = createTestPipeline();
  const take = async (given: object = {}, tool = 'capture_screenshot', caller = CALLER) => {
    const result = await pipeline.run(tool, { ...SIZE, ...given }, { caller });
    const { content } = toolResult(result, pipeline.images, { agentId: caller.agent.id }).result;
    const kinds = content.map(({ type }) => type);
    return { ...(result.value as PictureResult), text: result.text ?? '', sent: kinds.includes('image') };
  };
  const paint = () => pipeline.world.change(pipeline.world.find('subject') ?? '', { value: 'Other words' });
  return { ...pipeline, take, paint };
}

test('what looks the same is told by the id of the picture that shows it, and that picture still serves [req:TK-3]', async () => {
  const { take, images } = scene();
  const { image } = await take();
  const again = await take({ if_changed: image.id });
  expect(again).toMatchObject({ image, unchanged: true, sent: false });
  expect(again.text).toContain(`same as image ${image.id}`);
  expect(images.get(image.id, CALLER.agent.id)).not.toBeNull();
  expect(await take({ if_changed: `image:${image.id}` })).toMatchObject({ unchanged: true, sent: false });
});

test('it is sent where anything differs, where it was not asked for, and where that picture is not this agent’s [req:TK-4]', async () => {
  const { take, paint } = scene();
  const { image } = await take();
  expect(await take()).toMatchObject({ sent: true });
  for (const other of [{ max_width: 300 }, { format: 'jpeg' }, { marks: true }, { if_changed: '00000000' }])
    expect((await take({ if_changed: image.id, ...other })).sent, JSON.stringify(other)).toBe(true);
  const stranger = { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2' } };
  expect((await take({ if_changed: image.id }, 'capture_screenshot', stranger)).sent).toBe(true);
  paint();
  const changed = await take({ if_changed: image.id });
  expect(changed).toMatchObject({ sent: true });
  expect(changed.image.id).not.toBe(image.id);
  expect(changed.unchanged).toBeUndefined();
});

test('numbered controls that are called otherwise now are told again, though the picture looks the same', async () => {
  const { take, images } = scene();
  const { image, marks = [] } = await take({ marks: true });
  expect(marks.length).toBeGreaterThan(0);
  expect((await take({ marks: true, if_changed: image.id })).sent).toBe(false);
  const kept = images.get(image.id, CALLER.agent.id);
  if (kept === null) throw new Error('the picture was not kept');
  expect(isSameImage(kept, { ...kept })).toBe(true);
  const renamed = marks.map((mark) => ({ ...mark, title: 'Delete everything' }));
  expect(isSameImage(kept, { ...kept, toldWith: JSON.stringify([renamed, false]) })).toBe(false);
});
