/** Sets up a fresh clone: modules, system packages, build. Silent when there is nothing to do. `--test` adds what tests and demo need. */
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureAddon } from './addon.mjs';
import { elevation, install, installLine, isDebian, missing, usesApt } from './lib/apt.mjs';
import { modulesMatch } from './lib/modules.mjs';
import { PACKAGES } from './lib/packages.mjs';
import { Stop, main, root, run } from './lib/run.mjs';

const NODE = [20, 19];
const PERMISSIONS = { name: 'node-mac-permissions', version: '2.5.0' };

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > NODE[0] || (major === NODE[0] && minor >= NODE[1])) return;
  throw new Stop(
    `Chaperone needs Node ${NODE.join('.')} or newer; this is ${process.version}. Install a newer Node, then run this again.`,
  );
}

/** No dependency needs an install script, so none may run. */
async function installModules() {
  if (modulesMatch(root)) return;
  console.log('installing node modules …');
  const { code } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0) throw new Stop('`npm ci` failed; the lines above say why.');
}

/** Resolves with the names that are still missing, after printing the command that installs them. */
export async function installPackages(names) {
  if (!usesApt()) return [];
  const absent = await missing(names);
  if (absent.length === 0) return [];
  const prefix = await elevation();
  if (prefix !== null) {
    console.log(`installing system packages: ${absent.join(' ')} …`);
    if (await install(absent, prefix)) return [];
  }
  console.error(`These system packages are missing; install them with:\n  ${installLine(absent)}`);
  return absent;
}

/** Asks for and reads permissions in the app: optional, beside the built program, and the one package whose install script runs. */
async function installPermissions() {
  const folder = join(root, `dist/native-addon/darwin-${process.arch}`);
  const file = join(folder, 'permissions.node');
  if (existsSync(file)) return;
  const options = ['--prefix', join(root, 'dist'), '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  await run('npm', ['install', '--ignore-scripts', ...options, `${PERMISSIONS.name}@${PERMISSIONS.version}`], {
    capture: true,
  });
  await run('npm', ['rebuild', ...options.slice(0, 2), PERMISSIONS.name], { capture: true });
  const built = join(root, `dist/node_modules/${PERMISSIONS.name}/build/Release/permissions.node`);
  if (!existsSync(built)) return;
  mkdirSync(folder, { recursive: true });
  cpSync(built, file);
}

/** `test`: also what tests and demo need. `optional`: continue where system packages cannot be installed. */
export async function setup({ test = false, optional = false } = {}) {
  checkNode();
  await installModules();
  const names = test ? [...PACKAGES.desktop, ...PACKAGES.test] : PACKAGES.desktop;
  const absent = await installPackages(names);
  if (absent.length > 0 && !optional) throw new Stop('Then run this again.');
  // The tests run without them, only slower, or without a few.
  if (test) await installPackages(PACKAGES.optional);
  if (test && !existsSync('/run/systemd/system')) await installPackages(PACKAGES.ssh);
  if (test && isDebian()) await installPackages(PACKAGES.debian);
  const { build } = await import('./build.mjs');
  await build();
  if (process.platform === 'darwin') await installPermissions();
  const lacking = await ensureAddon();
  if (lacking !== null) console.error(lacking);
}

if (import.meta.filename === process.argv[1]) await main((args) => setup({ test: args.includes('--test') }));
