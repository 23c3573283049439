/** Who waits for whom: agents take turns in the lane, and reads wait for no act. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { subjectWithoutPlace } from '../../src/main/protocol/index.js';
import { defineAction } from '../../src/main/pipeline/define.js';
import { planElement } from '../../src/main/pipeline/target/plans.js';
import { createRunner } from '../../src/main/pipeline/run.js';
import type { Caller } from '../../src/main/approvals/request.js';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { ALLOWED, CALLER, createTestPipeline } from '../support/pipeline.js';
import { CLICK } from '../support/titles.js';

const agent = (id: string): Caller => ({ ...CALLER, agent: { ...CALLER.agent, id }, connectionId: id });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const nothing = (): Promise<void> => Promise.resolve();

/** A pipeline that says when an agent wants the lane, and when it has it. `acting` runs while it acts. */
function scene() {
  const desktop = openSimulated();
  const { deps, run } = createTestPipeline(undefined, desktop);
  const said: string[] = [];
  let acting = nothing;
  const runner = createRunner({
    ...deps,
    holds: {
      ...deps.holds,
      async enter(agentId, clock) {
        said.push(`wants ${agentId}`);
        const leave = await deps.holds.enter(agentId, clock);
        said.push(`has ${agentId}`);
        return leave;
      },
    },
  });
  const press = defineAction({
    name: 'test.press',
    title: 'Press',
    description: 'Presses Send.',
    effect: 'input',
    needs: [],
    evidence: 'folder',
    input: z.object({}),
    output: z.object({}),
    subject: () => subjectWithoutPlace(CLICK),
    plan: async (ctx, _input, signal) =>
      planElement(ctx.desktop, await ctx.desktop.element(send(), signal), { title: CLICK }, signal),
    async act(ctx, _input, signal) {
      await acting();
      await ctx.desktop.performAction(send(), 'AXPress', signal);
      return { value: {}, effect: { effect: 'confirmed', before: null, after: null } };
    },
  });
  const send = () => desktop.world.find('send') ?? '';
  const call = { callId: 'c', requestId: 'r', aliases: [], input: {}, arguments: {}, workspace: '/work' };
  return {
    said,
    read: () => run('list_windows', {}, { caller: agent('reader') }),
    act: (id: string) =>
      runner.run(press, {
        ...call,
        caller: agent(id),
        timeoutMs: null,
        gate: null,
        signal: new AbortController().signal,
      }),
    whileActing(work: () => Promise<void>) {
      acting = work;
    },
  };
}

/** For each wait for the lane: how often each other agent got it meanwhile. */
function overtaken(said: readonly string[]): number[] {
  return said.flatMap((line, at) => {
    const [what, id] = line.split(' ');
    if (what !== 'wants') return [];
    const until = said.indexOf(`has ${id}`, at);
    const others = said.slice(at, until).filter((one) => one.startsWith('has '));
    return [...new Set(others)].map((one) => others.filter((other) => other === one).length);
  });
}

describe('the lane', () => {
  test('[req:DS-2-12] is taken in turns: nobody gets it twice while another waits', async () => {
    const { act, said, whileActing } = scene();
    const agents = ['one', 'two', 'three', 'four'];
    const count = (line: string) => said.filter((other) => other === line).length;
    const isReady = (id: string) => count(`has ${id}`) === 5 || count(`wants ${id}`) > count(`has ${id}`);
    whileActing(async () => {
      const acting = said.findLast((line) => line.startsWith('has '));
      while (!agents.every((id) => acting === `has ${id}` || isReady(id))) await nextTurn();
    });
    await Promise.all(agents.flatMap((id) => Array.from({ length: 5 }, () => act(id))));
    expect(said.filter((line) => line.startsWith('has '))).toHaveLength(20);
    const counts = overtaken(said);
    expect(counts.length).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBe(1);
  });

  test('[req:DS-2-12] many acts that one agent has waiting hold up the first of another by one at most', async () => {
    const { act, said, whileActing } = scene();
    const many = Array.from({ length: 20 }, () => act('many'));
    await many[0];
    // From its own start on it is ready before the act that has the lane ends.
    let first: Promise<unknown> | null = null;
    whileActing(async () => {
      first ??= act('first');
      while (!said.includes('wants first')) await nextTurn();
    });
    await Promise.all(many);
    await first;
    const from = said.indexOf('wants first');
    expect(said.slice(from, said.indexOf('has first')).filter((line) => line === 'has many')).toEqual([]);
    expect(said.slice(from).filter((line) => line === 'has many').length).toBeGreaterThan(10);
  });

  test('[req:DS-2-8] a plan has it for all its steps: another agent, allowed meanwhile, acts after the last', async () => {
    const other = agent('other');
    const real = openSimulated();
    let meanwhile = (): Promise<unknown> => Promise.resolve();
    const desktop: SimulatedDesktop = {
      ...real,
      async performAction(...given) {
        await meanwhile();
        await real.performAction(...given);
      },
    };
    const pipeline = createTestPipeline(async () => ALLOWED, desktop);
    const { holds } = pipeline.deps;
    const theirs = await pipeline.refer('locked', other.agent.id);
    let done: Promise<unknown> = Promise.resolve();
    meanwhile = () => {
      meanwhile = () => Promise.resolve();
      return new Promise((resolve) => {
        // What waits for the lane does not act before it has it; without a lane, it would have acted by its end.
        const enter: typeof holds.enter = (agentId, clock) => (resolve(null), holds.enter(agentId, clock));
        pipeline.deps.holds = { ...holds, enter };
        done = pipeline.run('click_element', { element_id: theirs }, { caller: other }).finally(() => resolve(null));
      });
    };
    const click = async (name: string) => ({
      tool: 'click_element',
      arguments: { element_id: await pipeline.refer(name) },
    });
    await pipeline.run('run_plan', { steps: [await click('send'), await click('copy')] });
    await done;
    const acts = pipeline.world.journal().filter(({ event }) => event === 'pressed' || event === 'toggled');
    expect(acts.map(({ control }) => control)).toEqual(['send', 'copy', 'locked']);
  });
});

test('[req:DS-2-10] a read that arrives while an act has the lane is answered before the act ends', async () => {
  const { act, read, whileActing } = scene();
  const ended: string[] = [];
  whileActing(async () => {
    await read().then(() => ended.push('read'));
  });
  await act('one').then(() => ended.push('act'));
  expect(ended).toEqual(['read', 'act']);
});
