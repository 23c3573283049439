/**
 * What the command line may ask of a running host: a table whose rows say who may. Nothing here can allow, widen or resume; an application
 * starts only as a person confirmed it. Whoever is not proven to be the person sees counts and their own, and may stop agents.
 */
import * as z from 'zod';
import { parseInput } from '../pipeline/define.js';
import type { Caller } from '../approvals/request.js';
import type { ProcessIdentity } from '../../native/peer/types.js';
import {
  type Agent,
  type Card,
  type Doubt,
  doubtText,
  type ElsewhereHost,
  elsewhereSchema,
  type GivenName,
  type Health,
  MAX_ELSEWHERE_BY,
  type ShownPolicy,
  type Status,
  WireError,
} from '../protocol/index.js';
import type { HeadState } from '../evidence/index.js';
import type { Where } from '../approvals/index.js';
import type { Agents } from '../agents/index.js';
import type { Elsewhere } from '../agents/status.js';
import type { PersonProof } from '../agents/person.js';
import type { GabpApps } from '../gabp/index.js';
import { publicStatus } from './page/greeting.js';
import { message, type Message } from '../../messages/index.js';

interface AgentFilterOptions {
  lineage(pid: number): ProcessIdentity[];
  agents: Pick<Agents, 'hasCalled' | 'includes'>;
}

/** Selects the agents whose work a caller may see; null means all. */
type AgentFilter = ((agent: Pick<Agent, 'pid' | 'startTime'>) => boolean) | null;

/**
 * The token that opens the socket is known to every agent, so the kernel decides: an agent, and what it has started, sees that
 * agent's own work, and so does one of another machine. A caller without a known lineage sees nothing.
 */
function createAgentFilter({ lineage, agents }: AgentFilterOptions): (caller: Caller) => AgentFilter {
  return ({ peer, agent }) => {
    if (agent.via !== undefined) return ({ startTime }) => startTime === agent.startTime;
    const line = lineage(peer.pid);
    if (line.length === 0) return () => false;
    const nearest = agents.hasCalled(peer) ? agent : line.slice(1).find((one) => agents.includes([one]));
    return nearest === undefined
      ? null
      : ({ pid, startTime }) => pid === nearest.pid && startTime === nearest.startTime;
  };
}

export interface AdminOptions extends AgentFilterOptions {
  url: string;
  /** Which desktop is served, and the environment for programs that are to show on it: an agent could act there with it, unasked. */
  desktop: { name: string; display: string; env: Record<string, string> | null };
  status(): Status;
  /** What the person calls agents. */
  names(): GivenName[];
  health(): Health | null;
  headState(): Promise<HeadState>;
  policy(): ShownPolicy;
  cards(): Card[];
  /** Questions that wait for the person. */
  questions(): readonly unknown[];
  /** A link for this process, and where the page that opens it has to be confirmed. */
  pairingLink(askedBy: readonly ProcessIdentity[]): { link: string; confirm: 'page' | 'popover' | null };
  stopAgents(by: string, where: Where): void;
  leave(reason: Message): void;
  /** Started by a shim, for agents; nobody chose where it runs. */
  background: boolean;
  deny(denial: { id: string; by: string; where: Where; message?: string | undefined }): void;
  agents: Pick<Agents, 'callers' | 'hasCalled' | 'includes'>;
  apps: Pick<GabpApps, 'list' | 'start' | 'stop' | 'log'>;
  elsewhere: Elsewhere;
  person: Pick<PersonProof, 'doubt'>;
}

/** A caller, with what the kernel proves of it. */
interface Asking {
  caller: Caller;
  /** null: the person. */
  doubt: Doubt | null;
  /** Selects what is the caller's own. */
  isOwn: NonNullable<AgentFilter>;
}

type Answer = (params: unknown, asking: Asking) => unknown;

/** Who may call a method. */
type AdminRow =
  | { who: 'person'; whole: Answer }
  /** Anybody; all but the person see counts, and what is their own. */
  | { who: 'counts'; whole: Answer; counts: Answer }
  /** Anybody, about what is their own; the person about everything. */
  | { who: 'own'; whole: Answer; own: Answer }
  /** Anybody: it holds agents back, and does nothing for them. */
  | { who: 'stop'; stop: Answer };

type AdminMethod =
  | `admin/${'status' | 'head' | 'approvals' | 'deny' | 'stop' | 'handover' | 'pair' | 'elsewhere'}`
  | `admin/apps${'' | '/start' | '/stop' | '/log'}`;

const stopSchema = z.object({ host: z.boolean().default(false) });
const denySchema = z.object({ id: z.string().max(200), message: z.string().max(4000).optional() });
const toldSchema = elsewhereSchema.omit({ by: true });
/** Nothing in it that a shell would act on: a person may copy it. */
const CLAIMED_ADDRESS = /^(ssh|unix):\/\/[A-Za-z0-9_.@:/[\]~+-]{1,1000}$/;
const nameSchema = z.strictObject({ name: z.string().max(100) });

export type Admin = (caller: Caller, method: string, params: unknown) => Promise<unknown>;

export function createAdmin(options: AdminOptions): Admin {
  const viewOf = createAgentFilter(options);
  const rows = new Map<string, AdminRow>(Object.entries(adminRows(options)));

  function askingOf(caller: Caller): Asking {
    const view = viewOf(caller);
    const doubt = view !== null ? 'agent' : caller.early === true ? 'unclear' : options.person.doubt(caller.peer);
    return { caller, doubt, isOwn: view ?? (() => false) };
  }

  return async (caller, method, params) => {
    const row = rows.get(method);
    if (row === undefined) throw unknownMethod(method);
    const asking = askingOf(caller);
    switch (row.who) {
      case 'stop':
        return row.stop(params, asking);
      case 'counts':
        return asking.doubt === null ? row.whole(params, asking) : row.counts(params, asking);
      case 'own':
        return asking.doubt === null ? row.whole(params, asking) : row.own(params, asking);
      case 'person':
        if (asking.doubt !== null) throw onlyPerson(asking.doubt);
        return row.whole(params, asking);
    }
  };
}

function adminRows(options: AdminOptions): Record<AdminMethod, AdminRow> {
  const { apps, headState, lineage, pairingLink } = options;
  const named = (method: AdminMethod, work: (name: string, caller: Caller) => unknown): AdminRow => ({
    who: 'person',
    whole: (params, { caller }) => work(parseInput(nameSchema, params, method).name, caller),
  });
  return {
    ...seenRows(options),
    ...stoppingRows(options),
    'admin/head': { who: 'person', whole: async () => ({ head: await headState() }) },
    'admin/pair': { who: 'person', whole: (_, { caller }) => pairingLink(lineage(caller.peer.pid)) },
    'admin/elsewhere': elsewhereRow(options.elsewhere),
    'admin/apps': {
      who: 'counts',
      whole: () => ({ apps: apps.list() }),
      counts: (_, { doubt }) => ({ apps: [], others: apps.list().length, doubt }),
    },
    'admin/apps/start': named('admin/apps/start', async (name, caller) => {
      await apps.start(name, { caller, always: false }, new AbortController().signal);
      return { started: true };
    }),
    'admin/apps/stop': named('admin/apps/stop', async (name, caller) => {
      await apps.stop(name, caller);
      return { stopped: true };
    }),
    'admin/apps/log': named('admin/apps/log', (name) => ({ lines: apps.log(name) })),
  };
}

/** Cards without their pictures, which only pages show. */
function seenRows(options: AdminOptions): Record<'admin/status' | 'admin/approvals' | 'admin/deny', AdminRow> {
  const { url, desktop, cards, deny } = options;
  const waiting = () => ({ pendingApprovals: cards().length, pendingQuestions: options.questions().length });
  const shown = (those: (agent: Agent) => boolean) => {
    const all = cards();
    const approvals = all.filter(({ agent }) => those(agent)).map((card) => ({ ...card, picture: null }));
    return { approvals, others: all.length - approvals.length, pendingQuestions: options.questions().length };
  };
  return {
    'admin/status': {
      who: 'counts',
      whole() {
        const [health, policy, names] = [options.health(), options.policy(), options.names()];
        return { url, status: options.status(), names, otherAgents: 0, ...waiting(), desktop, health, policy };
      },
      counts(_, { isOwn, doubt }) {
        const now = options.status();
        const agents = now.agents.filter(isOwn);
        const otherAgents = now.agents.length - agents.length;
        const status = { ...publicStatus(now), agents };
        return { url, status, otherAgents, ...waiting(), desktop: { env: null }, health: null, policy: null, doubt };
      },
    },
    'admin/approvals': {
      who: 'counts',
      whole: () => ({ ...shown(() => true), names: options.names() }),
      counts: (_, { isOwn, doubt }) => ({ ...shown(isOwn), doubt }),
    },
    'admin/deny': {
      who: 'own',
      whole(params) {
        deny({ ...parseInput(denySchema, params, 'admin/deny'), by: 'command line', where: 'cli' });
        return { denied: true };
      },
      /** An agent withdraws a request of its own; it says nothing in the person's name. */
      own(params, { caller, doubt, isOwn }) {
        const { id, message: words } = parseInput(denySchema, params, 'admin/deny');
        const card = cards().find((one) => one.id === id);
        if (card === undefined || !isOwn(card.agent) || words !== undefined) throw onlyPerson(doubt);
        deny({ id, by: caller.agent.name, where: 'agent' });
        return { denied: true };
      },
    },
  };
}

/** Whatever does not come from the person is named as the kernel names its sender, and leads nowhere. */
function elsewhereRow(elsewhere: Elsewhere): AdminRow {
  const tell = (asking: Asking, host: ElsewhereHost) => {
    if (!elsewhere.tell(asking.caller, host)) throw notTold('unclear');
    return { told: true };
  };
  const told = (params: unknown) => parseInput(toldSchema, params, 'admin/elsewhere');
  return {
    who: 'own',
    whole: (params, asking) => tell(asking, told(params)),
    own(params, asking) {
      const [host, { agent }] = [told(params), asking.caller];
      // Whoever SSH forwards has no name here, and an approved command is nobody.
      if (agent.via !== undefined || asking.doubt === 'command' || asking.doubt === 'host') throw notTold(asking.doubt);
      if (host.url !== null || !CLAIMED_ADDRESS.test(host.address)) throw notTold(asking.doubt);
      return tell(asking, { ...host, by: agent.name.slice(0, MAX_ELSEWHERE_BY) });
    },
  };
}

function stoppingRows(options: AdminOptions): Record<'admin/stop' | 'admin/handover', AdminRow> {
  const { stopAgents, leave, background, agents, cards, questions } = options;
  const isInUse = ({ connectionId }: Caller): boolean =>
    agents.callers().some((one) => one.connectionId !== connectionId) || cards().length > 0 || questions().length > 0;
  return {
    'admin/stop': {
      who: 'stop',
      stop(params, { caller, doubt }) {
        const { host } = parseInput(stopSchema, params, 'admin/stop');
        if (host && doubt !== null) throw onlyPerson(doubt);
        if (doubt === null) stopAgents('command line', 'cli');
        else stopAgents(caller.agent.name, 'unproven');
        if (host) leave(message('host.stopped'));
        return { stopped: true };
      },
    },
    /** Lets the menubar app, or the host in a person's terminal, replace this one: what is open stays on disk, and nobody is paused. */
    'admin/handover': {
      who: 'stop',
      stop(_, { caller, doubt }) {
        if (!background)
          throw refused(
            message('error.host_stays'),
            'not_background',
            'To start it again, press Ctrl+C in its terminal, or quit the app, and start it as before.',
          );
        if (doubt !== null && isInUse(caller))
          throw refused(
            message('error.host_in_use'),
            'in_use',
            'The person starts the menubar app, or `chaperone host` in a terminal, themselves.',
          );
        leave(message('host.app_takes_over'));
        return { leaving: true };
      },
    },
  };
}

const refused = (text: Message, reason: string, next?: string): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', text, { reason, ...(next === undefined ? {} : { next }) });

const unknownMethod = (method: string): WireError =>
  refused(message('error.no_such_method', { method: method.slice(0, 100) }), 'unknown_method');

/** The reason counts, and its sentence says what to do instead. */
const onlyPerson = (doubt: Doubt | null): WireError =>
  new WireError('DESKTOP_CONFIRM_REQUIRED', message('error.only_person', { why: doubtText(doubt ?? 'unclear') }), {
    reason: doubt ?? 'unclear',
    next: 'If you are an agent, ask the person with send_message.',
  });

const notTold = (reason: Doubt | null): WireError =>
  new WireError('DESKTOP_CONFIRM_REQUIRED', message('elsewhere.only_person'), { reason: reason ?? 'unclear' });
