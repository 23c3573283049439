/** A person starts and stops GABP applications, reads their logs, and confirms that they have seen what one refuses calls for. */
import { textOf } from '../../../messages/index.js';
import type { ProcessIdentity } from '../../../native/peer/types.js';
import type { GabpApps } from '../../gabp/index.js';
import { WireError, type GabpAppNews } from '../../protocol/index.js';
import type { Definitions, PageRefusal } from './definition.js';

/** `by`: the process of the page; null where that is unclear. */
export interface PageApps extends Pick<GabpApps, 'list' | 'log' | 'acknowledge' | 'onChange'> {
  start(name: string, by: ProcessIdentity | null, signal: AbortSignal): Promise<void>;
  stop(name: string, by: ProcessIdentity | null): Promise<void>;
}

export interface GabpAppDependencies {
  gabpApps: PageApps;
}

type Handled = 'startApp' | 'stopApp' | 'acknowledgeApp' | 'appLog';

export const gabpAppHandlers: Definitions<Handled, GabpAppDependencies> = {
  startApp: {
    role: 'paired',
    handler: ({ gabpApps, page }, { name }, signal) =>
      orRefusal(() => gabpApps.start(name, page.upgrade.client, signal)),
  },
  stopApp: {
    role: 'paired',
    handler: ({ gabpApps, page }, { name }) => orRefusal(() => gabpApps.stop(name, page.upgrade.client)),
  },
  acknowledgeApp: {
    role: 'paired',
    handler: ({ gabpApps }, { name, attentionId }, signal) =>
      orRefusal(() => gabpApps.acknowledge(name, attentionId, signal)),
  },
  appLog: {
    role: 'paired',
    handler: ({ gabpApps }, { name }) => {
      try {
        return { lines: gabpApps.log(name) };
      } catch (thrown) {
        return refusalOf(thrown);
      }
    },
  },
};

async function orRefusal(work: () => Promise<void>): Promise<PageRefusal | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return refusalOf(thrown);
  }
}

/** Throws what is no answer to the person. */
function refusalOf(thrown: unknown): PageRefusal {
  if (!(thrown instanceof WireError)) throw thrown;
  return { ok: false, code: 'app_refused', message: thrown.text };
}

/** As pages show them. */
export function shownApps(gabpApps: Pick<PageApps, 'list'>): GabpAppNews {
  try {
    return { type: 'gabpApps', apps: gabpApps.list(), fault: null };
  } catch (thrown) {
    return { type: 'gabpApps', apps: [], fault: textOf(thrown) };
  }
}
