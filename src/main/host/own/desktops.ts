/**
 * Desktops of agents' own. Comes in: calls of agents that asked for one. Goes out: the seat that runs each call, once the person gave
 * that agent a desktop. Never the person's desktop for an agent that was given its own, nor one agent's for another.
 */
import * as z from 'zod';
import { message } from '../../../messages/index.js';
import { planWithoutTarget } from '../../approvals/plan.js';
import type { Caller, Decision, DesktopChoice } from '../../approvals/request.js';
import type { CallSeat, Seats } from '../../calls/seats.js';
import { defineAction } from '../../pipeline/define.js';
import { Stopped } from '../../pipeline/failures.js';
import { OWN_DESKTOPS, subjectWithoutPlace, title, WireError, type OwnDesktop } from '../../protocol/index.js';
import { createEmitter } from '../../../base/emitter.js';
import type { Closers } from '../closers.js';
import type { HostContext } from '../control.js';
import type { OwnDesktopControl } from '../../serve/page/watching.js';
import type { Seat, SharedParts } from '../seat.js';
import { awaySeat, openDesk, type OpenDesk, type OwnParts } from './open.js';

/** A connection that was lost comes back within this time. */
const GRACE_MS = 30_000;

type Observations = Seat['toolDeps']['observations'];

export interface OwnDesktops {
  /** `shared`: of the desktop that the host shows. */
  seats(shared: CallSeat): Seats;
  list(): OwnDesktop[];
  /** For pages. */
  control: OwnDesktopControl;
  onChange(listener: () => void): () => void;
  onObservation: Observations['onEvent'];
}

/** What an agent was given. */
type Given = { choice: 'shared' } | { choice: 'own'; desk: OpenDesk };

export function createOwnDesktops(context: HostContext, parts: OwnParts, closers: Closers): OwnDesktops {
  const { agents, executions } = parts.shared;
  const given = new Map<string, Given>();
  /** Agents whose desktop is being opened: it counts, or two at once would exceed the limit. */
  const opening = new Set<string>();
  const leaving = new Map<string, NodeJS.Timeout>();
  const changes = createEmitter<void>(context.log);
  const observed = createEmitter<Parameters<Parameters<Observations['onEvent']>[0]>[0]>(context.log);
  const desks = (): OpenDesk[] => [...given.values()].flatMap((one) => (one.choice === 'own' ? [one.desk] : []));

  async function give({ agent }: Caller, choice: DesktopChoice): Promise<void> {
    if (given.has(agent.id)) return;
    if (choice === 'shared') return void given.set(agent.id, { choice });
    assertRoom(desks().length + opening.size, parts.shared.approvals.policy().ownDesktops ?? OWN_DESKTOPS.usual);
    opening.add(agent.id);
    const desk = await openDesk(context, parts, agent).finally(() => opening.delete(agent.id));
    given.set(agent.id, { choice, desk });
    desk.toolDeps.observations.onEvent(observed.emit);
    if (!agents.has(agent.id)) forgetLater(agent.id);
    changes.emit();
  }

  async function forget(agentId: string): Promise<void> {
    const had = given.get(agentId);
    given.delete(agentId);
    stopWaiting(agentId);
    if (had?.choice !== 'own') return;
    changes.emit();
    executions.takeOver(new Stopped('stop', message('stopped.desktop_ended')), had.desk.facts.id);
    await had.desk.close();
  }

  function isKept(agentId: string): boolean {
    const one = given.get(agentId);
    return one?.choice === 'own' && one.desk.facts.kept;
  }

  function stopWaiting(agentId: string): void {
    clearTimeout(leaving.get(agentId));
    leaving.delete(agentId);
  }

  function forgetLater(agentId: string): void {
    stopWaiting(agentId);
    const timer = setTimeout(
      () => void (isKept(agentId) || forget(agentId).catch(context.log)),
      context.options.ownDesktopGraceMs ?? GRACE_MS,
    );
    leaving.set(agentId, timer.unref());
  }

  closers.add(
    agents.onContact(({ kind, caller: { agent } }) => {
      if (kind === 'connected') stopWaiting(agent.id);
      if (kind === 'disconnected' && given.has(agent.id) && !agents.has(agent.id)) forgetLater(agent.id);
    }),
  );
  closers.add(async () => {
    await Promise.all([...given.keys()].map(forget));
  });

  return {
    seats(shared) {
      const seatOf = ({ agent, ownDesktop }: Caller): CallSeat | null => {
        if (ownDesktop !== true) return shared;
        const one = given.get(agent.id);
        return one === undefined ? null : one.choice === 'shared' ? shared : one.desk.seat;
      };
      return { of: seatOf, away: awaySeat(context, parts, shared), opening: askDesktop(shared.runner, give) };
    },
    list: () => desks().map(({ facts, lease }) => ({ ...facts, taken: lease.holder !== null })),
    control: createControl({
      desks,
      executions,
      changed: () => changes.emit(),
      end: (agentId) => void forget(agentId).catch(context.log),
    }),
    onChange: changes.on,
    onObservation: observed.on,
  };
}

interface ControlParts {
  desks(): OpenDesk[];
  executions: Pick<SharedParts['executions'], 'takeOver'>;
  changed(): void;
  end(agentId: string): void;
}

/** What a person does with them on a page. */
function createControl({ desks, executions, changed, end }: ControlParts): OwnDesktopControl {
  const find = (id: string) => desks().find(({ facts }) => facts.id === id);
  const withDesk = (id: string, act: (desk: OpenDesk) => boolean | void): boolean => {
    const desk = find(id);
    return desk !== undefined && act(desk) !== false;
  };
  return {
    live: (id) => find(id)?.live ?? null,
    take: (id, holder) =>
      withDesk(id, ({ lease, attention, hand }) => {
        // Another page may hold something there.
        if (lease.holder !== null && lease.holder !== holder) void hand.release();
        lease.take(holder);
        attention.set('taken_over', message('attention.taken_over'));
        executions.takeOver(new Stopped('person', message('stopped.taken_over')), id);
        changed();
      }),
    input: (id, holder, input) =>
      withDesk(id, ({ lease, hand }) => {
        if (lease.holder !== holder) return false;
        void hand.do(input);
        return true;
      }),
    handBack: (id, words) =>
      withDesk(id, ({ lease, attention, hand }) => {
        // What they did before is done first.
        void hand.release().then(() => {
          lease.handBack(words);
          attention.set('taken_over', null);
          changed();
        });
      }),
    end: (id) => withDesk(id, ({ facts }) => end(facts.agent.id)),
    keep: (id, on) =>
      withDesk(id, ({ facts }) => {
        facts.kept = on;
        changed();
      }),
    leave: (page) =>
      desks().forEach(({ live, lease, hand }) => {
        live.leave(page);
        if (lease.holder === page.source.connection) void hand.release();
      }),
  };
}

function assertRoom(open: number, most: number): void {
  if (open < most) return;
  throw new WireError('DESKTOP_HOST_NOT_READY', message('error.too_many_desktops', { count: most }), {
    reason: 'too_many_desktops',
    next: 'Ask the person with send_message to end one on the page.',
  });
}

const SUBJECT = subjectWithoutPlace(title('title.use_desktop'));

/** The one request for a desktop. `give`: opens the desktop for the caller; does nothing where it has one. */
function askDesktop(
  runner: Seats['opening']['runner'],
  give: (caller: Caller, choice: DesktopChoice) => Promise<void>,
): Seats['opening'] {
  const action = defineAction({
    name: 'use_desktop',
    title: 'Use a desktop',
    description: 'Asked once, when an agent that wants a desktop of its own first needs one.',
    effect: 'input',
    needs: [],
    offDesktop: true,
    input: z.object({}).strict(),
    output: z.object({ desktop: z.enum(['own', 'shared']) }),
    subject: () => SUBJECT,
    plan: async () => ({ ...planWithoutTarget(SUBJECT), alwaysAsk: true, desktops: true as const }),
    async run({ caller, decision }) {
      const desktop = chosen(decision);
      await give(caller, desktop);
      return { desktop };
    },
  });
  return { runner: { run: once(runner.run) }, action };
}

/** Where a policy answers, nobody chose the person's. */
const chosen = (decision: Decision): DesktopChoice =>
  decision.kind === 'allowed' && decision.desktop !== undefined ? decision.desktop : 'own';

/** An agent's calls that need a desktop at the same time share the one request, and what became of it. */
function once(run: Run): Run {
  const open = new Map<string, ReturnType<Run>>();
  return (action, call) => {
    const { id } = call.caller.agent;
    const first = open.get(id);
    if (first !== undefined) return untilAborted(first, call.signal);
    const own = run(action, call).finally(() => open.delete(id));
    open.set(id, own);
    return own;
  };
}

type Run = Seats['opening']['runner']['run'];

function untilAborted<T>(work: Promise<T>, signal: Parameters<Run>[1]['signal']): Promise<T> {
  const left = () => new WireError('DESKTOP_TIMEOUT', message('error.call_continues'), { reason: 'awaiting_human' });
  return new Promise((resolve, reject) => {
    const leave = () => reject(left());
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
