/** A desktop with a fixture application on it, and the scripts that do the same beside Chaperone. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { root, run } from '../scripts/lib/run.mjs';
import { desktopHost } from './processes.mjs';

/** Two frames at 60 Hz: the settling that the design demands. */
const SETTLING_MS = 33;

export async function openScene({ folder, own, stages }) {
  const host = await desktopHost({ folder, own, stages });
  return { ...host, own, folder, fixture: (name, args) => fixture(host, own, join(folder, name), args) };
}

/** A fixture application in its own process, once its window can be read; `journal` is what it wrote down itself. */
export async function fixture({ call, env }, own, journal, args) {
  const script = join(root, 'test/support/apps/gtk-fixture.py');
  const child = spawn('/usr/bin/python3', [script, '--journal', journal, ...args], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const end = () => (child.kill('SIGKILL'), ended);
  own(end);
  for (;;) {
    const { windows } = await call('list_windows');
    const window = windows.find((one) => one.name.startsWith(`applications/${child.pid}/`));
    if (window !== undefined) return { child, end, window, journal: () => readFileSync(journal, 'utf8') };
    await pause(100);
  }
}

export const parentOf = ({ child }) => `applications/${child.pid}`;

/** What of the calls is Chaperone’s own: less the application’s reaction to the same act, and less the settling. By round. */
export const ownTime = (calls, reactions) => calls.map((ms, round) => ms - reactions[round] - SETTLING_MS);

/** A witness: does an act with XTEST, and resolves the milliseconds until the application told of a change; `quiet`: only waits until it tells of none. */
export async function reactionsOf({ child }, env, own) {
  const next = lines('bench/peers/react.py', [String(child.pid)], env, own);
  await next('');
  return async (act) => Number(await next(act));
}

/** Asks a peer script for one line at a time. */
export function lines(script, args, env, own) {
  const program = script.endsWith('.mjs') ? process.execPath : '/usr/bin/python3';
  const child = spawn(program, [join(root, script), ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  own(() => (child.stdin.end(), child.kill(), ended));
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (ask) => {
    if (ask !== '') child.stdin.write(`${ask}\n`);
    const { value, done } = await said.next();
    if (done) throw new Error(`${script} ended`);
    return value;
  };
}

const CUA = '@trycua/cua-driver@0.28.2';

/** Installed beside the build, because only this needs it. Asks cua-driver for one move at a time, and resolves its milliseconds. */
export async function cuaDriver(env, own) {
  const folder = join(root, 'dist/peers');
  if (!existsSync(join(folder, 'node_modules/@trycua/cua-driver')))
    await run('npm', ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', CUA]);
  const ask = lines('bench/peers/cua.mjs', [folder], env, own);
  return async (place) => Number(await ask(place));
}
