/** `npm start` and `npm run app` in a copy, where setup finds nothing to do and the program only says how it was called. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/main/cli/program.js';
import { inEnglish } from '../../src/messages/index.js';

const scripts = fileURLToPath(new URL('../../scripts', import.meta.url));

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'chp-start-'));
  cpSync(scripts, join(root, 'scripts'), { recursive: true });
  write('package.json', '{"type":"module"}');
  write('scripts/setup.mjs', 'export async function setup() {}');
  write('dist/main/cli/index.js', 'console.log("called", ...process.argv.slice(2));');
  write('bin/xdg-open', '#!/bin/sh\n');
  chmodSync(join(root, 'bin/xdg-open'), 0o755);
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
}

function calls(script: string, args: string[], { electron, display }: { electron: boolean; display: boolean }): string {
  const found = electron ? '"/somewhere/electron"' : 'null';
  write('dist/main/cli/app.js', `export const electronBinary = () => ${found};`);
  const env = { PATH: join(root, 'bin'), ...(display ? { DISPLAY: ':77' } : {}) };
  const ended = spawnSync(process.execPath, [join(root, 'scripts', script), ...args], { env, encoding: 'utf8' });
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  return ended.stdout.trim();
}

describe('[req:AP-A-10] npm start', () => {
  const here = { electron: true, display: true };

  it('prefers the menu bar app where Electron’s program and a screen are', () => {
    expect(calls('start.mjs', ['--backend', 'simulated'], here)).toBe('called app --backend simulated');
  });

  it.runIf(process.platform === 'linux')('runs the host in the terminal where one of them is not', () => {
    for (const lacking of [{ electron: false }, { display: false }])
      expect(calls('start.mjs', [], { ...here, ...lacking })).toBe('called host --start');
  });

  it('runs the host where only that can do what was asked for', () => {
    const flagsOf = (name: string) =>
      createProgram(inEnglish)
        .commands.find((command) => command.name() === name)
        ?.options.flatMap(({ long }) => long ?? []) ?? [];
    const hostOnly = flagsOf('host').filter((flag) => flag !== '--start' && !flagsOf('app').includes(flag));
    expect(hostOnly).toEqual(expect.arrayContaining(['--stdio', '--tcp', '--print-pairing']));
    // The host in a terminal says where MCP over HTTP is, and where its token.
    for (const flag of [...hostOnly, '--http'])
      expect(calls('start.mjs', [flag], here)).toBe(`called host --start ${flag}`);
  });
});

/** As on a Mac, where the installer of Electron may fail. */
function onMac(args: string[], { installs }: { installs: boolean }) {
  write(
    'dist/main/cli/app.js',
    `import { existsSync } from 'node:fs';\nexport const electronBinary = () => (existsSync(${JSON.stringify(join(root, 'fetched'))}) ? '/e' : null);`,
  );
  write(
    'node_modules/electron/install.js',
    installs ? `require('node:fs').writeFileSync(${JSON.stringify(join(root, 'fetched'))}, '');` : 'process.exit(1);',
  );
  write('node_modules/electron/package.json', '{}');
  const platform = `data:text/javascript,${encodeURIComponent('Object.defineProperty(process,"platform",{value:"darwin"})')}`;
  const env = { PATH: join(root, 'bin'), NODE_OPTIONS: `--import=${platform}` };
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/start.mjs'), ...args], {
    env,
    encoding: 'utf8',
  });
  return { called: stdout.trim(), told: stderr };
}

describe('[req:MT-START-1] npm start on a Mac', () => {
  it('fetches Electron and starts the app', () => {
    expect(onMac([], { installs: true })).toEqual({
      called: 'called app',
      told: 'fetching Electron for the menu bar app …\n',
    });
  });

  it('starts the host on plain Node where Electron cannot be had; the host says what that means', () => {
    expect(onMac([], { installs: false }).called).toBe('called host --start');
    expect(onMac(['--backend', 'macos'], { installs: false }).called).toBe('called host --start --backend macos');
  });
});

it('[req:AP-A-10] npm run app starts it, and passes on what was asked for', () => {
  expect(calls('app.mjs', ['--port', '7'], { electron: false, display: false })).toBe('called app --port 7');
});
