/** `npm run fresh` as a process, in a copy with planted programs: nothing here needs a mirror or its own mounts. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';

const ROOT = join(import.meta.dirname, '../..');
const makesRoots = process.getuid?.() === 0 && existsSync('/etc/debian_version');

let folder: string;
let bin: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chp-fresh-'));
  bin = join(folder, 'bin');
  mkdirSync(bin);
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function plant(name: string, body: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(bin, name), 0o755);
}

/** A Debian of three files; `unshare` does as it is told, but without mounts and not in the root. */
function plantAll(): void {
  plant(
    'debootstrap',
    `[ "$1" = --version ] || { echo "$*" >> ${folder}/made; for d in etc usr/bin root; do mkdir -p "$4/$d"; done; }`,
  );
  const npm = join(folder, 'npm-as-installed/bin/npm-cli.js');
  mkdirSync(join(npm, '..'), { recursive: true });
  writeFileSync(npm, '#!/bin/sh\necho "userconfig=/none\nglobalconfig=/none\ncafile=null"\n', { mode: 0o755 });
  symlinkSync(npm, join(bin, 'npm'));
  plant('git', `tar -c -C ${folder} scripts`);
  plant(
    'unshare',
    `[ "$4" = true ] && exit 0; while [ "$1" != chroot ]; do shift; done; shift; echo "$1" >> ${folder}/entered; root=$1; shift
while [ "$1" != sh ]; do case "$1" in *=*) echo "$1" >> ${folder}/env;; esac; shift; done; shift 4; cd "$root/root/project"; exec "$@"`,
  );
}

const roots = () => (existsSync(join(folder, 'roots')) ? readdirSync(join(folder, 'roots')) : []);
const lines = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n');
const args = (...command: string[]) => [join(folder, 'scripts/fresh.mjs'), ...command];
const env = (more: object = {}) => ({ PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: folder, ...more });
const fresh = (command: string[], more: object = {}) =>
  spawnSync(process.execPath, args(`--folder=${folder}/roots`, ...command), { encoding: 'utf8', env: env(more) });

describe.runIf(makesRoots)('[req:FR-1] npm run fresh', () => {
  beforeEach(plantAll);

  it('makes its Debian once, and each run has a copy of its own, with HEAD and npm, which is gone afterwards', () => {
    const first = fresh(['sh', '-c', 'pwd; ls; ls ../../usr/bin; exit 3']);
    expect(first).toMatchObject({ status: 3 });
    expect(first.stdout.split('\n')).toEqual(expect.arrayContaining(['scripts', 'node', 'npm', 'npx']));
    expect(fresh(['true'])).toMatchObject({ status: 0, stderr: '' });
    expect(lines('made')).toHaveLength(1);
    expect(new Set(lines('entered')).size).toBe(2);
    expect(roots()).toEqual([`base.${process.arch}`]);
  });

  it('hands the ways to the registries in, and nothing else of the environment', () => {
    const given = {
      https_proxy: 'http://proxy.example:1',
      npm_config_registry: 'https://npm.example',
      npm_config_prefix: '/here',
    };
    fresh(['true'], { ...given, CI: '1', DISPLAY: ':7', SSH_AUTH_SOCK: '/run/agent' });
    expect(
      lines('env')
        .filter((line) => !/^(?:PATH|HOME|TERM)=/.test(line))
        .toSorted(),
    ).toEqual(['CI=1', 'https_proxy=http://proxy.example:1', 'npm_config_registry=https://npm.example']);
    expect(lines('env')).toContain('HOME=/root');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('leaves no root behind when %s ends it', async (signal) => {
    const child = spawn(process.execPath, args(`--folder=${folder}/roots`, 'sh', '-c', 'echo up; exec sleep 600'), {
      env: env(),
    });
    await once(child.stdout, 'data');
    expect(roots()).toHaveLength(2);
    child.kill(signal);
    await once(child, 'close');
    expect(roots()).toEqual([`base.${process.arch}`]);
  });

  it.each([
    ['unshare', 'exit 1', 'does not let a command have its own mounts'],
    ['debootstrap', '[ "$1" = --version ] || { echo "E: no mirror"; exit 1; }', 'E: no mirror'],
    ['git', 'exit 128', 'HEAD could not be copied'],
    ['unshare', '[ "$4" = true ] || exit 125', 'cannot be run in a root of its own'],
  ])('says why there is no root, and runs nothing: %s', (name, body, why) => {
    plant(name, body);
    const refused = fresh(['touch', join(folder, 'ran')]);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain(why);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
    expect(roots().filter((one) => one.startsWith('run-'))).toEqual([]);
  });
});

it('[req:FR-1] runs the command here where no root can be made and that is asked for, and says so', () => {
  plant('unshare', 'exit 1');
  const here = fresh(['--or-here', 'sh', '-c', 'pwd; exit 4']);
  expect(here).toMatchObject({ status: 4, stdout: `${folder}\n` });
  expect(here.stderr).toMatch(/^Not on a new Debian: .* Runs on this machine as it is/);
  expect(fresh(['true'])).toMatchObject({ status: 1, stdout: '' });
});

it('[req:FR-2] continuous integration goes through it, and passes only where every part did', () => {
  mkdirSync(join(folder, '.ci'));
  cpSync(join(ROOT, '.ci/run'), join(folder, '.ci/run'));
  plant(
    'node',
    `echo "node $*" >> ${folder}/calls; case "$*" in *readme.mjs\\ test*) echo "1 passed, 0 failed";; esac`,
  );
  const part = (fails: string) =>
    plant('npm', `echo "npm $*" >> ${folder}/calls; case "$*" in *${fails}*) exit 5;; esac`);
  const run = (...words: string[]) =>
    spawnSync(join(folder, '.ci/run'), words, { encoding: 'utf8', env: env(), cwd: folder });
  part('none');
  expect(run().status).toBe(0);
  expect(lines('calls')).toEqual(['node scripts/fresh.mjs --or-here .ci/run inside']);
  rmSync(join(folder, 'calls'));
  expect(run('inside')).toMatchObject({ status: 0, stdout: '1 passed, 0 failed\n' });
  expect(lines('calls')).toEqual(['node scripts/readme.mjs start', 'npm run clients -- --if-available', 'npm run conformance', 'node scripts/readme.mjs test']); // prettier-ignore
  for (const fails of ['clients', 'conformance']) {
    part(fails);
    expect(run('inside')).toMatchObject({ status: 5, stdout: '1 passed, 0 failed\n' });
  }
});

describe('[req:FR-2] the README’s npm start', () => {
  const page = (title: string) =>
    `const s = require('node:http').createServer((q, a) => a.end('<title>${title}</title>')).listen(0, () => console.log('http://localhost:' + s.address().port));`;
  const start = () =>
    spawnSync(process.execPath, [join(folder, 'scripts/readme.mjs'), 'start'], { encoding: 'utf8', env: env() });
  beforeEach(() => writeFileSync(join(folder, 'README.md'), 'npm start   # starts\nnpm test   # tests\n'));

  it('is good where its page answers, and is ended then', async () => {
    plant('npm', `echo $$ > ${folder}/pid; exec ${process.execPath} -e "${page('Chaperone')}"`);
    expect(start()).toMatchObject({ status: 0 });
    await eventually(() => existsSync(`/proc/${lines('pid')[0]}`)).toBe(false);
  });

  it('fails with another page, with none, and where the README does not have it', () => {
    plant('npm', `exec ${process.execPath} -e "${page('Other')}"`);
    expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining('there is another') });
    plant('npm', 'echo no luck');
    expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining('without a page') });
    writeFileSync(join(folder, 'README.md'), 'npm test   # tests\n');
    expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining('The README has no `npm start`') });
  });
});
