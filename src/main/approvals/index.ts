/**
 * Approvals: policy, grants, cards and the person's answers. Called by the pipeline (the {@link Approver} port), by pages and
 * popover with answers, and by the host for pauses and stops. Never allows anything by accident: what fails, or is unclear, is denied.
 */
import type { Signal } from '../../base/signal.js';
import { mkdirSync } from 'node:fs';
import type { Agent } from '../protocol/index.js';
import type { ApprovalRequest, Approver, Decision } from '../pipeline/ports.js';
import { createAnswer } from './answer.js';
import { createClock } from './clock.js';
import { createControl, type Control } from './control.js';
import { askPerson, createApprover } from './decide.js';
import { createDurableWriter } from './durable-writer.js';
import type { ChangeResult, PersonAnswer } from './events.js';
import { createControlEffects, createApprovalEvents, listenersOf, type Listeners } from './listeners.js';
import type { OnWaiting } from './open-card.js';
import { createParts, type PartsOptions } from './parts.js';
import type { Policy } from './policy.js';
import { createPresses, type Injector, type PressBegan } from './presses.js';
import { createReads, type ApprovalReads } from './reads.js';
import { createTimer } from './timer.js';
import { createTokens, type TokenStore } from './tokens.js';
import { message } from '../../messages/index.js';

export { isFileManager } from './choices.js';
export * from './digest.js';
export type { CardEvent, ChangeResult, PersonAnswer, Where } from './events.js';
export { presetPolicy, shownPolicy, switchPreset, widens, withExcluded, type Policy } from './policy.js';
export { loadPolicy, savePolicy } from './policy-file.js';

export interface ApprovalsOptions extends PartsOptions {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of running time; tests give their own. */
  running?(): number;
  /** A popover exists: dangerous requests and grants are decided there only. */
  popover: boolean;
  /** Releases every key and button that is held down for an agent; false when there was none. */
  releaseHeld(): boolean;
  /** The agent with this id, where it is connected. */
  agentOf?(agentId: string): Agent | null;
  /** Saves a policy that a person changed, for the next start; absent where the change is for this run only. */
  savePolicy?(policy: Policy): void;
  log(message: string, thrown: unknown): void;
  pressLimits?: PressLimits;
}

/** Milliseconds. */
export interface PressLimits {
  /** How long a new or changed card takes no answer. */
  deadMs: number;
  /** How long before a press on Allow no input may have been injected. */
  quietMs: number;
}

export interface Approvals extends Approver, Control, ApprovalReads, Listeners {
  /** Asks a person about something that is not an agent's act. No policy, grant, memory or phrase decides it, and nothing of it is kept. Rejects with the signal's reason. */
  askPerson(request: ApprovalRequest, onWaiting: OnWaiting, signal: Signal): Promise<Decision>;
  /** Never throws: a refused answer says why. */
  answer(answer: PersonAnswer): ChangeResult;
  /** A page reports that a press on Allow began; the time is this host's. */
  pressBegan(press: PressBegan): void;
  /** Input was injected: an Allow that is pressed around this time does not count. */
  injected(by: Injector): void;
  tokens: TokenStore;
  /** Ends what has expired. Runs by itself while anything is open. */
  sweep(): void;
  /** Rejects all waiting calls; cards stay on disk for the next host. */
  close(): void;
}

const PRESS_LIMITS: PressLimits = { deadMs: 500, quietMs: 1_000 };

/** Throws when the state folder cannot be made. */
export function createApprovals({ pressLimits = PRESS_LIMITS, ...options }: ApprovalsOptions): Approvals {
  mkdirSync(options.stateDir, { recursive: true, mode: 0o700 });
  const log = (thrown: unknown) => options.log('approvals', thrown);
  const clock = createClock(options.now, options.running);
  const events = createApprovalEvents(log);
  const { parts, state } = createParts(options, clock, log, (event) => {
    events.card.emit(event);
    timer.arm();
  });
  const { grants, queue, rules } = parts;
  grants.onUse(() => events.grants.emit(grants.list()));
  const policyFile = createDurableWriter(() => options.savePolicy?.(structuredClone(rules.policy)));
  const tokens = createTokens(clock);
  const effects = createControlEffects(parts, events, policyFile, () => timer.arm());
  const control = createControl(parts, tokens, state.write, effects, (id) => options.agentOf?.(id) ?? null);
  const presses = createPresses(clock, pressLimits.quietMs);
  const answering = createAnswer(
    parts,
    { ...options, presses, deadMs: pressLimits.deadMs },
    {
      grantsChanged() {
        events.grants.emit(grants.list());
        timer.arm();
      },
      thirdDenial: (agentId) =>
        void control.pause({
          on: true,
          by: 'host',
          where: 'host',
          agentId,
          reason: message('pause.three_denials'),
        }),
      pressAgain: (id) => events.pressAgain.emit(id),
    },
  );
  const sweep = () => {
    queue.sweep();
    if (grants.expire()) events.grants.emit(grants.list());
    for (const file of [state, policyFile]) file.retry();
  };
  const pending = () => queue.open().length + queue.file().kept.length + grants.list().length > 0;
  const timer = createTimer(sweep, log, () => pending() || state.isPending() || policyFile.isPending());
  timer.arm();

  return {
    ...createApprover(parts),
    ...control,
    askPerson: (request, onWaiting, signal) => askPerson(parts, request, onWaiting, signal),
    ...answering,
    injected: presses.injected,
    tokens,
    sweep,
    ...createReads(parts),
    ...listenersOf(events),
    close() {
      rules.closed = true;
      timer.stop();
      queue.detachAll();
      for (const file of [state, policyFile]) file.retry();
    },
  };
}
