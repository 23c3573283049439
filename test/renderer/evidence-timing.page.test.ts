import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { filesOf, openEvidence } from '../support/evidence-page.js';
import { eventually, pageTests } from '../support/page-test.js';
import { evidence, traceText } from '../support/record-samples.js';

const pages = pageTests();
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('[req:TI-2] shows where the time of a call went as bars on one scale, and nothing where the trace has no times', async () => {
  const found = evidence();
  const files = await filesOf(found);
  const times = { totalMs: 52.5, stages: [{ stage: 'plan', ms: 10 }, { stage: 'verify', ms: 40 }], desktop: [] }; // prettier-ignore
  const traced = `${traceText(found.startedAt ?? '')}\n${JSON.stringify({ at: found.startedAt, step: 'timing', ...times })}`;
  const page = await openEvidence(pages, found, { ...files, 'trace.jsonl': traced });
  const bars = panel(page, 'Where the time went').locator('.length');
  await eventually(() => bars.count()).toBe(2);
  const [plan, verify] = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
  expect((verify ?? 0) / (plan ?? 1)).toBeCloseTo(4, 1);
  const told = await panel(page, 'Where the time went').innerText();
  expect(told).toMatch(/53 ms in all[^]*Finding the target\s+10 ms[^]*Verifying\s+40 ms/);
  await eventually(() => panel(page, 'Step by step').getByRole('listitem').count()).toBe(2);
  const without = await openEvidence(pages, found, files);
  await panel(without, 'Step by step').waitFor();
  expect(await panel(without, 'Where the time went').count()).toBe(0);
});
