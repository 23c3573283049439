import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { DesktopBackend } from '../../src/native/desktop.js';
import { hostPaths } from '../../src/main/host/discovery.js';
import { createHost, type Host, type HostOptions } from '../../src/main/host/index.js';
import type { ProcessIdentity } from '../../src/native/peer/types.js';
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

/**
 * What a test starts descends from the host, which is in the test's own process, so no terminal of the test proves anything: whoever is
 * no agent, nor started by one, is the person. `test/adversary/person.test.ts` is about the kernel's proof.
 */
export const unlessAgents: Required<Pick<HostOptions, 'personProof'>> = {
  personProof(kernel, { agents, traces, lineage }) {
    const isAgents = (one: ProcessIdentity) => agents.includes([one]) || traces.saw(one);
    return {
      get changes() {
        return kernel.changes;
      },
      doubt(peer) {
        if (peer.forwardedBy !== undefined) return 'unclear';
        return agents.hasCalled(peer) || lineage(peer.pid).slice(1).some(isAgents) ? 'agent' : null;
      },
      browserDoubt: (client) => (lineage(client.pid).some(isAgents) ? 'agent' : null),
      redeemerDoubt: kernel.redeemerDoubt.bind(kernel),
    };
  },
};

/** For tests that are about what every page shows, not whose it is: this process is agent and page at once. */
export const anyPage: Required<Pick<HostOptions, 'personProof'>> = {
  personProof: (kernel, facts) => ({
    changes: 0,
    doubt: unlessAgents.personProof(kernel, facts).doubt,
    browserDoubt: () => null,
    redeemerDoubt: kernel.redeemerDoubt.bind(kernel),
  }),
};

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
      ...unlessAgents,
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
