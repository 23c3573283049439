/**
 * Windows that may still be loading when a person is to be asked about them: what they then allow would not be there any more. Comes in:
 * the plan of a request. Called right before a person is asked.
 */
import { LRUCache } from 'lru-cache';
import { delay } from '../../base/poll.js';
import type { Window } from '../../native/desktop.js';
import { message } from '../../messages/index.js';
import { WireError } from '../protocol/index.js';
import { planDrift } from './compare.js';
import type { Plan } from '../approvals/plan.js';
import type { AgeOf } from './target/wait-until-started.js';

/** The first window of a younger process may still be loading. */
const STARTING_MS = 30_000;
/** A window that has not changed for so long has loaded. */
const UNCHANGED_MS = 400;
/** Some windows never rest. */
const MAX_WAIT_MS = 5_000;
const POLL_MS = 100;
const MAX_PROCESSES = 200;
const MAX_WINDOWS = 1_000;

/** The plan is another by now, and everything that follows from it is found out anew. Nobody was asked. */
export class PlanOutdated extends WireError {
  constructor() {
    super('DESKTOP_TARGET_CHANGED', message('error.changed', { part: 'window', field: '' }));
  }
}

export class NewWindows {
  private readonly processes = new LRUCache<string, true>({ max: MAX_PROCESSES });
  private readonly loaded = new LRUCache<string, true>({ max: MAX_WINDOWS });

  /** `ageOf`: milliseconds since a process started; null where unknown. */
  constructor(private readonly ageOf: AgeOf) {}

  /** Waits until the plan's window has loaded. Throws PlanOutdated where `planAgain` then gives, or gave meanwhile, another plan. */
  async waitUntilLoaded(plan: Plan, planAgain: () => Promise<Plan>, signal: AbortSignal): Promise<void> {
    const { window } = plan;
    if (window === null) return;
    const isNew = this.isNew(window);
    this.processes.set(processOf(window), true);
    this.loaded.set(windowKey(window), true);
    if (isNew && (await changesWhileLoading(plan, planAgain, signal))) throw new PlanOutdated();
  }

  /** Of a process with other windows, any that nobody was asked about; else the one that a young process starts with. */
  private isNew(window: Window): boolean {
    if (this.loaded.has(windowKey(window))) return false;
    const age = this.ageOf(window.app.pid);
    return this.processes.has(processOf(window)) || (age !== null && age < STARTING_MS);
  }
}

const processOf = ({ app: { pid, startTime } }: Window): string => `${pid} ${startTime}`;
const windowKey = (window: Window): string => `${processOf(window)} ${window.id}`;

async function changesWhileLoading(plan: Plan, planAgain: () => Promise<Plan>, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + MAX_WAIT_MS;
  let [last, changedAt] = [plan, performance.now()];
  while (performance.now() - changedAt < UNCHANGED_MS && performance.now() < end) {
    await delay(POLL_MS, signal);
    try {
      const now = await planAgain();
      if (planDrift(last, now).length > 0) [last, changedAt] = [now, performance.now()];
    } catch {
      signal.throwIfAborted();
      // The target is gone. The call is planned again, and that plan's error says so.
      return true;
    }
  }
  return last !== plan;
}
