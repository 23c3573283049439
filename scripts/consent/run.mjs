/** Does one job with an agent and a person, and counts what the person was asked. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { follow, prepare, settled } from '../apps/run.mjs';
import { openScene } from '../apps/scene.mjs';
import { ordinaryUser } from '../apps/user.mjs';
import { countingPerson } from './person.mjs';

const FORM = join(import.meta.dirname, 'form.py');

/** {job, requests, presses, seconds, failure} */
export async function doJob(job, { widest, asksForTask, ownDesktop }) {
  console.log(job.name);
  const person = countingPerson({ widest });
  const options = ownDesktop ? ['--desktop', 'own'] : [];
  const scene = await openScene(ordinaryUser(), undefined, { policy: 'standard', person: person.start, options });
  const began = performance.now();
  let failure = null;
  try {
    const place = prepare(scene, { index: 0, ...job });
    if (job.form) enter(scene, place);
    const task = typeof job.task === 'function' ? job.task(place.url) : job.task;
    const asked = asksForTask ? [['request_task', task]] : [];
    await follow(scene, [...asked, ...job.steps(place), ...(asksForTask ? [['finish_task', {}]] : [])]);
    await settled(() => job.judge(place));
  } catch (error) {
    failure = error.message;
    console.log(`  ✗ ${failure}`);
  } finally {
    await scene.close();
  }
  const { requests, presses, headings } = person.counts;
  for (const heading of headings) console.log(`  asked: ${heading}`);
  return { job: job.name, requests, presses, seconds: (performance.now() - began) / 1000, failure };
}

/** The form as an installed application. */
function enter({ home, user }, { folder }) {
  const entries = join(home, '.local/share/applications');
  mkdirSync(entries, { recursive: true });
  chmodSync(FORM, 0o755);
  const exec = `/usr/bin/python3 ${FORM} ${join(folder, 'address.txt')}`;
  writeFileSync(
    join(entries, 'dev.chaperone.form.desktop'),
    `[Desktop Entry]\nType=Application\nName=Address form\nExec=${exec}\n`,
  );
  for (const part of ['.local', '.local/share', '.local/share/applications']) user.give(join(home, part));
}
