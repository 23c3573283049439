/**
 * `npm run apps [-- APPLICATION …]`: installs real applications from Debian, does ordinary tasks in each through MCP tools, as an ordinary
 * user on a private desktop, and judges them by the files and windows that the applications leave. Prints calls and tokens
 * of each task, and keeps them in bench/APPS.md.
 * Fails where a task fails, an application does not come to rest, or a process stays behind.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPLICATIONS } from './apps/index.mjs';
import { chosen, record, table } from './apps/report.mjs';
import { Stop, main } from './lib/run.mjs';
import { installPackages, setup } from './setup.mjs';

const RECORD = join(import.meta.dirname, '../bench/APPS.md');

await main(async (args) => {
  const names = chosen(args, Object.keys(APPLICATIONS));
  await setup({ test: true });
  const absent = await installPackages([...new Set(names.flatMap((name) => APPLICATIONS[name].packages))]);
  if (absent.length > 0) throw new Stop('Then run this again.');
  const { runTasks } = await import('./apps/run.mjs');
  const results = [];
  for (const name of names) results.push(...(await runTasks(name, APPLICATIONS[name])));
  console.log(`\n${table(results)}`);
  writeFileSync(RECORD, record(existsSync(RECORD) ? readFileSync(RECORD, 'utf8') : '', results, APPLICATIONS));
  return results.every(({ failure }) => failure === null) ? 0 : 1;
});
