/** `chaperone app`, with a program in Electron's place that says how it was started. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runApart } from '../../src/main/cli/app.js';
import { createHome, type Home } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { compileSpawn } from '../support/spawn/standin.js';

const MAIN = join(import.meta.dirname, '../../dist/main/app/main.js');

let home: Home;
beforeEach(() => {
  home = createHome();
});
afterEach(() => {
  vi.unstubAllEnvs();
  return home.close();
});

/** Its name on a machine where its package has fetched nothing. */
const NAME = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';

function plant(body: string): Record<string, string> {
  const folder = join(home.path, 'electron');
  const program = join(folder, NAME);
  mkdirSync(join(program, '..'), { recursive: true });
  writeFileSync(program, `#!/bin/sh\n${body}\n`);
  chmodSync(program, 0o755);
  return { ELECTRON_OVERRIDE_DIST_PATH: folder };
}

describe('[req:DS-10-6] chaperone app', () => {
  test('starts the app’s main file in Electron, as Electron and not as Node, with the options given', async () => {
    const env = plant('printf "%s\\n" "$@"; echo "node=$ELECTRON_RUN_AS_NODE"');
    const args = ['app', '--port', '4711', '--policy', 'strict'];
    const { code, stdout } = await home.run(args, { ...env, ELECTRON_RUN_AS_NODE: '1' });
    expect(stdout.trim().split('\n')).toEqual([MAIN, '--port', '4711', '--policy', 'strict', 'node=']);
    expect(code).toBe(0);
    const http = await home.run(['app', '--http'], env);
    expect(http.stdout.trim().split('\n')).toEqual([MAIN, '--http', 'node=']);
    const port = await home.run(['app', '--http', '0'], env);
    expect(port.stdout.trim().split('\n')).toEqual([MAIN, '--http=0', 'node=']);
  });

  test('[req:MP-8] answers for itself on a Mac, and does not start where the system does not confirm that', async () => {
    const program = join(home.path, 'program');
    const said = join(home.path, 'said');
    writeFileSync(program, `#!/bin/sh\necho "$@ node=$ELECTRON_RUN_AS_NODE" > '${said}'; exit 7\n`, { mode: 0o755 });
    const record = join(home.path, 'record');
    vi.stubEnv('STANDIN_RECORD', record);
    vi.stubEnv('ELECTRON_RUN_AS_NODE', '1');
    const start = () => runApart([program, 'main.js'], { platform: 'darwin', library: compileSpawn() });
    vi.stubEnv('STANDIN_MODE', 'inherits');
    await expect(start()).rejects.toThrow('to this terminal too');
    expect(existsSync(said)).toBe(false);
    vi.stubEnv('STANDIN_MODE', '');
    expect(await start()).toBe(7);
    expect(readFileSync(said, 'utf8')).toBe('main.js node=\n');
    expect(readFileSync(record, 'utf8')).toContain('"disclaimed":1');
  });

  test('passes a signal on and tells how it ended', async () => {
    const env = plant("trap 'echo told; exit 3' TERM; echo ready; while :; do sleep 0.1; done");
    const running = home.start(['app'], env);
    await eventually(() => running.stdout()).toContain('ready');
    running.child.kill('SIGTERM');
    const { stdout, stderr, code } = await running.ended;
    expect(stdout).toContain('told');
    expect(stderr).toContain('The app exited with code 3');
    expect(code).not.toBe(0);
  });

  test('says how to get Electron where it is not, and what does the same without', async () => {
    const { code, stderr } = await home.run(['app'], { ELECTRON_OVERRIDE_DIST_PATH: join(home.path, 'nowhere') });
    expect(code).not.toBe(0);
    expect(stderr).toContain('npx install-electron');
    expect(stderr).toMatch(/`.*dist\/main\/cli\/index\.js host`/);
  });
});
