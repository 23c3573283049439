/** A person starts and stops GABP applications, reads their logs, and confirms that they have seen what one refuses calls for. */
import { textOf, message, type Language } from '../../../messages/index.js';
import type { ProcessIdentity } from '../../../native/peer/types.js';
import type { GabpApps } from '../../gabp/index.js';
import { WireError, type GabpAppNews, type KeptCommand, type KnownClient } from '../../protocol/index.js';
import type { Definitions, MessageOf, PageRefusal, Reply } from './definition.js';
import type { CommandRunner } from '../../../native/process/index.js';
import type { Person } from './page.js';

/** Runs the demo agent when a person asks for it. Agents cannot start it. */
export interface DemoRunner {
  /** Resolves once it has ended. */
  run(language: Language, person: Person): Promise<Reply<'runDemo'> | PageRefusal>;
}

export interface DemoDependencies {
  /** Absent where this host cannot say what starts it. */
  demo?: DemoRunner;
}

const NO_DEMO: PageRefusal = {
  ok: false,
  code: 'demo_not_offered',
  message: message('refused.no_demo'),
};

export const demoHandlers: Definitions<'runDemo', DemoDependencies> = {
  runDemo: {
    role: 'paired',
    handler: ({ demo, person }, { language }) => demo?.run(language, person) ?? NO_DEMO,
  },
};

// Sets up coding agents on this machine when a person asks for it. This changes their settings files.

/** Coding agents on this machine, and Chaperone's registration with them. */
export interface ClientSetup {
  /** Agents on this machine can have a desktop of their own. */
  ownDesktops(): boolean;
  list(): Promise<KnownClient[]>;
  /** One at a time. Rejects when `signal` aborts before its turn comes; nothing was changed then. */
  setUp(
    wanted: Pick<MessageOf['setUp'], 'client' | 'remove' | 'desktop'>,
    person: Person,
    signal: AbortSignal,
  ): Promise<Reply<'setUp'> | PageRefusal>;
}

export interface ClientDependencies {
  /** Absent where this host cannot say what starts it. */
  clients?: ClientSetup;
}

const NOT_OFFERED: PageRefusal = {
  ok: false,
  code: 'not_offered',
  message: message('refused.setup_not_offered'),
};

export const clientHandlers: Definitions<'clients' | 'setUp', ClientDependencies> = {
  clients: {
    role: 'paired',
    handler: async ({ clients }) => ({
      offered: clients !== undefined,
      ownDesktops: clients?.ownDesktops() ?? false,
      clients: (await clients?.list()) ?? [],
    }),
  },
  setUp: {
    role: 'paired',
    handler: ({ clients, person }, { client, remove, desktop }, signal) =>
      clients?.setUp({ client, remove, desktop }, person, signal) ?? NOT_OFFERED,
  },
};

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

/** A person ends commands that were kept running, or lets them outlive the host. */
export interface CommandDependencies {
  keptCommands: Pick<CommandRunner['background'], 'list' | 'end' | 'outlive'>;
}

const UNKNOWN: PageRefusal = { ok: false, code: 'unknown_command', message: message('refused.unknown_command') };

export const commandHandlers: Definitions<'endCommand' | 'outliveCommand', CommandDependencies> = {
  endCommand: {
    role: 'paired',
    async handler({ keptCommands }, { id }) {
      const remaining = await keptCommands.end(id);
      if (remaining === null) return UNKNOWN;
      if (remaining.length === 0) return undefined;
      const pids = remaining.map(({ pid }) => pid).join(', ');
      return { ok: false, code: 'not_ended', message: message('refused.not_ended', { pids }) };
    },
  },
  outliveCommand: {
    role: 'paired',
    handler: ({ keptCommands }, { id, on }) => (keptCommands.outlive(id, on) ? undefined : UNKNOWN),
  },
};

/** As pages show them, oldest first. */
export function shownCommands(keptCommands: Pick<CommandRunner['background'], 'list'>): KeptCommand[] {
  return keptCommands.list().map(({ processes, since, ...command }) => ({
    ...command,
    since: new Date(since).toISOString(),
    processes: processes.length,
  }));
}
