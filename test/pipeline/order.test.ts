import { subjectWithoutPlace } from '../../src/main/protocol/index.js';
import { CLICK } from '../support/titles.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineAction } from '../../src/main/pipeline/define.js';
import { planElement } from '../../src/main/pipeline/target/plans.js';
import type { Decision } from '../../src/main/approvals/request.js';
import { createRunner } from '../../src/main/pipeline/run.js';
import type { DesktopBackend } from '../../src/native/desktop.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { ALLOWED, CALLER, createTestPipeline, DENIED } from '../support/pipeline.js';

/** The desktop, with a word of each use of it. */
function noting(desktop: DesktopBackend, note: () => void): DesktopBackend {
  return new Proxy(desktop, {
    get(target, name) {
      note();
      return Reflect.get(target, name, target);
    },
  });
}

/** An action that says when each of its parts is entered, in a pipeline that says the same of its own. */
function listening(decision: Decision) {
  const order: string[] = [];
  const say = (step: string) => void (order.at(-1) === step || order.push(step));
  const desktop = openSimulated();
  let left = false;
  const { deps } = createTestPipeline(async () => {
    say('approve');
    return decision;
  }, desktop);
  const { recorder, holds } = deps;
  const runner = createRunner({
    ...deps,
    desktop: noting(
      { ...desktop, permissions: (signal) => (say('permissions'), desktop.permissions(signal)) },
      () => left && say('desktop'),
    ),
    recorder: {
      ...recorder,
      workspace: (path) => (say('workspace'), recorder.workspace(path)),
      async begin(start) {
        say('record');
        const evidence = await recorder.begin(start);
        return {
          ...evidence,
          write: (name, bytes) => (say(name), evidence.write(name, bytes)),
          started: () => (say('started'), evidence.started()),
          finish: (end) => (say(`finish ${end.outcome}`), evidence.finish(end)),
        };
      },
    },
    holds: {
      ...holds,
      async enter(agentId, clock) {
        const leave = await holds.enter(agentId, clock);
        say('lane');
        return () => {
          if (!left) say('lane left');
          left = true;
          leave();
        };
      },
    },
  });
  const action = defineAction({
    name: 'test.press',
    title: 'Press',
    description: 'Presses Send.',
    effect: 'input',
    needs: ['accessibility'],
    evidence: 'folder',
    input: z.object({}).superRefine(() => say('parse')),
    output: z.object({ pressed: z.boolean() }),
    subject: () => subjectWithoutPlace(CLICK),
    async plan(ctx, _input, signal) {
      say('plan');
      const element = await ctx.desktop.element(desktop.world.find('send') ?? '', signal);
      return planElement(ctx.desktop, element, { title: CLICK }, signal);
    },
    async act(ctx, _input, signal) {
      say('run');
      await ctx.desktop.performAction(desktop.world.find('send') ?? '', 'AXPress', signal);
      return { value: { pressed: true }, effect: { effect: 'confirmed', before: null, after: null } };
    },
  });
  const call = {
    callId: 'c',
    requestId: 'r',
    aliases: [],
    caller: CALLER,
    input: {},
    arguments: {},
    workspace: '/work',
    timeoutMs: null,
    gate: () => {
      say('gate');
      return { approved: null, phrase: null };
    },
    signal: new AbortController().signal,
  };
  return { order, desktop, run: () => runner.run(action, call) };
}

const BEFORE = ['parse', 'workspace', 'permissions', 'record', 'gate', 'plan', 'approve'];

test('[req:DS-2-4] [req:DS-2-12] every call goes the same way: checked, planned, approved, then in its lane compared, recorded, run and verified', async () => {
  const { order, desktop, run } = listening(ALLOWED);
  await run();
  expect(order).toEqual([
    ...BEFORE,
    ...['lane', 'plan', 'before.png', 'started', 'run'],
    // The picture was taken before: nobody waits for what is left to write, and the desktop is another’s by then.
    ...['lane left', 'after.png', 'finish confirmed'],
  ]);
  expect(desktop.world.journal().map(({ event }) => event)).toEqual(['pressed']);
});

test('[req:DS-2-4] a no ends it there, with its record', async () => {
  const { order, desktop, run } = listening(DENIED);
  await expect(run()).rejects.toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED' });
  expect(order).toEqual([...BEFORE, 'finish denied']);
  expect(desktop.world.journal()).toEqual([]);
});
