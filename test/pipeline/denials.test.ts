import { expect, test } from 'vitest';
import type { Decision } from '../../src/main/approvals/request.js';
import { createTestPipeline, DENIED } from '../support/pipeline.js';

type Reason = Extract<Decision, { kind: 'denied' }>['reason'];

test.each<[Reason, string, RegExp]>([
  ['denied', 'denied', /said no: “not that one”/],
  ['timeout', 'timeout', /Nobody answered/],
  ['policy', 'policy', /policy does not allow/],
  ['paused', 'paused', /paused/],
  ['stopped', 'denied', /was stopped/],
])('[req:DS-4-9] a no tells why: %s', async (reason, told, words) => {
  const pipeline = createTestPipeline(() => Promise.resolve({ ...DENIED, reason }));
  const work = pipeline.run('click_element', { element_id: await pipeline.refer('send') });
  await expect(work).rejects.toMatchObject({
    code: 'DESKTOP_CONFIRM_REQUIRED',
    message: expect.stringMatching(words),
    details: { reason: told },
  });
  expect(pipeline.world.journal()).toEqual([]);
});
