import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stop } from '../lib/run.mjs';
import { until } from './until.mjs';

/** Debian's Python, which has the GTK binding of Debian's packages. */
const PYTHON = '/usr/bin/python3';

/** A GTK application that logs what happens to it, so that the demo can check. `env`: of the desktop it appears on. */
export async function startApplication(folder, env, own) {
  const log = join(folder, 'application.log');
  const script = fileURLToPath(new URL('./application.py', import.meta.url));
  const child = spawn(PYTHON, [script, log], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let failed = false;
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', () => resolve((failed = true))));
  void ended.then(() => (failed = true));
  own(() => (child.kill(), ended));
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []);
  const happened = (what) => lines().filter((line) => line === what).length;
  await until(() => happened('shown') === 1 || failed, 'the application shows its window');
  if (failed) throw new Stop('The demo application did not start; the lines above say why.');
  return {
    pid: child.pid,
    greetings: () => happened('greeted'),
    greeted: () => until(() => happened('greeted') > 0, 'the application is pressed'),
  };
}
