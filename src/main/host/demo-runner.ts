import { message, type Message } from '../../messages/index.js';
import type { ProcessTable } from '../../native/peer/types.js';
import type { Approvals } from '../approvals/index.js';
import type { Chat } from '../chat/index.js';
import { createCallers, type MakeCaller } from '../agents/caller.js';
import { createDemoProcess, type DemoProcess } from './demo.js';
import type { HostOptions } from './options.js';
import type { Status } from '../protocol/index.js';
import type { PageRefusal } from '../serve/page/definition.js';
import type { WatchedValue } from '../serve/page/greeting.js';

interface DemoSources {
  approvals: Pick<Approvals, 'cards' | 'withdraw' | 'pauseOfAll'>;
  chat: Pick<Chat, 'agentEnded'>;
  status: Pick<WatchedValue<Status>, 'now'>;
}

/** null where the command that starts the shim is unknown. */
export function openDemo(
  { launcher, env, workspaceRoot, log }: HostOptions,
  sources: DemoSources,
  real: boolean,
): DemoProcess | null {
  if (launcher === undefined) return null;
  const { approvals, chat } = sources;
  return createDemoProcess({
    launcher,
    env,
    cwd: workspaceRoot,
    real,
    hindered: () => hindrance(sources),
    gone(agentId) {
      for (const { agent, executionId } of approvals.cards()) if (agent.id === agentId) approvals.withdraw(executionId);
      chat.agentEnded(agentId);
    },
    log,
  });
}

const HINDRANCES: ReadonlyMap<string, Message> = new Map([
  ['locked', message('refused.demo_locked')],
  ['permission', message('refused.demo_permission')],
  ['display_lost', message('refused.demo_display_lost')],
]);

function hindrance({ approvals, status }: DemoSources): PageRefusal | null {
  if (approvals.pauseOfAll() !== null)
    return { ok: false, code: 'demo_paused', message: message('refused.demo_paused') };
  const condition = status.now().attention?.condition;
  const text = condition && HINDRANCES.get(condition);
  return text === undefined ? null : { ok: false, code: `demo_${condition}`, message: text };
}

/** Adds the state of the demo for pages. */
export function withDemo(status: WatchedValue<Status>, demo: DemoProcess): WatchedValue<Status> {
  const now: WatchedValue<Status>['now'] = () => ({ ...status.now(), demo: demo.running() ? 'running' : 'ready' });
  return {
    now,
    on(listener) {
      const ends = [status, demo].map(({ on }) => on(() => listener(now())));
      return () => ends.forEach((end) => end());
    },
  };
}

export function callersWith(demo: DemoProcess, processes: ProcessTable): MakeCaller {
  const make = createCallers({ processes, isDemo: demo.isDemo });
  return (peer, facts) => demo.register(make(peer, facts));
}
