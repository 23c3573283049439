/** `node scripts/states.mjs FOLDER`: pictures of the page in each state in which something waits for the person. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { root } from './lib/run.mjs';

const folder = resolve(process.argv[2] ?? 'states');
const vitest = ['vitest', 'run', 'test/renderer/states.page.test.ts'];
const child = spawn('npx', vitest, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CHAPERONE_PICTURES: folder },
});
child.on('exit', (code) => (process.exitCode = code ?? 1));
