/** The whole app on the stand-in: the real host on a simulated desktop the test holds, a real page in a real Chromium. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import pino from 'pino';
import { startApp, type RunningApp } from '../../src/main/app/start.js';
import type { AppOptions } from '../../src/main/app/options.js';
import { hostPaths } from '../../src/main/host/discovery.js';
import type { HostOptions } from '../../src/main/host/index.js';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { createElectron, type StandIn } from './electron/index.js';
import type { Machine } from './electron/machine.js';
import { on, unlessAgents } from './host.js';

export interface TestApp extends StandIn {
  running: RunningApp;
  desktop: SimulatedDesktop;
  home: string;
  workspace: string;
  /** Lines of the log, as objects. */
  log: Record<string, unknown>[];
  /** The popover's page, loaded. */
  page(): Promise<Page>;
  /** Ends it as the person would, if it has not ended yet. */
  close(): Promise<void>;
}

export interface TestAppOptions extends Partial<
  Pick<AppOptions, 'platform' | 'permissions' | 'remindAfterMs' | 'serviceJob' | 'updateConfig' | 'updateEveryMs'>
> {
  machine: Machine;
  /** Folder of the built page. */
  assets: string;
  host?: Partial<HostOptions>;
  /** An earlier one's, to start again on the same state. */
  home?: string;
  /** Called before the app starts. */
  before?(standIn: StandIn): void;
}

const PRELOAD = join(import.meta.dirname, '../../src/main/app/preload.cts');
const NEVER = [600_000];

export async function startTestApp(options: TestAppOptions): Promise<TestApp> {
  const home = options.home ?? (await realpath(await mkdtemp(join(tmpdir(), 'chaperone-app-'))));
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-work-')));
  const desktop = openSimulated();
  const log: Record<string, unknown>[] = [];
  const standIn = createElectron(options.machine);
  options.before?.(standIn);
  const running = await startApp({
    electron: standIn.electron,
    host: {
      paths: hostPaths({ CHAPERONE_HOME: home }),
      workspaceRoot: workspace,
      backend: 'simulated',
      display: 'current',
      narrow: false,
      background: false,
      assets: options.assets,
      env: { CHAPERONE_HOME: home },
      ...on(desktop, () => desktop.close()),
      ...unlessAgents,
      ...options.host,
    },
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(JSON.parse(line)) }),
    preload: PRELOAD,
    icons: join(home, 'icons'),
    platform: options.platform ?? 'linux',
    ...(options.serviceJob === undefined ? {} : { serviceJob: options.serviceJob }),
    ...(options.updateConfig === undefined ? {} : { updateConfig: options.updateConfig }),
    ...(options.updateEveryMs === undefined ? {} : { updateEveryMs: options.updateEveryMs }),
    ...(options.permissions === undefined ? {} : { permissions: options.permissions }),
    command: ['/opt/chap erone/app', '--quiet'],
    remindAfterMs: options.remindAfterMs ?? NEVER,
  });
  if (running === null) throw new Error(`the app did not start: ${standIn.told.boxes.join()}`);
  return {
    ...standIn,
    running,
    desktop,
    home,
    workspace,
    log,
    async page() {
      const page = await standIn.window().webContents.page();
      await page.locator('.chip').first().waitFor();
      return page;
    },
    async close() {
      standIn.app.quit();
      await standIn.app.exited;
      await rm(workspace, { recursive: true, force: true });
      if (options.home === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}
