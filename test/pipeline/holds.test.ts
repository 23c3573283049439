/** Buttons held from one call to the next: whose lane it is meanwhile, and everything that ends it. */
import { describe, expect, test } from 'vitest';
import { Stopped } from '../../src/main/pipeline/failures.js';
import type { ApprovalRequest, Caller, Decision } from '../../src/main/approvals/request.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { eventually } from '../support/eventually.js';
import { holdTimers } from '../support/held-timers.js';
import { ALLOWED, CALLER, createTestPipeline, failure, pressed } from '../support/pipeline.js';
import { message, verbatim } from '../../src/messages/index.js';

/** In the text of Notes, and in the one of Mail. */
const NOTE = { x: 760, y: 230 };
const OTHER: Caller = { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2', pid: 20 }, connectionId: 'c2' };

function scene(holdMs?: number, decide: (request: ApprovalRequest) => Promise<Decision> = async () => ALLOWED) {
  const pipeline = createTestPipeline(decide, openSimulated(), holdMs);
  const pointer = () =>
    pipeline.world
      .journal()
      .filter(({ event }) => event === 'pointer' || event === 'pointerup')
      .map(({ event, value }) => `${event} ${value}`);
  const keys = () =>
    pipeline.world
      .journal()
      .filter(({ event }) => event === 'key' || event === 'keyup')
      .map(({ event, value }) => `${event} ${value}`);
  return { ...pipeline, pointer, keys, down: (more = {}) => pipeline.run('left_mouse_down', { ...NOTE, ...more }) };
}

describe('a held button', () => {
  test('[req:MT-T-left_mouse_down] [req:MT-T-left_mouse_up] stays down over later calls of its agent, until it is let go', async () => {
    const { run, down, pointer, deps, lane } = scene();
    const { value } = await down();
    expect(value).toMatchObject({ held: 'left button', point: NOTE });
    expect(lane.busy('desktop')).toBe(true);
    await run('mouse_move', { x: 820, y: 230 });
    await run('press_key', { key: 'home' });
    expect(pointer()).toEqual(['pointer left 1']);
    expect((await run('left_mouse_up', {})).value).toMatchObject({
      released: 'left button',
      point: { x: 820, y: 230 },
    });
    expect(pointer()).toEqual(['pointer left 1', 'pointerup left']);
    expect(lane.busy('desktop')).toBe(false);
    expect(deps.holds.of(CALLER.agent.id)).toEqual([]);
  });

  test('[req:DS-2-9] [req:DS-2-10] keeps the lane: another agent acts when it has been let go', async () => {
    const { run, down, refer, world } = scene();
    const send = await refer('send', OTHER.agent.id);
    await down();
    const pressedSend = () => pressed(world.journal()).includes('send');
    const waits = run('click_element', { element_id: send }, { caller: OTHER });
    await run('mouse_move', { x: 820, y: 240 });
    await run('list_windows', {}, { caller: OTHER });
    expect(pressedSend()).toBe(false);
    await run('left_mouse_up', {});
    await waits;
    expect(pressedSend()).toBe(true);
  });

  test('keeps its modifiers down with it, lifts everything else at the end of each call', async () => {
    const { run, down, keys } = scene();
    await down({ modifiers: ['shift'] });
    await run('press_key', { key: 'left', modifiers: ['ctrl'] });
    expect(keys()).toContain('keyup ctrl');
    expect(keys()).not.toContain('keyup shift');
    await run('left_mouse_up', {});
    expect(keys()).toContain('keyup shift');
  });

  test('makes every later plan say so, and no grant stands for it', async () => {
    const { run, down, asked } = scene();
    await down({ modifiers: ['ctrl'] });
    await run('mouse_move', { x: 300, y: 300 });
    const { plan, alwaysAsk, action } = asked.at(-1) ?? {};
    expect(action?.effect).toBe('input');
    expect(alwaysAsk).toBe(true);
    expect(plan?.notes).toEqual([
      { code: 'note.drags_to', params: expect.objectContaining({ window: 'Shopping' }) },
      message('note.still_held', { what: 'left button, ctrl' }),
    ]);
    expect(plan?.drop).toMatchObject({ point: { x: 300, y: 300 } });
  });

  test('is refused a second time, and there is nothing to let go where nothing is held', async () => {
    const { run, down } = scene();
    expect((await failure(run('left_mouse_up', {}))).details).toMatchObject({ reason: 'not_held' });
    await down();
    expect((await failure(down())).details).toMatchObject({ reason: 'already_held' });
    expect((await failure(run('click', NOTE))).details).toMatchObject({ reason: 'already_held' });
    expect((await failure(run('left_mouse_up', { button: 'right' }))).details).toMatchObject({ reason: 'not_held' });
    expect((await failure(run('left_mouse_up', {}, { caller: OTHER }))).details).toMatchObject({ reason: 'not_held' });
  });
});

describe('what ends it', () => {
  const letGo = ['pointer left 1', 'pointerup left'];

  test('[req:DS-2-9] time: it is let go, and a later letting go says that nothing is held', async () => {
    const limit = holdTimers(30_000);
    const { run, down, pointer, lane } = scene();
    await down();
    await limit.end();
    await eventually(() => pointer()).toEqual(letGo);
    await eventually(() => lane.busy('desktop')).toBe(false);
    expect((await failure(run('left_mouse_up', {}))).details).toMatchObject({ reason: 'not_held' });
  });

  test('time, while the person thinks: what they then allow is not what they saw, and is not done', async () => {
    let allow: () => void = () => undefined;
    const thinking = new Promise<void>((resolve) => (allow = resolve));
    const limit = holdTimers(29_000);
    const { run, down, pointer, asked } = scene(29_000, async ({ action }) => {
      if (action.name === 'press_key') await thinking;
      return ALLOWED;
    });
    await down();
    const moved = failure(run('press_key', { key: 'home' }));
    await eventually(() => asked.at(-1)?.action.name).toBe('press_key');
    await limit.end();
    await eventually(() => pointer()).toEqual(letGo);
    allow();
    expect(await moved).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED' });
  });

  test('abort, by the id of the call that pressed it, by its agent and by no other', async () => {
    const { down, pointer, deps } = scene();
    const { executionId } = await down();
    expect(() => deps.executions.abort({ ...OTHER, peer: { ...OTHER.peer, pid: 99 } }, executionId)).toThrow(
      /no running call/,
    );
    deps.executions.abort(CALLER, executionId);
    await eventually(() => pointer()).toEqual(letGo);
  });

  test.each(['person', 'stop', 'closing'] as const)('everything being stopped: %s', async (by) => {
    const { down, pointer, deps, lane } = scene();
    await down();
    deps.executions.stop(new Stopped(by, verbatim('stopped')));
    await eventually(() => pointer()).toEqual(letGo);
    await eventually(() => lane.busy('desktop')).toBe(false);
  });

  test('abort of a later call of the same agent, which is stopped as well', async () => {
    const { run, down, pointer, deps } = scene();
    await down();
    const hovering = failure(run('hover', { ...NOTE, duration: 10 }));
    await eventually(() => deps.executions.all().some(({ tool }) => tool === 'hover')).toBe(true);
    for (const execution of deps.executions.all())
      if (execution.tool === 'hover') execution.stop(new Stopped('abort', verbatim('no')));
    expect(await hovering).toMatchObject({ code: 'DESKTOP_ABORTED' });
    await eventually(() => pointer()).toEqual(letGo);
  });

  test('its agent going: also for a key that is held within a call', async () => {
    const { run, down, pointer, keys, deps } = scene();
    await down();
    await deps.holds.release('agent-2', new Stopped('abort', verbatim('gone')));
    expect(pointer()).toEqual(['pointer left 1']);
    await deps.holds.release('agent-1', new Stopped('abort', verbatim('gone')));
    expect(pointer()).toEqual(letGo);
    const holding = failure(run('hold_key', { key: 'f5', duration: 30 }));
    await eventually(() => keys().includes('key f5')).toBe(true);
    await eventually(() => deps.holds.of('agent-1').length).toBe(1);
    await deps.holds.release('agent-1', new Stopped('abort', verbatim('gone')));
    expect(await holding).toMatchObject({ code: 'DESKTOP_ABORTED' });
    expect(keys().at(-1)).toBe('keyup f5');
  });
});
