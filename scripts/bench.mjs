/** `npm run bench [-- --row NAME]`: measures Chaperone beside a peer or a floor in one run, and writes bench/RESULTS.md when all were run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROWS, USAGE, chosen } from '../bench/rows.mjs';
import { createStageTimes } from '../bench/stages.mjs';
import { main, root } from './lib/run.mjs';
import { setup } from './setup.mjs';

await main(async (args) => {
  if (args.includes('--help')) return console.log(USAGE);
  const rows = chosen(args);
  await setup({ test: true });
  const { machine, report } = await import('../bench/report.mjs');
  const before = await machine();
  const measured = [];
  for (const row of rows) measured.push({ section: row.section, ...(await measure(row)) });
  const text = report(before, measured);
  console.log(text);
  if (rows.length === ROWS.length) writeFileSync(join(root, 'bench/RESULTS.md'), text);
});

async function measure({ name, measure: lines }) {
  console.error(`measuring ${name} …`);
  const folder = mkdtempSync(join(tmpdir(), 'chp-bench-'));
  const closers = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const stages = createStageTimes();
    const measured = await lines({ folder, stages, own: (close) => void closers.unshift(close) });
    return { lines: measured, stages: stages.lines() };
  } finally {
    for (const close of closers) await close();
  }
}
