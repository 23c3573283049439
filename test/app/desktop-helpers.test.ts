/** The macOS backend in the app: its helpers are utility processes, on stand-ins of Electron and of the system's libraries. */
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHelperStart } from '../../src/main/app/desktop-helpers.js';
import type { TreeLimits } from '../../src/native/desktop.js';
import { openHelperClient, type HelperClient } from '../../src/native/macos/helper/client.js';
import { openMacos } from '../../src/native/macos/open.js';
import { openDesktop, type HelperProcess, type StartHelper } from '../../src/native/open.js';
import { appTests } from '../support/app-tests.js';
import { AppStandIn } from '../support/electron/app.js';
import { createMachine } from '../support/electron/machine.js';
import { createUtilityProcesses, type UtilityProcessStandIn } from '../support/electron/utility-process.js';
import { eventually } from '../support/eventually.js';
import { rejectionOf } from '../support/macos/errors.js';
import { compileStandin, standinPaths } from '../support/macos/standin.js';

const ENTRY = join(import.meta.dirname, '../support/macos/helper-process.mjs');
const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 5000, timeoutMs: 20_000 };
const libraries = standinPaths(compileStandin());
const { signal } = new AbortController();
const { start } = appTests();

let client: HelperClient | null = null;
afterEach(() => client?.close());

/** Utility processes that are remembered. */
function processes() {
  const forked: UtilityProcessStandIn[] = [];
  const real = createUtilityProcesses(new AppStandIn(createMachine(null)));
  const fork: typeof real.fork = (...given) => {
    const child = real.fork(...given);
    forked.push(child);
    return child;
  };
  const startHelper: StartHelper = createHelperStart({ fork } as never);
  return { forked, fork, startHelper };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('[req:MT-HELPERS-1] a helper in the app', () => {
  it('that hangs in a call of the system is ended, and the next call is answered by another process', async () => {
    const { forked, startHelper } = processes();
    const startOne = (): HelperProcess => {
      const helper = startHelper(ENTRY);
      if (forked.length === 1) helper.post({ type: 'script', block: 5_000_502 } as never);
      return helper;
    };
    client = openHelperClient({ start: startOne, libraries });
    expect((await client.call('tree', [{ pid: 5_000_501 }, LIMITS], 30_000, signal)).nodes).toHaveLength(5);
    const first = forked[0]?.pid ?? 0;
    expect(first).toBeGreaterThan(0);
    const hanging = await rejectionOf(client.call('tree', [{ pid: 5_000_502 }, LIMITS], 400, signal));
    expect(hanging).toMatchObject({ code: 'not_responding' });
    expect((await client.call('tree', [{ pid: 5_000_502 }, LIMITS], 30_000, signal)).nodes).toHaveLength(5);
    await eventually(() => isAlive(first)).toBe(false);
    expect(forked[1]?.pid).not.toBe(first);
  });

  it('that is ended before it runs, ends; and so does one that cannot run, with its code', async () => {
    const { forked, startHelper } = processes();
    const early = startHelper(ENTRY);
    const told = new Promise((resolve) => early.onEnd(resolve));
    expect(forked[0]?.pid).toBeUndefined();
    early.kill();
    expect(await told).toBe('code 9');
    const missing = startHelper('/nowhere/helper.mjs');
    expect(await new Promise((resolve) => missing.onEnd(resolve))).toBe('code 1');
    missing.kill();
  });
});

it('[req:MT-START-1] the app on a Mac opens the real desktop, and its helpers end with it', async () => {
  const { forked, fork } = processes();
  const refuse = () => Promise.reject(new Error('not on a Mac'));
  const app = await start({
    platform: 'darwin',
    before: ({ electron }) => void Object.assign(electron, { utilityProcess: { fork } }),
    host: {
      backend: 'auto',
      openDesktop: (options) =>
        openDesktop({
          ...options,
          platform: 'darwin',
          backends: {
            macos: async (given) =>
              openMacos({ libraries, ...(given === undefined ? {} : { start: () => given(ENTRY) }) }),
            linux: refuse,
            session: refuse,
            simulated: refuse,
          },
        }),
    },
  });
  const { menubar, notes } = app.running.host;
  await eventually(() => menubar.health()?.permissions).toEqual({
    accessibility: 'granted',
    screenRecording: 'granted',
  });
  expect(menubar.health()).toMatchObject({ system: 'macos', backend: 'macos', issues: [] });
  expect(notes).toEqual([]);
  expect(forked.length).toBeGreaterThanOrEqual(5);
  app.app.quit();
  await app.app.exited;
  await eventually(() => forked.filter(({ pid }) => pid !== undefined)).toEqual([]);
});
