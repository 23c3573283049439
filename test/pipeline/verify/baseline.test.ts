/** What an act is compared with afterwards is read while its start is made durable. */
import { expect, test } from 'vitest';
import { openSimulated } from '../../../src/native/simulated/index.js';
import type { DesktopReader } from '../../../src/native/desktop.js';
import { ALLOWED, createTestPipeline, pressed } from '../../support/pipeline.js';

/** A pipeline whose start is on disk only once the application was read for the comparison afterwards. */
function slowToStart() {
  const real = openSimulated();
  const order: string[] = [];
  let readOnce = () => {};
  const isRead = new Promise<void>((resolve) => (readOnce = resolve));
  const tree: DesktopReader['tree'] = async (scope, limits, signal) => {
    const isWhole = scope.windowId === undefined && scope.elementId === undefined;
    if (isWhole && order.at(-1) !== 'read') order.push('read');
    const found = await real.tree(scope, limits, signal);
    if (isWhole && order.includes('allowed')) readOnce();
    return found;
  };
  const performAction: typeof real.performAction = (...given) => (order.push('act'), real.performAction(...given));
  const decide = async () => (order.push('allowed'), ALLOWED);
  const pipeline = createTestPipeline(decide, { ...real, tree, performAction });
  const { recorder } = pipeline.deps;
  pipeline.deps.recorder = {
    ...recorder,
    async begin(start) {
      const evidence = await recorder.begin(start);
      const started = () => isRead.then(() => (order.push('started'), evidence.started()));
      return { ...evidence, started };
    },
  };
  return { pipeline, order };
}

test('[req:AR-2] an application is read for the verification beside the durable start, before the act, and not again', async () => {
  const { pipeline, order } = slowToStart();
  const result = await pipeline.run('click_element', { element_id: await pipeline.refer('send') });
  expect(order.slice(order.indexOf('allowed'))).toEqual(['allowed', 'read', 'started', 'act', 'read']);
  expect(pressed(pipeline.world.journal())).toEqual(['send']);
  expect(result.verified?.effect).toBe('confirmed');
  expect(JSON.stringify(result.verified?.after)).toContain('Who is it for?');
});
