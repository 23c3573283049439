import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Stop, root, run } from '../lib/run.mjs';

const ENTRY = join(root, 'dist/main/cli/index.js');

/** A host on a private virtual desktop, with a home and a workspace of its own below `folder`. */
export async function startHost(folder, own) {
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')];
  mkdirSync(workspace, { recursive: true });
  const env = { ...process.env, CHAPERONE_HOME: home };
  delete env.CHAPERONE_BACKEND;
  delete env.PORT;
  const args = ['host', '--backend', 'linux', '--display', 'virtual', '--workspace-root', workspace, '--print-pairing'];
  const child = spawn(process.execPath, [ENTRY, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  own(() => (child.kill('SIGTERM'), ended));
  const host = { entry: ENTRY, env, workspace };
  const pairingLink = await Promise.race([linkFrom(child.stdout), ended.then(() => null)]);
  if (pairingLink === null) throw new Stop('The host did not start; the lines above say why.');
  // In the terminal of the host: nobody else is told how to reach the desktop.
  const { output } = await chaperone(host, ['status', '--json']);
  const desktopEnv = JSON.parse(output).desktop.env;
  if (desktopEnv === null) throw new Stop('The demo needs a terminal: run `npm run demo` in one.');
  return { ...host, pairingLink, desktopEnv };
}

/** One command of the command line against this host. */
export function chaperone({ entry, env }, args) {
  return run(process.execPath, [entry, ...args], { env, capture: true });
}

function linkFrom(stdout) {
  const lines = createInterface({ input: stdout });
  return new Promise((resolve) => lines.on('line', (line) => line.includes('/#pair=') && resolve(line.trim())));
}
