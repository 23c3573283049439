/**
 * `npm run bench [-- --row NAME]`: measures Chaperone beside a peer or a floor in one run, and renews each section of bench/RESULTS.md
 * whose rows were all run. A row that fails says why in its place, and the others go on.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROWS, USAGE, chosen } from '../bench/rows.mjs';
import { createStageTimes } from '../bench/stages.mjs';
import { main, root } from './lib/run.mjs';
import { setup } from './setup.mjs';

/** So that one that waits for what never comes ends by itself. */
const ROW_MS = 8 * 60_000;
const RESULTS = join(root, 'bench/RESULTS.md');

await main(async (args) => {
  if (args.includes('--help')) return console.log(USAGE);
  const rows = chosen(args);
  await setup({ test: true });
  const { machine, report } = await import('../bench/report.mjs');
  const facts = await machine();
  const run = openRun();
  let failed = 0;
  try {
    for (const section of new Set(rows.map((row) => row.section))) {
      const chosenRows = rows.filter((row) => row.section === section);
      const found = [];
      for (const row of chosenRows) found.push({ section, ...(await measured(row, run)) });
      failed += found.filter(({ failure }) => failure !== undefined).length;
      console.log(report(facts, found));
      if (chosenRows.length === ROWS.filter((row) => row.section === section).length)
        writeFileSync(RESULTS, report(facts, found, readFileSync(RESULTS, 'utf8')));
    }
  } finally {
    run.close();
  }
  // What a failed row still waits for must not keep the others' figures waiting.
  process.exit(failed > 0 ? 1 : 0);
});

/** What the rows of one run share: made when the first of them needs it. */
function openRun() {
  const folder = mkdtempSync(join(tmpdir(), 'chp-bench-'));
  const made = new Map();
  return {
    once(name, make) {
      if (!made.has(name)) made.set(name, make(folder));
      return made.get(name);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function measured(row, run) {
  try {
    return await measure(row, run);
  } catch (error) {
    console.error(error);
    return { lines: [], stages: [], failure: { row: row.name, why: error.message } };
  }
}

async function measure({ name, measure: lines }, { once }) {
  console.error(`measuring ${name} …`);
  const folder = mkdtempSync(join(tmpdir(), 'chp-bench-'));
  const closers = [() => rmSync(folder, { recursive: true, force: true })];
  const limit = new AbortController();
  try {
    const stages = createStageTimes();
    const work = lines({ folder, stages, once, own: (close) => void closers.unshift(close) });
    const late = delay(ROW_MS, undefined, { signal: limit.signal }).then(() => {
      throw new Error(`it took longer than ${ROW_MS / 60_000} minutes`);
    });
    return { lines: await Promise.race([work, late]), stages: stages.lines() };
  } finally {
    limit.abort();
    for (const close of closers) await close();
  }
}
