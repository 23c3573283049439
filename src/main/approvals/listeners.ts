/** The events of approvals, and which change emits which. */
import { createEmitter } from '../../base/emitter.js';
import type { Grant, Status } from '../protocol/index.js';
import type { ControlEffects } from './control.js';
import type { DurableWriter } from './durable-writer.js';
import type { CardEvent } from './events.js';
import type { Parts } from './parts.js';
import type { Policy } from './policy.js';

type Events = ReturnType<typeof createApprovalEvents>;

export function createApprovalEvents(log: Parts['log']) {
  return {
    card: createEmitter<CardEvent>(log),
    pause: createEmitter<Status['paused']>(log),
    grants: createEmitter<Grant[]>(log),
    policy: createEmitter<Policy>(log),
    memoryCleared: createEmitter<void>(log),
    pressAgain: createEmitter<string>(log),
  };
}

export interface Listeners {
  onCard(listener: (event: CardEvent) => void): () => void;
  onPause(listener: (paused: Status['paused']) => void): () => void;
  onGrants(listener: (grants: Grant[]) => void): () => void;
  onPolicy(listener: (policy: Policy) => void): () => void;
  /** Something remembered was cleared. What is added comes with a decision and has no event of its own. */
  onMemoryCleared(listener: () => void): () => void;
  /** An Allow was refused because of injected or held input: keep the lane until it is pressed again. */
  onPressAgain(listener: (approvalId: string) => void): () => void;
}

export const listenersOf = (events: Events): Listeners => ({
  onCard: events.card.on,
  onPause: events.pause.on,
  onGrants: events.grants.on,
  onPolicy: events.policy.on,
  onMemoryCleared: events.memoryCleared.on,
  onPressAgain: events.pressAgain.on,
});

export function createControlEffects(
  { grants, pauses, rules, log }: Parts,
  events: Events,
  policyFile: DurableWriter,
  armTimer: () => void,
): ControlEffects {
  return {
    pausesChanged() {
      events.pause.emit(pauses.shown());
      armTimer();
    },
    grantsChanged: () => events.grants.emit(grants.list()),
    memoryCleared: () => events.memoryCleared.emit(),
    policyChanged() {
      events.policy.emit(structuredClone(rules.policy));
      try {
        policyFile.write();
      } catch (thrown) {
        log(thrown);
        armTimer();
      }
    },
  };
}
