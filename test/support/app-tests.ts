/** What tests of the app share: one Chromium, one app a test, and a page that only listens. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from './app.js';
import { createMachine, type Machine } from './electron/machine.js';
import type { MenuStandIn } from './electron/parts.js';
import { eventually } from './eventually.js';
import { startPageBrowser, type PageBrowser } from './page-browser.js';
import { openRpc, type Rpc } from './rpc.js';

export const ASSETS = join(import.meta.dirname, 'app-page');

interface AppTests {
  /** Ends the one before it. */
  start(more?: Partial<TestAppOptions>): Promise<TestApp>;
  machine(): Machine;
  menu(): MenuStandIn | null;
  agent(): Promise<Rpc>;
  /** One request waits. */
  waits(): Promise<void>;
  /** How often the check box of the simulated mail was ticked. */
  pressed(): number;
}

/** Call once at the top of a test file. */
export function appTests(): AppTests {
  let browser: PageBrowser;
  let machine: Machine;
  let app: TestApp | null = null;
  let agents: Rpc[] = [];

  const now = (): TestApp => {
    if (app === null) throw new Error('no app was started');
    return app;
  };
  async function end(): Promise<void> {
    for (const agent of agents) agent.close();
    agents = [];
    await app?.close();
    app = null;
  }
  beforeAll(async () => {
    browser = await startPageBrowser();
  });
  afterAll(() => browser.close());
  afterEach(end);

  return {
    async start(more = {}) {
      await end();
      machine = more.machine ?? createMachine(browser.browser);
      app = await startTestApp({ machine, assets: ASSETS, ...more });
      return app;
    },
    machine: () => machine,
    menu: () => now().tray().menu,
    async agent() {
      const opened = await openRpc(now().running.host.socketPath, now().workspace);
      agents.push(opened);
      return opened;
    },
    waits: () => eventually(() => now().running.host.menubar.cards().length).toBe(1),
    pressed: () =>
      now()
        .desktop.world.journal()
        .filter(({ event }) => event === 'toggled').length,
  };
}
