import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { filesOf, openEvidence } from '../support/evidence-page.js';
import { eventually, pageTests } from '../support/page-test.js';
import { evidence, traceText } from '../support/record-samples.js';

const pages = pageTests();
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('[req:TI-2] [req:NC-9] shows where the time of a call went as bars on one scale, and nothing where the trace has no times', async () => {
  const found = evidence();
  const files = await filesOf(found);
  const times = { totalMs: 2052.5, stages: [{ stage: 'plan', ms: 10 }, { stage: 'verify', ms: 40 }], desktop: [] }; // prettier-ignore
  const traced = `${traceText(found.startedAt ?? '')}\n${JSON.stringify({ at: found.startedAt, step: 'timing', ...times })}`;
  const page = await openEvidence(pages, found, { ...files, 'trace.jsonl': traced });
  const bars = panel(page, 'Where the time went').locator('.length');
  await eventually(() => bars.count()).toBe(2);
  const [plan, verify] = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
  expect((verify ?? 0) / (plan ?? 1)).toBeCloseTo(4, 1);
  const told = await panel(page, 'Where the time went').innerText();
  expect(told).toMatch(/took 2\.1\ss[^]*Finding the target\s+10 ms[^]*Verifying\s+40 ms/);
  await eventually(() => panel(page, 'Step by step').getByRole('listitem').count()).toBe(2);
  // The title says the same.
  expect(await page.locator('.toolrow').first().innerText()).toMatch(/took 2\.1\ss/);
  const waited = { ...times, totalMs: 14_400, stages: [...times.stages, { stage: 'decide', ms: 12_000 }] };
  const asked = `${traceText(found.startedAt ?? '')}\n${JSON.stringify({ at: found.startedAt, step: 'timing', ...waited })}`;
  const other = await openEvidence(pages, found, { ...files, 'trace.jsonl': asked });
  await panel(other, 'Where the time went')
    .getByText(/took 2\.4\ss, plus 12\ss for the decision/)
    .waitFor();
  expect(await other.locator('.toolrow').first().innerText()).toMatch(/took 2\.4\ss$/);
  const without = await openEvidence(pages, found, files);
  await panel(without, 'Step by step').waitFor();
  expect(await panel(without, 'Where the time went').count()).toBe(0);
});
