/**
 * `npm run fresh [-- COMMAND …]`: runs the README's commands (scripts/readme.mjs), or the one given, in a copy of HEAD on a new Debian: a
 * minimal root with node and npm, and nothing else of this machine but its kernel, its network and its way to the registries. Needs Debian,
 * root and debootstrap (which it installs). `--or-here` before the command: where that cannot be had, says why and runs it here. The root
 * of each run is removed, also when a signal ends it; `--folder=PATH` says where roots are (/var/cache/chaperone-fresh).
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { install, isDebian } from './lib/apt.mjs';
import { Stop, main, root as repository, run } from './lib/run.mjs';

const README = ['node', 'scripts/readme.mjs'];
const PROJECT = '/root/project';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Of the environment: the ways to the registries, and what changes a run. Not npm's own settings of folders, which are of this machine. */
const KEPT = /^(?:https?_proxy|no_proxy|CI|CHAPERONE_SEED|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|npm_config_.+)$/i;
const NOT_KEPT = /^npm_config_(?:.*prefix|.*config|cache|cafile|init_module|node_gyp|nodedir|npm_version|user_agent)$/i;

/** The process that everything in the root comes from. It takes leave of what ends, as the first process of a system must. */
const FIRST = `root=$1; shift
mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" && mount -t sysfs sys "$root/sys" &&
mount -t tmpfs tmpfs "$root/dev/shm" || exit 125
"$@"; exit $?`;

/** The arguments of unshare, for a command in the root. */
function entering(root, command, env) {
  const variables = Object.entries({ PATH, HOME: '/root', TERM: 'dumb', ...env }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const inside = [
    'chroot',
    root,
    'env',
    '-i',
    ...variables,
    'sh',
    '-c',
    `cd ${PROJECT} && exec "$@"`,
    'sh',
    ...command,
  ];
  return ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', FIRST, 'sh', root, ...inside];
}

/** What the root gets of this machine's environment. */
function keptEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name) && !NOT_KEPT.test(name)));
}

async function must(why, command, args, options) {
  const { code, output } = await run(command, args, { capture: true, ...options });
  if (code === 0) return output;
  throw new Stop(`${why}: \`${command}\` failed${output.trim() === '' ? '' : `:\n${output.trim().slice(-600)}`}`);
}

/** Throws a Stop that says what is missing. */
async function checkMachine() {
  if (!isDebian()) throw new Stop('A new Debian can be made on Debian only');
  if (process.getuid?.() !== 0) throw new Stop('A new Debian can be made by root only');
  await must('This machine does not let a command have its own mounts', 'unshare', [
    '--mount',
    '--pid',
    '--fork',
    'true',
  ]);
  const { code } = await run('debootstrap', ['--version'], { capture: true });
  if (code !== 0 && !(await install(['debootstrap'], []))) throw new Stop('debootstrap cannot be installed');
}

const APT = '/etc/apt';

/** Files that name Debian's packages and where they come from. */
function packageSources() {
  const folder = `${APT}/sources.list.d`;
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(?:list|sources)$/.test(name)) : [];
  const files = [`${APT}/sources.list`, ...names.map((name) => join(folder, name))].filter((file) => existsSync(file));
  return files.filter((file) => mirrorsIn(file).length > 0);
}

const mirrorsIn = (file) =>
  readFileSync(file, 'utf8').split('\n').filter((line) => !line.trimStart().startsWith('#')).flatMap((line) => line.match(/https?:\/\/\S+\/debian\/?(?=\s|$)/g) ?? []); // prettier-ignore

/** Makes the root that every run copies; takes about a minute, once. */
async function makeBase(folder, base) {
  console.error('making a minimal Debian, once …');
  const suite = /^VERSION_CODENAME=(\S+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  if (suite === undefined) throw new Stop('This Debian does not say which release it is');
  const mirror = packageSources().flatMap(mirrorsIn)[0];
  const made = mkdtempSync(join(folder, 'base-'));
  try {
    const args = [
      '--variant=minbase',
      '--include=ca-certificates',
      suite,
      made,
      ...(mirror === undefined ? [] : [mirror]),
    ];
    await must('A minimal Debian could not be made', 'debootstrap', args);
    chmodSync(made, 0o755);
    renameSync(made, base);
  } finally {
    removeRoot(made);
  }
}

/** To the same place in the root. */
function copyIn(root, paths) {
  for (const path of paths.filter((one) => one !== undefined && one !== '' && existsSync(one))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(path, join(root, path), { recursive: true, dereference: true });
  }
}

/** npm's own files of settings, and the certificates that it was told to trust. */
async function npmFiles() {
  const told = await must('npm is needed', 'npm', ['config', 'get', 'userconfig', 'globalconfig', 'cafile'], {
    cwd: '/',
  });
  return Object.fromEntries([...told.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

/** Node, npm and the ways to the registries as they are here, and HEAD. */
async function furnish(root) {
  const npm = dirname(dirname(realpathSync((await must('npm is needed', 'sh', ['-c', 'command -v npm'])).trim())));
  const modules = join(root, 'usr/lib/node_modules');
  mkdirSync(modules, { recursive: true });
  cpSync(realpathSync(process.execPath), join(root, 'usr/bin/node'));
  cpSync(npm, join(modules, 'npm'), { recursive: true, verbatimSymlinks: true });
  for (const name of ['npm', 'npx'])
    await must('npm is needed', 'ln', [
      '-sf',
      `../lib/node_modules/npm/bin/${name}-cli.js`,
      join(root, 'usr/bin', name),
    ]);
  // debootstrap's own would name the same again.
  if (packageSources().length > 0) rmSync(join(root, APT, 'sources.list'), { force: true });
  copyIn(root, [...packageSources(), `${APT}/apt.conf.d`, `${APT}/keyrings`, '/etc/resolv.conf', '/etc/hosts']);
  copyIn(root, ['/usr/local/share/ca-certificates', '/etc/ssl/certs/ca-certificates.crt']);
  const { cafile, userconfig, globalconfig } = await npmFiles();
  copyIn(root, [process.env['NODE_EXTRA_CA_CERTS'], process.env['SSL_CERT_FILE'], cafile]);
  mkdirSync(join(root, 'usr/etc'), { recursive: true });
  if (existsSync(userconfig)) cpSync(userconfig, join(root, 'root/.npmrc'));
  if (existsSync(globalconfig)) cpSync(globalconfig, join(root, 'usr/etc/npmrc'));
  mkdirSync(join(root, PROJECT), { recursive: true });
  // Of a folder that somebody else owns too, as in a checkout made for a container.
  const copy = `git -c safe.directory='*' -C "$1" archive HEAD | tar -x -C "$2"`;
  await must('HEAD could not be copied', 'bash', [
    '-o',
    'pipefail',
    '-c',
    copy,
    'bash',
    repository,
    join(root, PROJECT),
  ]);
}

/** What is mounted in it is so for its own processes only; should it not be, nothing of that is touched. */
function removeRoot(root) {
  spawnSync('rm', ['-rf', '--one-file-system', root]);
}

let current = null;
let running = null;

/** A root with everything, in which a command has been run. */
async function makeRoot(folder) {
  await checkMachine();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const base = join(folder, `base.${process.arch}`);
  if (!existsSync(base)) await makeBase(folder, base);
  current = mkdtempSync(join(folder, 'run-'));
  await must('The root could not be copied', 'cp', ['-a', `${base}/.`, current]);
  await furnish(current);
  await must('A command cannot be run in a root of its own', 'unshare', entering(current, ['npm', '--version'], {}));
  return current;
}

/** Resolves with the command's exit code. */
function runIn(root, command) {
  const [program, args] =
    root === null ? [command[0], command.slice(1)] : ['unshare', entering(root, command, keptEnvironment())];
  running = spawn(program, args, { cwd: repository, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => {
    running.on('error', () => resolve(127));
    running.on('close', (code) => resolve(code ?? 1));
  });
}

/** Ends the first process of the root, where there is one: unshare ends once everything in the root has. */
function endRunning(signal) {
  if (current === null) return running.kill(signal);
  const first = readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, 'utf8').trim();
  if (first === '') return running.kill('SIGKILL');
  return process.kill(Number(first), 'SIGKILL');
}

function endAtSignals() {
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 }))
    process.on(signal, async () => {
      if (running !== null && running.exitCode === null && running.signalCode === null) {
        const ended = new Promise((resolve) => running.on('close', resolve));
        endRunning(signal);
        await ended;
      }
      if (current !== null) removeRoot(current);
      process.exit(128 + number);
    });
}

/** The options before the command, and the command. */
function parse(args) {
  const given = { orHere: false, folder: '/var/cache/chaperone-fresh' };
  const rest = [...args];
  for (; rest[0]?.startsWith('--'); rest.shift()) {
    if (rest[0] === '--or-here') given.orHere = true;
    else if (rest[0].startsWith('--folder=')) given.folder = rest[0].slice('--folder='.length);
    else throw new Stop(`There is no option ${rest[0]}.`);
  }
  return { ...given, command: rest.length > 0 ? rest : README };
}

await main(async (args) => {
  const { orHere, folder, command } = parse(args);
  endAtSignals();
  try {
    const made = await makeRoot(folder).catch((error) => {
      if (!(error instanceof Stop)) throw error;
      if (!orHere) throw new Stop(`${error.message}.`);
      console.error(
        `Not on a new Debian: ${error.message}. Runs on this machine as it is; what it has can hide a missing step.`,
      );
      return null;
    });
    return await runIn(made, command);
  } finally {
    if (current !== null) removeRoot(current);
  }
});
