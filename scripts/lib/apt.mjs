import { readFileSync } from 'node:fs';
import { run } from './run.mjs';

const ATTEMPTS = 3;

/** True on Debian, Ubuntu and distributions derived from them. */
export function usesApt(osRelease = readOsRelease()) {
  return /^(ID|ID_LIKE)=.*\b(debian|ubuntu)\b/m.test(osRelease);
}

/** True on Debian itself. */
export function isDebian(osRelease = readOsRelease()) {
  return /^ID="?debian"?$/m.test(osRelease);
}

function readOsRelease() {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}

/** Those of `names` that are not installed. */
export async function missing(names, exec = run) {
  const { output } = await exec('dpkg-query', ['-W', '-f', '${binary:Package} ${db:Status-Status}\n', ...names], {
    capture: true,
  });
  const installed = new Set();
  for (const line of output.split('\n')) {
    const [name, status] = line.split(' ');
    if (status === 'installed') installed.add(name.split(':')[0]);
  }
  return names.filter((name) => !installed.has(name));
}

/** The line a person can run by hand. */
export function installLine(names) {
  return `sudo apt-get update && sudo DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${names.join(' ')}`;
}

/** The command prefix to run as root: [] as root, ['sudo', '-n'] without a password; null where neither works. */
export async function elevation(exec = run, uid = process.getuid?.()) {
  if (uid === 0) return [];
  const { code } = await exec('sudo', ['-n', 'true'], { capture: true });
  return code === 0 ? ['sudo', '-n'] : null;
}

/** Installs the packages; true when all are installed afterwards. The network may fail, so each attempt updates the index first. */
export async function install(names, prefix, exec = run) {
  const apt = (...args) => {
    const [command, ...rest] = [
      ...prefix,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-q',
      '-o',
      'DPkg::Lock::Timeout=300',
      ...args,
    ];
    return exec(command, rest);
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await apt('update');
    const { code } = await apt('install', '-y', '--no-install-recommends', ...names);
    if (code === 0) break;
  }
  return (await missing(names, exec)).length === 0;
}
