/** Keys and buttons that outlast the call that pressed them, and the lane that stays with their agent meanwhile. */
import { isDeepStrictEqual } from 'node:util';
import { randomUUID } from 'node:crypto';
import type { DesktopBackend, HeldInput, Point, Window } from '../../native/desktop.js';
import type { CallClock } from './clock.js';
import type { Executions } from './executions.js';
import { Stopped } from './failures.js';
import type { Locks } from './locks.js';
import type { Plan } from './plan.js';
import type { Caller, Decision } from './ports.js';
import { message } from '../../messages/index.js';

/** Where it was pressed. */
export interface Grip {
  at: Point | null;
  window: Window | null;
}

export interface Hold extends Grip {
  readonly input: HeldInput;
  /** Lets go, and resolves once it is up. */
  end(): Promise<void>;
}

interface HoldContext {
  caller: Caller;
  executionId: string;
  callId: string;
  /** What allowed the press. */
  decision: Decision;
  plan: Plan | null;
}

/** What a handler may do with holds. */
export interface HandHolds {
  /** Keeps `input` (pressed just now) down after the call has ended: until `end`, or for 30 s, or until anything stops the agent. */
  hold(ctx: HoldContext, input: HeldInput, grip: Grip): Hold;
  of(agentId: string): readonly Hold[];
  /** What allowed the held button allows moving in the window that was pressed, and letting go there; null where the plan is more than that. */
  covers(agentId: string, plan: Plan): Decision | null;
}

export interface Holds extends HandHolds {
  /** Takes the lane for one call; an agent that holds something down has it already. Returns what leaves the lane. */
  enter(agentId: string, clock: Pick<CallClock, 'stop' | 'halt'>): Promise<() => void>;
  /** At the end of a call: releases everything except what is to stay down; after a stop, that too. */
  settle(agentId: string, stop: AbortSignal): Promise<void>;
  /** Releases every key and button that this agent holds (null: any agent), and stops the running call that uses them. */
  release(agentId: string | null, reason: Stopped): Promise<void>;
  /** Releases what the agents hold whose caller `fits`. */
  review(fits: (caller: Caller) => boolean, reason: Stopped): Promise<void>;
  /** Before a person's press counts: releases everything, of all agents. False when nothing is held. */
  letGo(): boolean;
  /** A plan made while something is held says so, and no grant covers it. */
  noted(agentId: string, plan: Plan): Plan;
}

export interface HoldsOptions {
  lane: Locks;
  desktop: Pick<DesktopBackend, 'releaseAll'>;
  executions: Executions;
  /** Nobody is left to let go of what an absent agent holds. */
  present?(agentId: string): boolean;
  longestMs?: number;
}

interface Entry {
  hold: Hold;
  caller: Caller;
  decision: Decision;
  /** The consequence that the card of the press described. */
  consequence: Plan['consequence'];
  over(): void;
}

const LONGEST_MS = 30_000;

export function createHolds(options: HoldsOptions): Holds {
  const { lane, desktop, executions, present = () => true, longestMs = LONGEST_MS } = options;
  const held = new Set<Entry>();
  const inside = new Set<Pick<CallClock, 'stop' | 'halt'>>();
  let owner: { agentId: string; leave: () => void } | null = null;

  const free = () => {
    if (owner === null || held.size > 0 || inside.size > 0) return;
    const { leave } = owner;
    owner = null;
    leave();
  };

  async function drop(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) if (held.delete(entry)) entry.over();
    await desktop.releaseAll(staying([...held]));
    free();
  }

  async function stop(fits: (caller: Caller) => boolean, reason: Stopped): Promise<void> {
    const entries = [...held].filter(({ caller }) => fits(caller));
    if (entries.length === 0) return;
    for (const clock of inside) clock.halt(reason);
    await drop(entries);
  }

  const ownedBy = (agentId: string | null) => (caller: Caller) => agentId === null || caller.agent.id === agentId;

  return {
    async enter(agentId, clock) {
      clock.stop.throwIfAborted();
      if (held.size === 0 || owner?.agentId !== agentId) {
        const leave = await lane.enter('desktop', clock.stop);
        owner = { agentId, leave };
      }
      inside.add(clock);
      return () => {
        inside.delete(clock);
        free();
      };
    },
    hold({ caller, executionId, callId, decision, plan }, input, grip) {
      if (owner?.agentId !== caller.agent.id) throw new Error('only the agent that has the lane can hold input');
      if (!present(caller.agent.id)) throw new Stopped('abort', 'The agent has gone.');
      const end = () => drop([entry]);
      const stopped = (reason: Stopped) => void stop(ownedBy(caller.agent.id), reason);
      const late = new Stopped('timeout', `What was held down was let go after ${longestMs / 1000} s.`);
      const timer = setTimeout(() => stopped(late), longestMs).unref();
      const remove = executions.add({
        executionId: randomUUID(),
        aliases: [executionId, callId],
        caller,
        tool: 'held input',
        stop: stopped,
      });
      const over = () => {
        clearTimeout(timer);
        remove();
      };
      const consequence = plan?.consequence ?? null;
      const entry: Entry = { hold: { ...grip, input, end }, caller, decision, consequence, over };
      held.add(entry);
      return entry.hold;
    },
    of: (agentId) => [...held].filter(({ caller }) => caller.agent.id === agentId).map(({ hold }) => hold),
    async settle(agentId, signal) {
      // A call that was never in the lane has pressed nothing, and must not lift what another is pressing.
      if (owner?.agentId !== agentId) return;
      if (signal.aborted) await drop([...held]);
      else await desktop.releaseAll(staying([...held]));
    },
    release: (agentId, reason) => stop(ownedBy(agentId), reason),
    review: stop,
    covers(agentId, plan) {
      const { withHeld, drop, window } = plan;
      if (withHeld === undefined) return null;
      const entry = [...held].find(({ caller, hold }) => caller.agent.id === agentId && hold.input.buttons.length > 0);
      if (entry === undefined || entry.decision.kind !== 'allowed') return null;
      if (withHeld === 'cancel') return entry.decision;
      // A menu activates the item under the released button, which may not be what the card of the press described.
      if (plan.consequence != null && !isDeepStrictEqual(plan.consequence, entry.consequence)) return null;
      const pressed = entry.hold.window;
      const inside = [window, drop?.window ?? null].every(
        (one) => one !== null && pressed !== null && sameWindow(one, pressed),
      );
      return inside ? entry.decision : null;
    },
    letGo() {
      if (held.size === 0) return false;
      void stop(() => true, new Stopped('person', 'The person is pressing Allow, so what was held down was let go.'));
      return true;
    },
    noted(agentId, plan) {
      const names = [...held]
        .filter(({ caller }) => caller.agent.id === agentId)
        .flatMap(({ hold: { input } }) => [...input.buttons.map((button) => `${button} button`), ...input.keys]);
      if (names.length === 0) return plan;
      const words = names.join(', ');
      return {
        ...plan,
        held: words,
        alwaysAsk: true,
        notes: [...plan.notes, message('note.still_held', { what: words })],
      };
    },
  };
}

function staying(entries: readonly Entry[]): HeldInput {
  const inputs = entries.map(({ hold }) => hold.input);
  return { keys: inputs.flatMap(({ keys }) => keys), buttons: inputs.flatMap(({ buttons }) => buttons) };
}

function sameWindow(a: Window, b: Window): boolean {
  return a.id === b.id && a.app.pid === b.app.pid && a.app.startTime === b.app.startTime;
}
