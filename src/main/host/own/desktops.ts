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
import { subjectWithoutPlace, title, WireError, type OwnDesktop } from '../../protocol/index.js';
import { createEmitter } from '../../../base/emitter.js';
import type { Closers } from '../closers.js';
import type { HostContext } from '../control.js';
import type { Seat } from '../seat.js';
import { awaySeat, openDesk, type OpenDesk, type OwnParts } from './open.js';

/** Each takes memory, and nobody watches more. */
export const MAX_OWN_DESKTOPS = 10;
/** A connection that was lost comes back within this time. */
const GRACE_MS = 30_000;

type Observations = Seat['toolDeps']['observations'];

export interface OwnDesktops {
  /** `shared`: of the desktop that the host shows. */
  seats(shared: CallSeat): Seats;
  list(): OwnDesktop[];
  /** Ends it, with everything that runs there. False where there is none. */
  end(id: string): Promise<boolean>;
  onChange(listener: () => void): () => void;
  onObservation: Observations['onEvent'];
}

/** What an agent was given. */
type Given = { choice: 'shared' } | { choice: 'own'; desk: OpenDesk };

export function createOwnDesktops(context: HostContext, parts: OwnParts, closers: Closers): OwnDesktops {
  const { agents, executions } = parts.shared;
  const given = new Map<string, Given>();
  const leaving = new Map<string, NodeJS.Timeout>();
  const changes = createEmitter<void>(context.log);
  const observed = createEmitter<Parameters<Parameters<Observations['onEvent']>[0]>[0]>(context.log);
  const desks = (): OpenDesk[] => [...given.values()].flatMap((one) => (one.choice === 'own' ? [one.desk] : []));

  async function give({ agent }: Caller, choice: DesktopChoice): Promise<void> {
    if (given.has(agent.id)) return;
    if (choice === 'shared') return void given.set(agent.id, { choice });
    assertRoom(desks().length);
    const desk = await openDesk(context, parts, agent);
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

  function stopWaiting(agentId: string): void {
    clearTimeout(leaving.get(agentId));
    leaving.delete(agentId);
  }

  function forgetLater(agentId: string): void {
    stopWaiting(agentId);
    const timer = setTimeout(
      () => void forget(agentId).catch(context.log),
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
    list: () => desks().map(({ facts }) => facts),
    async end(id) {
      const found = [...given].find(([, one]) => one.choice === 'own' && one.desk.facts.id === id);
      if (found === undefined) return false;
      await forget(found[0]);
      return true;
    },
    onChange: changes.on,
    onObservation: observed.on,
  };
}

function assertRoom(open: number): void {
  if (open < MAX_OWN_DESKTOPS) return;
  throw new WireError('DESKTOP_HOST_NOT_READY', message('error.too_many_desktops', { count: MAX_OWN_DESKTOPS }), {
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
  return { runner, action };
}

/** Where a policy answers, nobody chose the person's. */
const chosen = (decision: Decision): DesktopChoice =>
  decision.kind === 'allowed' && decision.desktop !== undefined ? decision.desktop : 'own';
