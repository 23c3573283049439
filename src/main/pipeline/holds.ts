/** Keys and buttons that stay down after the call that pressed them. Their agent keeps the desktop lane meanwhile. */
import { isDeepStrictEqual } from 'node:util';
import { randomUUID } from 'node:crypto';
import { isSameWindow, type DesktopBackend, type HeldInput, type Point, type Window } from '../../native/desktop.js';
import type { CallClock } from './call-clock.js';
import type { Executions } from './executions.js';
import { Stopped } from './failures.js';
import type { Locks } from './locks.js';
import type { Plan } from '../approvals/plan.js';
import type { Caller, Decision } from '../approvals/request.js';
import { message } from '../../messages/index.js';

export interface HoldOrigin {
  at: Point | null;
  window: Window | null;
}

export interface HeldInputHandle extends HoldOrigin {
  readonly input: HeldInput;
  /** Releases it; resolves once it is up. */
  end(): Promise<void>;
}

interface HoldContext {
  caller: Caller;
  executionId: string;
  callId: string;
  decision: Decision;
  plan: Plan | null;
}

export interface HandlerHolds {
  /** Keeps `input`, which is already pressed, down after the call: until `end`, for 30 s, or until the agent is stopped. */
  hold(ctx: HoldContext, input: HeldInput, origin: HoldOrigin): HeldInputHandle;
  of(agentId: string): readonly HeldInputHandle[];
  /** The approval of the held button also covers moving and releasing it in the same window; null for a plan that does more. */
  coveringDecision(agentId: string, plan: Plan): Decision | null;
}

export interface Holds extends HandlerHolds {
  /** Enters the desktop lane for one call; an agent that holds something down has it already. Returns a function that leaves it, once. */
  enter(agentId: string, clock: Pick<CallClock, 'stop' | 'halt'>): Promise<() => void>;
  /** Called at the end of a call: releases everything except registered holds; after a stop, those as well. */
  settle(agentId: string, stop: AbortSignal): Promise<void>;
  /** Releases everything that the agent holds, and stops the call that uses it. null: all agents. */
  release(agentId: string | null, reason: Stopped): Promise<void>;
  /** Releases the holds of all callers that `fits` accepts. */
  releaseWhere(fits: (caller: Caller) => boolean, reason: Stopped): Promise<void>;
  /** Releases all holds because the person is about to press Allow. Returns false when nothing is held. */
  releaseForPerson(): boolean;
  /** Adds held input to a plan, and makes the person be asked for it. */
  withHeldNote(agentId: string, plan: Plan): Plan;
}

interface HoldsOptions {
  lane: Locks;
  desktop: Pick<DesktopBackend, 'releaseAll'>;
  executions: Executions;
  /** An agent that is not connected cannot hold input: nobody would release it. */
  isPresent?(agentId: string): boolean;
  maxHoldMs?: number;
}

interface HeldEntry {
  hold: HeldInputHandle;
  caller: Caller;
  decision: Decision;
  /** The consequence that the card of the press described. */
  consequence: Plan['consequence'];
  /** Whether that card said that nothing identifies what is pressed. */
  unclear: boolean;
  dispose(): void;
}

const MAX_HOLD_MS = 30_000;

export function createHolds(options: HoldsOptions): Holds {
  const { lane, desktop, executions, isPresent = () => true, maxHoldMs = MAX_HOLD_MS } = options;
  const held = new Set<HeldEntry>();
  const callsInLane = new Set<Pick<CallClock, 'stop' | 'halt'>>();
  let owner: { agentId: string; leave: () => void } | null = null;

  const leaveLaneIfIdle = () => {
    if (owner === null || held.size > 0 || callsInLane.size > 0) return;
    const { leave } = owner;
    owner = null;
    leave();
  };

  async function releaseEntries(entries: readonly HeldEntry[]): Promise<void> {
    for (const entry of entries) if (held.delete(entry)) entry.dispose();
    await desktop.releaseAll(combinedInput([...held]));
    leaveLaneIfIdle();
  }

  async function stopWhere(fits: (caller: Caller) => boolean, reason: Stopped): Promise<void> {
    const entries = [...held].filter(({ caller }) => fits(caller));
    if (entries.length === 0) return;
    for (const clock of callsInLane) clock.halt(reason);
    await releaseEntries(entries);
  }

  const ownedBy = (agentId: string | null) => (caller: Caller) => agentId === null || caller.agent.id === agentId;

  return {
    async enter(agentId, clock) {
      clock.stop.throwIfAborted();
      if (held.size === 0 || owner?.agentId !== agentId) {
        const leave = await lane.enter('desktop', clock.stop);
        owner = { agentId, leave };
      }
      callsInLane.add(clock);
      return () => {
        if (callsInLane.delete(clock)) leaveLaneIfIdle();
      };
    },
    hold({ caller, executionId, callId, decision, plan }, input, origin) {
      if (owner?.agentId !== caller.agent.id) throw new Error('only the agent that has the lane can hold input');
      if (!isPresent(caller.agent.id)) throw new Stopped('abort', message('stopped.agent_gone'));
      const end = () => releaseEntries([entry]);
      const stopped = (reason: Stopped) => void stopWhere(ownedBy(caller.agent.id), reason);
      const late = new Stopped('timeout', message('stopped.held_too_long', { seconds: maxHoldMs / 1000 }));
      const timer = setTimeout(() => stopped(late), maxHoldMs).unref();
      const remove = executions.add({
        executionId: randomUUID(),
        aliases: [executionId, callId],
        caller,
        tool: 'held input',
        stop: stopped,
      });
      const dispose = () => {
        clearTimeout(timer);
        remove();
      };
      const consequence = plan?.consequence ?? null;
      const unclear = plan?.unclear === true;
      const entry: HeldEntry = { hold: { ...origin, input, end }, caller, decision, consequence, unclear, dispose };
      held.add(entry);
      return entry.hold;
    },
    of: (agentId) => [...held].filter(({ caller }) => caller.agent.id === agentId).map(({ hold }) => hold),
    async settle(agentId, signal) {
      // A call that was never in the lane has pressed nothing, and must not lift what another is pressing.
      if (owner?.agentId !== agentId) return;
      if (signal.aborted) await releaseEntries([...held]);
      else await desktop.releaseAll(combinedInput([...held]));
    },
    release: (agentId, reason) => stopWhere(ownedBy(agentId), reason),
    releaseWhere: stopWhere,
    coveringDecision(agentId, plan) {
      const { withHeld, drop, window } = plan;
      if (withHeld === undefined) return null;
      const entry = [...held].find(({ caller, hold }) => caller.agent.id === agentId && hold.input.buttons.length > 0);
      if (entry === undefined || entry.decision.kind !== 'allowed') return null;
      if (withHeld === 'cancel') return entry.decision;
      // A menu activates the item under the released button, which may not be what the card of the press described.
      if (plan.consequence != null && !isDeepStrictEqual(plan.consequence, entry.consequence)) return null;
      if (plan.unclear === true && !entry.unclear) return null;
      const pressed = entry.hold.window;
      const inside = [window, drop?.window ?? null].every(
        (one) => one !== null && pressed !== null && isSameWindow(one, pressed),
      );
      return inside ? entry.decision : null;
    },
    releaseForPerson() {
      if (held.size === 0) return false;
      void stopWhere(() => true, new Stopped('person', message('stopped.allow_pressed')));
      return true;
    },
    withHeldNote(agentId, plan) {
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

function combinedInput(entries: readonly HeldEntry[]): HeldInput {
  const inputs = entries.map(({ hold }) => hold.input);
  return { keys: inputs.flatMap(({ keys }) => keys), buttons: inputs.flatMap(({ buttons }) => buttons) };
}
