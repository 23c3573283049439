import { expect, test } from 'vitest';
import type { Decision } from '../../src/main/approvals/request.js';
import { createCallEvents, type CallEvent } from '../../src/main/pipeline/dependencies.js';
import { ALLOWED, createTestPipeline, DENIED, failure, pressed } from '../support/pipeline.js';

/** A press that is decided as given; what was told of it. */
function pressing(decision: Decision) {
  const pipeline = createTestPipeline(async () => decision);
  const told: CallEvent[] = [];
  pipeline.events.on((event) => told.push(event));
  const press = async () => pipeline.run('click_element', { element_id: await pipeline.refer('send') });
  return { ...pipeline, told, kinds: () => told.map(({ kind }) => kind), press };
}

test('a call tells what happens to it in order, and last how it ended', async () => {
  const { press, told, kinds, world } = pressing(ALLOWED);
  const { executionId } = await press();
  expect(kinds()).toEqual(['deciding', 'waiting', 'decided', 'acting', 'ended']);
  expect(told.every((event) => event.executionId === executionId)).toBe(true);
  expect(told[0]).toMatchObject({
    effect: 'dangerous',
    subject: { title: { code: 'title.click' } },
    windowId: expect.any(String),
  });
  expect(told[1]).toMatchObject({ approvalId: 'a' });
  expect(told.at(-1)).toMatchObject({ call: { tool: 'click_element', outcome: 'confirmed', decision: ALLOWED } });
  expect(world.journal().length).toBeGreaterThan(0);
});

test('a denied call tells so, and never that it acts', async () => {
  const { press, told, kinds } = pressing(DENIED);
  await failure(press());
  expect(kinds()).toEqual(['deciding', 'waiting', 'decided', 'ended']);
  expect(told.at(-1)).toMatchObject({ call: { outcome: 'denied' } });
});

test('a listener that throws changes nothing: neither the decision nor the act', async () => {
  const { press, deps, world, records } = pressing(ALLOWED);
  const thrown: unknown[] = [];
  const events = createCallEvents((error) => void thrown.push(error));
  deps.events = events;
  events.on(() => {
    throw new Error('a broken listener');
  });
  await press();
  expect(thrown).toHaveLength(5);
  expect(pressed(world.journal())).toEqual(['send']);
  expect(records[0]?.end).toMatchObject({ outcome: 'confirmed', decision: ALLOWED });
  const denied = pressing(DENIED);
  denied.deps.events = events;
  expect((await failure(denied.press())).code).toBe('DESKTOP_CONFIRM_REQUIRED');
  expect(denied.world.journal()).toEqual([]);
});
