/** The scripts as processes, in a copy with planted programs: nothing here reaches npm, apt or the network. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const scripts = fileURLToPath(new URL('../../scripts', import.meta.url));
const isDebian = existsSync('/etc/debian_version');

let root: string;
let bin: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'chp-scripts-'));
  bin = join(root, 'bin');
  mkdirSync(bin);
  cpSync(scripts, join(root, 'scripts'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

/** A program that writes down how it was called, then runs `body`. */
function plant(name: string, body = ''): void {
  const file = join(bin, name);
  writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> "${root}/calls"\n${body}\n`);
  chmodSync(file, 0o755);
}

const calls = () =>
  existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [];

/** Evaluates a module of the copy with `api` bound to its exports; prints JSON. */
function evaluate(module: string, expression: string): { value: unknown; output: string } {
  const code = `const api = await import('./scripts/${module}'); const value = await (${expression}); console.log('\\n=' + JSON.stringify(value ?? null));`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: `${bin}:/usr/bin:/bin` },
  });
  const line = ended.stdout.split('\n').find((one) => one.startsWith('='));
  return { value: line === undefined ? undefined : JSON.parse(line.slice(1)), output: ended.stdout + ended.stderr };
}

describe('system packages', () => {
  it('are asked for by state, so that a removed package counts as missing', () => {
    plant('dpkg-query', 'echo "xvfb installed"; echo "openbox config-files"; echo "at-spi2-core:amd64 installed"');
    expect(evaluate('lib/apt.mjs', `api.missing(['xvfb', 'openbox', 'at-spi2-core', 'kcalc'])`).value).toEqual([
      'openbox',
      'kcalc',
    ]);
  });

  it('are tried again with a fresh index when the network fails, and only what is there afterwards counts', () => {
    plant('dpkg-query', `[ -e "${root}/done" ] && echo "xvfb installed"`);
    plant(
      'apt-get',
      `case "$*" in *install*) [ -e "${root}/once" ] && touch "${root}/done" || { touch "${root}/once"; exit 100; };; esac`,
    );
    expect(evaluate('lib/apt.mjs', `api.install(['xvfb'], [])`).value).toBe(true);
    const apt = calls().filter((call) => call.startsWith('apt-get'));
    expect(apt.map((call) => /update|install/.exec(call.replace(/^apt-get/, ''))?.[0])).toEqual([
      'update',
      'install',
      'update',
      'install',
    ]);
    expect(apt.at(-1)).toContain('--no-install-recommends xvfb');
  });

  it('are not installed where this user may not, and that is found without asking for a password', () => {
    plant('sudo', 'exit 1');
    expect(evaluate('lib/apt.mjs', 'api.elevation(undefined, 1000)').value).toBeNull();
    expect(calls()).toEqual(['sudo -n true']);
    expect(evaluate('lib/apt.mjs', 'api.elevation(undefined, 0)').value).toEqual([]);
  });

  it('are for Debian and what derives from it only, and some for Debian itself', () => {
    for (const [text, uses, debian] of [
      ['ID=debian', true, true],
      ['NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"', true, false],
      ['ID=fedora\nNAME="not debian"', false, false],
      ['', false, false],
    ] as const) {
      const given = JSON.stringify(text);
      const { value } = evaluate('lib/apt.mjs', `[api.usesApt(${given}), api.isDebian(${given})]`);
      expect(value).toEqual([uses, debian]);
    }
  });
});

describe('node modules', () => {
  const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages });
  const matches = (wanted: object, present: object | null): unknown => {
    writeFileSync(join(root, 'package-lock.json'), lock({ '': {}, ...wanted }));
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    const hidden = join(root, 'node_modules', '.package-lock.json');
    rmSync(hidden, { force: true });
    if (present !== null) writeFileSync(hidden, lock(present));
    return evaluate('lib/modules.mjs', `api.modulesMatch(process.cwd())`).value;
  };
  const a = { 'node_modules/a': { version: '1.0.0', integrity: 'x' } };
  const optional = { 'node_modules/b': { version: '1.0.0', integrity: 'y', optional: true } };

  it('match only in every version, with nothing missing and nothing left over', () => {
    expect(matches(a, a)).toBe(true);
    expect(matches({ ...a, ...optional }, a)).toBe(true);
    expect(matches(a, null)).toBe(false);
    expect(matches(a, {})).toBe(false);
    expect(matches(a, { 'node_modules/a': { version: '1.0.1', integrity: 'x' } })).toBe(false);
    expect(matches(a, { 'node_modules/a': { version: '1.0.0', integrity: 'z' } })).toBe(false);
    expect(matches(a, { ...a, 'node_modules/c': { version: '1.0.0' } })).toBe(false);
  });
});

it('[req:DS-11-1] modules are installed as locked, and no script of theirs runs', () => {
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{"node_modules/a":{"version":"1.0.0"}}}');
  plant('npm', 'exit 1');
  expect(evaluate('setup.mjs', 'api.setup()').output).toContain('`npm ci` failed');
  expect(calls()).toEqual([expect.stringMatching(/^npm ci --ignore-scripts /)]);
});

describe('the build', () => {
  it('is stale when a source changes, comes or goes', () => {
    mkdirSync(join(root, 'src'));
    const file = join(root, 'src', 'a.ts');
    writeFileSync(file, '1');
    utimesSync(file, 1, 1);
    const stamp = () => evaluate('lib/sources.mjs', `api.stampOf(process.cwd(), ['src', 'none'])`).value;
    const first = stamp();
    expect(stamp()).toBe(first);
    utimesSync(file, 2, 2);
    const touched = stamp();
    writeFileSync(join(root, 'src', 'b.ts'), '');
    const added = stamp();
    rmSync(file);
    expect(new Set([first, touched, added, stamp()]).size).toBe(4);
  });
});

describe('the verdict of npm test', () => {
  const verdict = (report: object, code: number): unknown =>
    evaluate(
      'lib/results.mjs',
      `(() => { const counts = api.count(${JSON.stringify(report)}); return [counts.passed, counts.failed, api.verdict(counts, ${code})]; })()`,
    ).value;
  const file = (status: string, ...tests: string[]) => ({
    status,
    assertionResults: tests.map((one) => ({ status: one })),
  });

  it('is good only when something passed and nothing failed', () => {
    expect(verdict({ testResults: [file('passed', 'passed', 'passed', 'skipped')] }, 0)).toEqual([2, 0, 0]);
    expect(verdict({ testResults: [file('failed', 'passed', 'failed')] }, 1)).toEqual([1, 1, 1]);
    expect(verdict({ testResults: [file('failed'), file('passed', 'passed')] }, 1)).toEqual([1, 1, 1]);
    expect(verdict({ testResults: [] }, 0)).toEqual([0, 0, 1]);
    expect(verdict({}, 0)).toEqual([0, 0, 1]);
    expect(verdict({ testResults: [file('passed', 'passed')] }, 1)).toEqual([1, 0, 1]);
  });
});

describe.runIf(isDebian)('setup', () => {
  it('is quiet where nothing is to be done, and prints the exact line where it may not install', () => {
    writeFileSync(join(root, 'package-lock.json'), '{"packages":{"":{}}}');
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{"packages":{}}');
    writeFileSync(join(root, 'scripts', 'build.mjs'), 'export async function build() {}');
    plant('npm');
    plant(
      'dpkg-query',
      'for name in xvfb openbox at-spi2-core dbus-daemon fonts-dejavu-core; do echo "$name installed"; done',
    );
    expect(evaluate('setup.mjs', 'api.setup()').output.trim()).toBe('=null');
    expect(calls().some((call) => call.startsWith('npm'))).toBe(false);

    plant('dpkg-query', 'echo "xvfb installed"');
    plant('sudo', 'exit 1');
    plant('apt-get', 'exit 100');
    const { output } = evaluate('setup.mjs', 'api.setup()');
    expect(output).toContain(
      'sudo apt-get update && sudo DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends openbox at-spi2-core dbus-daemon fonts-dejavu-core',
    );
  });
});
