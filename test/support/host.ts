import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { DesktopBackend } from '../../src/native/desktop.js';
import { hostPaths } from '../../src/main/host/discovery.js';
import { createHost, type Host, type HostOptions } from '../../src/main/host/index.js';
import { ENTRY } from './command.js';
import { testSupervisor } from './supervisor.js';

export interface TestHost {
  host: Host;
  home: string;
  workspace: string;
  /** Ends the host and starts another on the same folders. */
  restart(more?: Partial<HostOptions>): Promise<void>;
  close(): Promise<void>;
}

/** For `startHost`: this desktop, which whoever opened it closes, or the host where `close` says how. */
export const on = (
  desktop: DesktopBackend,
  close: () => Promise<void> = async () => undefined,
): Required<Pick<HostOptions, 'openDesktop'>> => ({
  openDesktop: async () => ({
    desktop,
    name: 'simulated',
    display: 'in memory',
    note: null,
    env: null,
    close,
  }),
});

/** For `startHost`, where a test is about them: the product's own limits of a press on Allow. Without, a press counts at once. */
export const realPresses: Partial<HostOptions> = { pressLimits: undefined };

/** A real host on the simulated desktop, in folders of its own. */
export async function startHost(more: Partial<HostOptions> = {}): Promise<TestHost> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-test-')));
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-work-')));
  const open = (extra: Partial<HostOptions>) =>
    createHost({
      paths: hostPaths({ CHAPERONE_HOME: home }),
      workspaceRoot: workspace,
      backend: 'simulated',
      display: 'current',
      narrow: false,
      background: false,
      assets: join(import.meta.dirname, '../../dist/renderer'),
      env: { CHAPERONE_HOME: home },
      log: pino({ level: process.env['CHAPERONE_LOG'] ?? 'silent' }, pino.destination(2)),
      supervisor: testSupervisor(),
      shim: { command: process.execPath, args: [ENTRY, 'mcp'] },
      pressLimits: { deadMs: 0, quietMs: 0 },
      ...more,
      ...extra,
    });
  const clean = () => Promise.all([home, workspace].map((folder) => rm(folder, { recursive: true, force: true })));
  const host = await open({}).catch(async (thrown: unknown) => {
    await clean();
    throw thrown;
  });
  const started: TestHost = {
    host,
    home,
    workspace,
    async restart(extra = {}) {
      await started.host.close();
      started.host = await open(extra);
    },
    async close() {
      await started.host.close();
      await clean();
    },
  };
  return started;
}
