/** The entry Electron starts: on the stand-in always, on the real program where it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { electronBinary } from '../../src/main/cli/app.js';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { createElectron } from '../support/electron/index.js';
import { createMachine } from '../support/electron/machine.js';
import { eventually } from '../support/eventually.js';
import { launchChromium } from '../support/page-browser.js';

const MAIN = join(import.meta.dirname, '../../dist/main/app/main.js');

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'chaperone-entry-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Its listeners, whatever their names. */
const signals: NodeJS.EventEmitter = process;
const bridge = () => readBridge(hostPaths({ CHAPERONE_HOME: home }));

describe('the entry as it was built', () => {
  test('starts the app in the folder of CHAPERONE_HOME, logs there, and ends on a signal', async () => {
    const browser = await launchChromium();
    const standIn = createElectron(createMachine(browser));
    vi.doMock('electron', () => standIn.electron);
    vi.stubEnv('CHAPERONE_HOME', home);
    vi.stubEnv('CHAPERONE_BACKEND', 'simulated');
    const before = new Map(SIGNALS.map((name) => [name, signals.listeners(name)]));
    const given = process.argv;
    process.argv = [process.execPath, MAIN, '--http=0', '--some-switch-of-chromium'];
    await import(MAIN).finally(() => (process.argv = given));
    await eventually(() => bridge()?.metadata.pid).toBe(process.pid);
    await eventually(() => standIn.window().isVisible()).toBe(true);
    expect(await (await standIn.window().webContents.page()).title()).toContain('Chaperone');
    expect(standIn.window().options.webPreferences?.preload).toBe(join(MAIN, '../preload.cjs'));
    expect(existsSync(standIn.tray().image)).toBe(true);
    // MCP over HTTP, where it was asked for.
    expect(existsSync(join(home, 'state/http-token'))).toBe(true);
    for (const name of SIGNALS) {
      for (const listener of signals.listeners(name).filter((one) => before.get(name)?.includes(one) === false)) {
        if (name === 'SIGTERM') Reflect.apply(listener, process, [name]);
        Reflect.apply(signals.off, signals, [name, listener]);
      }
    }
    expect(await standIn.app.exited).toBe(0);
    expect(existsSync(join(home, 'state/host.log'))).toBe(true);
    vi.unstubAllEnvs();
    await browser.close();
  });
});

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const;

describe('the real Electron', () => {
  const binary = electronBinary();
  if (binary === null) console.log('The program of Electron is not on this machine: nothing was run on it.');

  test.skipIf(binary === null || !process.env['DISPLAY'])('starts the app, and a signal ends it in order', async () => {
    const env = { ...process.env, CHAPERONE_HOME: home, CHAPERONE_BACKEND: 'simulated' };
    const child = spawn(binary ?? '', [MAIN, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])], {
      env,
      stdio: 'ignore',
    });
    await eventually(() => bridge()?.metadata.pid).toBe(child.pid);
    child.kill('SIGTERM');
    expect((await once(child, 'close'))[0]).toBe(0);
    expect([bridge(), readFileSync(join(home, 'state/host.log'), 'utf8')]).toEqual([
      null,
      expect.not.stringContaining('"level":50'),
    ]);
  });
});
