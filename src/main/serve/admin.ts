import * as z from 'zod';
import { parseInput } from '../pipeline/define.js';
import type { Caller } from '../pipeline/ports.js';
import type { ProcessIdentity } from '../../native/peer/types.js';
import { WireError, type Card, type Health, type ShownPolicy, type Status } from '../protocol/index.js';
import { createAgentFilter, type AgentFilterOptions } from './agent-filter.js';
import type { HeadState } from '../evidence/index.js';
import type { Agents } from '../agents/index.js';
import type { Elsewhere } from '../agents/elsewhere.js';
import { appMethods, type AdminApps } from './admin-apps.js';
import { elsewhereMethods } from './admin-elsewhere.js';
import type { LinkRefusal } from './pairing/link-permissions.js';
import { message, type Message } from '../../messages/index.js';

interface AdminOptions extends AgentFilterOptions {
  url: string;
  /** Which desktop is served, and the environment for programs that are to show on it. */
  desktop: { name: string; display: string; env: Record<string, string> | null };
  status(): Status;
  health(): Health | null;
  headState(): Promise<HeadState>;
  policy(): ShownPolicy;
  cards(): Card[];
  /** Questions that wait for the person. */
  questions(): readonly unknown[];
  /** A link for this process, which may ask for it, and where the page that opens it has to be confirmed. */
  pairingLink(askedBy: readonly ProcessIdentity[]): { link: string; confirm: 'page' | 'popover' | null };
  stopAgents(by: string): void;
  leave(reason: Message): void;
  /** Started by a shim, for agents; nobody chose where it runs. */
  background: boolean;
  deny(id: string, message: string | undefined): void;
  agents: Pick<Agents, 'callers' | 'hasCalled' | 'includes'>;
  apps: AdminApps;
  elsewhere: Elsewhere;
  /** Why this process may not ask for a pairing link. */
  askerRefusal(peer: ProcessIdentity): LinkRefusal | null;
}

const stopSchema = z.object({ host: z.boolean().default(false) });
const denySchema = z.object({ id: z.string().max(200), message: z.string().max(4000).optional() });

export type Admin = (caller: Caller, method: string, params: unknown) => Promise<unknown>;

/** What the command line may ask of a running host. Nothing here can allow, widen or resume; an application starts only as a person confirmed it. */
export function createAdmin(options: AdminOptions): Admin {
  const viewOf = createAgentFilter(options);
  const methods = new Map<string, (caller: Caller, params: unknown) => unknown>([
    ['admin/status', status],
    ['admin/head', async () => ({ head: await options.headState() })],
    ['admin/approvals', approvals],
    ['admin/deny', (_caller, params) => deny(parseInput(denySchema, params, 'admin/deny'))],
    ['admin/stop', (_caller, params) => stop(parseInput(stopSchema, params, 'admin/stop').host)],
    ['admin/handover', handover],
    ['admin/pair', pair],
    ...appMethods(options.apps, doubt),
    ...elsewhereMethods(options.elsewhere, doubt),
  ]);

  function doubt(caller: Caller): LinkRefusal | null {
    return viewOf(caller) === null ? options.askerRefusal(caller.peer) : 'agent';
  }

  function status(caller: Caller) {
    const view = viewOf(caller);
    const { elsewhere = [], ...now } = options.status();
    const agents = now.agents.filter(view ?? (() => true));
    return {
      url: options.url,
      status: { ...now, agents, ...(view === null ? { elsewhere } : {}) },
      otherAgents: now.agents.length - agents.length,
      pendingApprovals: options.cards().length,
      pendingQuestions: options.questions().length,
      // An agent could act on the display with it, and nobody would be asked.
      desktop: view === null && mayStartPrograms(caller) ? options.desktop : { ...options.desktop, env: null },
      health: options.health(),
      policy: options.policy(),
    };
  }

  /** A person's script needs no terminal for that; a command that the host ran is not the person. */
  function mayStartPrograms({ peer }: Caller): boolean {
    const doubt = options.askerRefusal(peer);
    return doubt === null || doubt === 'no_terminal';
  }

  function approvals(caller: Caller) {
    const view = viewOf(caller);
    const all = options.cards();
    const shown = all.filter(({ agent }) => view?.(agent) ?? true);
    return { approvals: shown.map((card) => ({ ...card, picture: null })), others: all.length - shown.length };
  }

  function deny({ id, message }: z.infer<typeof denySchema>) {
    options.deny(id, message);
    return { denied: true };
  }

  function stop(host: boolean) {
    options.stopAgents('command line');
    if (host) options.leave(message('host.stopped'));
    return { stopped: true };
  }

  /** Lets the menubar app replace this host: what is open stays on disk, and nobody is paused. Refused to an agent while others use the host. */
  function handover(caller: Caller) {
    if (!options.background)
      throw new WireError('DESKTOP_INVALID_REQUEST', message('error.host_stays'), {
        reason: 'not_background',
      });
    if (viewOf(caller) !== null && isInUse(caller))
      throw new WireError('DESKTOP_INVALID_REQUEST', message('error.host_in_use'), {
        reason: 'in_use',
        next: 'The person starts the menubar app themselves.',
      });
    options.leave(message('host.app_takes_over'));
    return { leaving: true };
  }

  function isInUse({ connectionId }: Caller): boolean {
    const others = options.agents.callers().some((one) => one.connectionId !== connectionId);
    return others || options.cards().length > 0 || options.questions().length > 0;
  }

  /** As the kernel reports it. */
  function pair({ peer }: Caller) {
    const fault = options.askerRefusal(peer);
    if (fault !== null) throw refusal(fault);
    return options.pairingLink(options.lineage(peer.pid));
  }

  return async (caller, method, params) => {
    const run = methods.get(method);
    if (run === undefined)
      throw new WireError(
        'DESKTOP_INVALID_REQUEST',
        message('error.no_such_method', { method: method.slice(0, 100) }),
        {
          reason: 'unknown_method',
        },
      );
    return run(caller, params);
  };
}

const refusal = (reason: LinkRefusal) =>
  new WireError(
    'DESKTOP_CONFIRM_REQUIRED',
    message('error.cannot_pair', { why: reason === 'no_terminal' ? 'other' : reason }),
    {
      reason,
      next: 'Run `chaperone pair` yourself, in a terminal that no agent has opened.',
    },
  );
