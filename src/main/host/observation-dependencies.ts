import type { Approvals } from '../approvals/index.js';
import { isExcludedApp } from '../pipeline/excluded-apps.js';
import type { ObservationsOptions } from '../desktop/watch/index.js';
import type { AgeOf } from '../pipeline/target/wait-until-started.js';
import type { DesktopReader } from '../../native/desktop.js';
import { createProcessAge } from '../../native/peer/age.js';
import type { ProcessTable } from '../../native/peer/types.js';
import type { Agents } from '../agents/index.js';
import type { AttentionBoard } from '../agents/attention.js';

export type ObservationDependencies = Omit<ObservationsOptions, 'desktop' | 'references' | 'now'> & { ageOf: AgeOf };

interface WatchSources {
  /** Unmasked; used only to check whether a reported window still exists. */
  desktop: DesktopReader;
  processes: Pick<ProcessTable, 'lookup'>;
  approvals: Pick<Approvals, 'policy'>;
  attention: AttentionBoard;
  agents: Pick<Agents, 'has'>;
  log(thrown: unknown): void;
}

/** What observations need from the rest of the host. */
export function observationDependencies({
  desktop,
  processes,
  approvals,
  attention,
  agents,
  log,
}: WatchSources): ObservationDependencies {
  return {
    allWindows: async (signal) => new Map((await desktop.windows(signal)).map(({ id, app }) => [id, app.pid])),
    ageOf: createProcessAge(processes),
    isRunning: ({ pid, startTime }) => processes.lookup(pid)?.startTime === startTime,
    excluded: (app) => isExcludedApp(approvals.policy().excludedApps, app),
    suspendedReason: () => attention.port.current()?.summary ?? null,
    isConnected: agents.has,
    log,
  };
}
