import { describe, expect, test } from 'vitest';
import { createCallTiming } from '../../src/main/pipeline/call-clock.js';
import { callTimesSchema, CALL_STAGES } from '../../src/main/protocol/index.js';
import { ALLOWED, createTestPipeline } from '../support/pipeline.js';

describe('the times of a call', () => {
  test('a stage that comes again adds to what it had, and the stages make up the whole', () => {
    let now = 100;
    const timing = createCallTiming(() => now);
    for (const [stage, until] of [
      ['plan', 103],
      ['act', 110],
      ['plan', 130],
      ['act', 131],
    ] as const) {
      now = until;
      timing.stage(stage);
    }
    now = 140;
    const { totalMs, stages } = timing.times();
    expect(totalMs).toBe(40);
    expect(stages).toEqual([
      { stage: 'begin', ms: 3 },
      { stage: 'plan', ms: 8 },
      { stage: 'act', ms: 29 },
    ]);
  });

  test('[req:TI-1] are the last line of its trace, and in its result, with every use of the desktop counted', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    const { times } = await pipeline.run('click_element', { element_id: await pipeline.refer('send') });
    expect(callTimesSchema.parse(times)).toEqual(times);
    const passed = times.stages.map(({ stage }) => stage);
    expect(passed).toEqual(CALL_STAGES.filter((stage) => passed.includes(stage)));
    expect(passed).toEqual(expect.arrayContaining(['plan', 'decide', 'compare', 'act', 'verify', 'record']));
    const sum = times.stages.reduce((all, { ms }) => all + ms, 0);
    expect(Math.abs(sum - times.totalMs)).toBeLessThan(1 + times.stages.length * 0.1);
    expect(times.desktop.find(({ method }) => method === 'performAction')?.calls).toBe(1);
    expect(times.desktop.find(({ method }) => method === 'capture')?.calls).toBeGreaterThan(1);
    const traced = pipeline.records[0]?.traces.at(-1);
    expect(traced).toMatchObject({ step: 'timing' });
    expect(callTimesSchema.safeParse(traced).success).toBe(true);
  });
});
