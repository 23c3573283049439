/** When a clone builds the addon. Whether it compiles is tested in test/native/xpc. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPTS = join(import.meta.dirname, '../../scripts');
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'chp-addon-'));
  cpSync(SCRIPTS, join(root, 'scripts'), { recursive: true });
  mkdirSync(join(root, 'native-addon'));
  writeFileSync(join(root, 'native-addon/addon.mm'), 'one');
});
afterEach(() => rmSync(root, { recursive: true }));

/** What is said, and whether it was built. */
function ensure({ platform = 'darwin', tools = true, builds = true } = {}): { said: string | null; built: boolean } {
  const program = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import { ensureAddon } from './scripts/addon.mjs';
    let built = false;
    const build = async () => {
      built = true;
      mkdirSync('dist/native-addon/darwin-arm64', { recursive: true });
      if (${builds}) writeFileSync('dist/native-addon/darwin-arm64/desktop_bridge.node', '');
      return ${builds};
    };
    const exec = async () => ({ code: ${tools ? 0 : 2}, output: '' });
    const said = await ensureAddon({ platform: '${platform}', arch: 'arm64', exec, build });
    console.error(JSON.stringify({ said, built }));`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    encoding: 'utf8',
  });
  const answer: { said: string | null; built: boolean } = JSON.parse(stderr);
  return answer;
}

it('[req:MT-START-2] is built once, and again when a source changes', () => {
  expect(ensure()).toEqual({ said: null, built: true });
  expect(ensure()).toEqual({ said: null, built: false });
  writeFileSync(join(root, 'native-addon/addon.mm'), 'another one');
  expect(ensure()).toEqual({ said: null, built: true });
});

it('is tried again after it has failed, which is said', () => {
  expect(ensure({ builds: false })).toEqual({ said: expect.stringContaining('does not build'), built: true });
  expect(ensure()).toEqual({ said: null, built: true });
});

it('is not tried without Apple’s tools, nor elsewhere', () => {
  expect(ensure({ tools: false })).toEqual({ said: expect.stringContaining('xcode-select --install'), built: false });
  expect(ensure({ platform: 'linux' })).toEqual({ said: null, built: false });
});
