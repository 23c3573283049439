import { DesktopError, type DesktopBackend } from '../../../native/desktop.js';
import type { OpenedDesktop } from '../../../native/open.js';
import type { ProcessTable } from '../../../native/peer/types.js';
import type { Approvals } from '../../approvals/index.js';
import type { Health } from '../../protocol/index.js';
import { message } from '../../../messages/index.js';

/** `acceptSyntheticInput`: synthetic devices of other programs may press Allow. */
interface SyntheticInputOptions {
  acceptSyntheticInput?: boolean;
}

/** What is checked before a press on Allow is judged. */
export type PressCheck = ReturnType<typeof createPressCheck>;

const WINDOWS_TIMEOUT_MS = 2_000;

export function createPressCheck(
  { desktop, name }: { desktop: Pick<DesktopBackend, 'flushInputEvents' | 'windows'> } & Pick<OpenedDesktop, 'name'>,
  processes: Pick<ProcessTable, 'lineage'>,
  { acceptSyntheticInput }: SyntheticInputOptions = {},
) {
  /** True only where the page is known to be on another display than the agents'. */
  async function isOnOtherDisplay(pid: number | null): Promise<boolean> {
    // On the person's own display a page whose windows cannot be found may be there all the same.
    if (pid === null || name !== 'linux (virtual)') return false;
    const line = new Set([pid, ...processes.lineage(pid).map((one) => one.pid)]);
    const windows = await desktop.windows(AbortSignal.timeout(WINDOWS_TIMEOUT_MS));
    return !windows.some(({ app }) => line.has(app.pid));
  }

  return {
    isOnOtherDisplay,
    /** Resolves once all earlier input events were processed. Rejects where that cannot be determined. */
    async inputFlushed({ pid, where }: { pid: number | null; where: string }, signal: AbortSignal): Promise<void> {
      if (acceptSyntheticInput === true) return;
      try {
        await desktop.flushInputEvents(signal);
      } catch (error) {
        // Where no program is told of others' input, any of them may have pressed in a page on that display: only the popover counts.
        const untold = error instanceof DesktopError && error.code === 'unsupported';
        if (!untold || !(where === 'popover' || (await isOnOtherDisplay(pid)))) throw error;
      }
    },
  };
}

/** Reports other programs' synthetic input to approvals, unless the host accepts it. Returns a dispose function. */
export function reportSyntheticInput(
  desktop: Pick<DesktopBackend, 'onSyntheticInput'>,
  { acceptSyntheticInput }: SyntheticInputOptions,
  approvals: Pick<Approvals, 'injected'>,
): () => void {
  return acceptSyntheticInput === true
    ? () => undefined
    : desktop.onSyntheticInput(() => approvals.injected('program'));
}

export function syntheticInputIssues({ acceptSyntheticInput }: SyntheticInputOptions): Health['issues'] {
  if (acceptSyntheticInput !== true) return [];
  return [{ title: message('health.synthetic_input'), fix: message('health.refuse_synthetic_input') }];
}
