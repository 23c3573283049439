/**
 * `npm run consent [-- JOB …] [-- --once] [-- --task] [-- --own]`: ordinary jobs through MCP tools under the policy `standard`, with a
 * person at the real page. Prints how often the person is asked, how often they press, and how long it takes. The person presses
 * the grant that a request offers; `--once`: allows each request once. `--task`: the agent asks for a task first;
 * `--own`: on a desktop of its own.
 */
import { installPackages, setup } from './setup.mjs';
import { JOBS } from './consent/jobs.mjs';
import { Stop, main } from './lib/run.mjs';

await main(async (args) => {
  const given = new Set(args.filter((one) => one.startsWith('--')));
  const names = args.filter((one) => !given.has(one));
  const unknown = names.filter((one) => JOBS[one] === undefined);
  if (unknown.length > 0)
    throw new Stop(`There is no job ${unknown.join(', ')}. There are: ${Object.keys(JOBS).join(', ')}.`);
  const jobs = (names.length > 0 ? names : Object.keys(JOBS)).map((name) => JOBS[name]);
  await setup({ test: true });
  const absent = await installPackages([...new Set(jobs.flatMap(({ packages }) => packages))]);
  if (absent.length > 0) throw new Stop('Then run this again.');
  const { doJob } = await import('./consent/run.mjs');
  const manner = { widest: !given.has('--once'), asksForTask: given.has('--task'), ownDesktop: given.has('--own') };
  const results = [];
  for (const job of jobs) results.push(await doJob(job, manner));
  console.log('\n| job | requests | presses | seconds |\n| --- | --- | --- | --- |');
  for (const { job, requests, presses, seconds } of results)
    console.log(`| ${job} | ${requests} | ${presses} | ${seconds.toFixed(1)} |`);
  return results.every(({ failure }) => failure === null) ? 0 : 1;
});
