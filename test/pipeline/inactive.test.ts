/** Acts on a window that has not the focus, and paints itself anew once it has. */
import { describe, expect, test } from 'vitest';
import type { SimulatedDesktop } from '../../src/native/simulated/index.js';
import { ALLOWED, createTestPipeline, failure } from '../support/pipeline.js';

/** The corner of the field that gets a ring with the focus. */
const FIELD = { x: 160, y: 130 };
type TestPipeline = ReturnType<typeof createTestPipeline>;

const behind = (change: (world: SimulatedDesktop['world']) => void = () => undefined): TestPipeline => {
  const pipeline: TestPipeline = createTestPipeline(async () => {
    change(pipeline.world);
    return ALLOWED;
  });
  pipeline.world.person.focus(pipeline.world.find('note') ?? '');
  return pipeline;
};
const mail = async ({ desktop }: TestPipeline) =>
  (await desktop.windows(new AbortController().signal)).find(({ title }) => title === 'New Message');
const clicks = ({ world }: TestPipeline) => world.journal().filter(({ event }) => event === 'pointer');

describe('a target that was shown in a window without the focus', () => {
  test('is clicked at the first try, though its window looks different once it has the focus', async () => {
    const pipeline = behind();
    expect((await mail(pipeline))?.focused).toBe(false);
    const result = await pipeline.run('click', FIELD);
    expect(result.value).toMatchObject({ clicked: true });
    expect((await mail(pipeline))?.focused).toBe(true);
    expect(new Set(clicks(pipeline).map(({ control }) => control))).toEqual(new Set(['to']));
  });

  test('is clicked as the first step of a plan as well', async () => {
    const pipeline = behind();
    await pipeline.run('run_plan', { steps: [{ tool: 'click', arguments: FIELD }] });
    expect(new Set(clicks(pipeline).map(({ control }) => control))).toEqual(new Set(['to']));
  });

  test('is refused where it looked different before it had the focus', async () => {
    const pipeline = behind((world) => world.change(world.find('to') ?? '', { value: 'mallory@example.org' }));
    const error = await failure(pipeline.run('click', FIELD));
    expect(error.code).toBe('DESKTOP_TARGET_CHANGED');
    expect(error.details['drift']).toMatchObject([{ what: 'pixels' }]);
    expect(clicks(pipeline)).toEqual([]);
  });

  test('is refused where it is called something else by then', async () => {
    const pipeline = behind((world) => world.change(world.find('to') ?? '', { title: 'Blind copy' }));
    expect((await failure(pipeline.run('click', FIELD))).code).toBe('DESKTOP_TARGET_CHANGED');
    expect(clicks(pipeline)).toEqual([]);
  });

  test('is refused where the window had the focus by then and looks different', async () => {
    const pipeline = behind((world) => world.person.focus(world.find('to') ?? ''));
    const error = await failure(pipeline.run('click', FIELD));
    expect(error.details['drift']).toMatchObject([{ what: 'pixels' }]);
    expect(clicks(pipeline)).toEqual([]);
  });
});

describe('a target that looks different by the time of the act', () => {
  const BY_GRANT = { ...ALLOWED, by: 'grant' as const };
  const changing = (decision: typeof ALLOWED | typeof BY_GRANT, change: (world: SimulatedDesktop['world']) => void) => {
    const pipeline: TestPipeline = createTestPipeline(async () => {
      change(pipeline.world);
      return decision;
    });
    return pipeline;
  };
  const late = (world: SimulatedDesktop['world']) => world.change(world.find('to') ?? '', { value: 'ada@example.org' });
  const renamed = (world: SimulatedDesktop['world']) => world.change(world.find('to') ?? '', { title: 'Blind copy' });

  test('is acted on where a grant decided: nobody was shown a picture', async () => {
    const pipeline = changing(BY_GRANT, late);
    expect((await pipeline.run('click', FIELD)).value).toMatchObject({ clicked: true });
    expect(new Set(clicks(pipeline).map(({ control }) => control))).toEqual(new Set(['to']));
  });

  test('is refused there too where it is called something else', async () => {
    const pipeline = changing(BY_GRANT, renamed);
    expect((await failure(pipeline.run('click', FIELD))).code).toBe('DESKTOP_TARGET_CHANGED');
    expect(clicks(pipeline)).toEqual([]);
  });

  test('is refused where a person decided by what they saw', async () => {
    const pipeline = changing(ALLOWED, late);
    expect((await failure(pipeline.run('click', FIELD))).details['drift']).toMatchObject([{ what: 'pixels' }]);
    expect(clicks(pipeline)).toEqual([]);
  });
});
