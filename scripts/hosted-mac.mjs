/**
 * `node scripts/hosted-mac.mjs STEP`: a step of the workflow on a hosted Mac. `contract` runs the suite of all backends; `self-test` tries the desktop with the permissions of this
 * shell; `app` starts the packaged app and has it do the same with its own; `service` calls the bridge service. Each fails without proof.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSteps } from './mac/steps.mjs';
import { Stop, main, root, run } from './lib/run.mjs';

await main(async ([name = '']) => {
  const { CHECKS } = await import('../dist/native/self-test/index.js');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const steps = createSteps({ run, members: Object.keys(CHECKS), version, folder: root });
  if (!Object.hasOwn(steps, name)) throw new Stop(`Steps: ${Object.keys(steps).join(', ')}.`);
  await steps[name]();
});
