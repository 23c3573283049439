/** `npm run bench [-- --row NAME]`: measures Chaperone beside a peer or a floor in one run, and renews each section of bench/RESULTS.md whose rows were all run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROWS, USAGE, chosen } from '../bench/rows.mjs';
import { createStageTimes } from '../bench/stages.mjs';
import { main, root } from './lib/run.mjs';
import { setup } from './setup.mjs';

const RESULTS = join(root, 'bench/RESULTS.md');

await main(async (args) => {
  if (args.includes('--help')) return console.log(USAGE);
  const rows = chosen(args);
  await setup({ test: true });
  const { machine, report } = await import('../bench/report.mjs');
  const facts = await machine();
  for (const section of new Set(rows.map((row) => row.section))) {
    const chosenRows = rows.filter((row) => row.section === section);
    const measured = [];
    for (const row of chosenRows) measured.push({ section, ...(await measure(row)) });
    console.log(report(facts, measured));
    if (chosenRows.length === ROWS.filter((row) => row.section === section).length)
      writeFileSync(RESULTS, report(facts, measured, readFileSync(RESULTS, 'utf8')));
  }
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
