/** A window that is still loading when it is to be asked about: the person is asked about what it has become, and their yes counts. */
import { expect, test } from 'vitest';
import { openSimulated, type ElementSpec } from '../../src/native/simulated/index.js';
import { createTestPipeline } from '../support/pipeline.js';

const SEND = { title: 'Send', role: 'AXButton', parent: 'simulated.mail' };

/** Each entry runs once, as the plan is made anew while the window loads. */
function loading(changes: ((pipeline: ReturnType<typeof createTestPipeline>, windowId: string) => void)[]) {
  const pipeline = createTestPipeline(undefined, openSimulated());
  const { newWindows } = pipeline.deps;
  const waitUntilLoaded = newWindows.waitUntilLoaded.bind(newWindows);
  let looks = 0;
  newWindows.waitUntilLoaded = (plan, planAgain, signal) => {
    const again = () => {
      looks += 1;
      changes.shift()?.(pipeline, plan.window?.id ?? '');
      return planAgain();
    };
    return waitUntilLoaded(plan, again, signal);
  };
  const mail = async () => {
    const windows = await pipeline.desktop.windows(new AbortController().signal);
    const found = windows.find(({ app }) => app.id === 'simulated.mail');
    if (found === undefined) throw new Error('no mail');
    return found;
  };
  return { pipeline, mail, looks: () => looks };
}

test('[req:NC-10] of a process that has just started: asked once, about what the window has become', async () => {
  const retitle = (title: string) => (pipeline: ReturnType<typeof createTestPipeline>, id: string) =>
    pipeline.world.retitleWindow(id, title);
  const { pipeline, mail, looks } = loading([retitle('Loading'), retitle('Loaded')]);
  pipeline.ages.set((await mail()).app.pid, 1_000);
  const result = await pipeline.run('click_element', SEND);
  expect(result.verified).not.toBeNull();
  expect(pipeline.asked.map(({ plan }) => plan?.window?.title)).toEqual(['Loaded']);
  const before = looks();
  await pipeline.run('click_element', SEND);
  expect(looks()).toBe(before);
});

test('[req:NC-10] a later window of an old process too; its first is taken to have loaded', async () => {
  const { pipeline, mail, looks } = loading([(one, id) => one.world.retitleWindow(id, 'Loaded')]);
  await pipeline.run('click_element', SEND);
  expect(looks()).toBe(0);
  const elements: ElementSpec[] = [{ role: 'AXButton', title: 'Publish', identifier: 'publish', frame: { x: 20, y: 50, width: 90, height: 30 } }]; // prettier-ignore
  pipeline.world.addWindow((await mail()).app.pid, { title: 'Loading', frame: { x: 0, y: 0, width: 300, height: 200 }, elements }); // prettier-ignore
  await pipeline.run('click_element', { ...SEND, title: 'Publish' });
  expect(pipeline.asked.at(-1)?.plan?.window?.title).toBe('Loaded');
  expect(pipeline.asked).toHaveLength(2);
});

test('[req:NC-10] what has gone when the window has loaded is told as if it had never been there, and nobody is asked', async () => {
  const { pipeline, mail } = loading([(one) => one.world.removeElement(one.world.find('send') ?? '')]);
  pipeline.ages.set((await mail()).app.pid, 60_000 - 31_000);
  await expect(pipeline.run('click_element', SEND)).rejects.toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND' });
  expect(pipeline.asked).toEqual([]);
});
