/** The current step of the introduction, stored in this browser. */
import { useEffect, useState } from 'react';
import type { Ask } from '../../net/host-questions.js';
import { isFresh, waitingCount } from '../../state/select.js';
import type { Health } from '../../../main/protocol/index.js';
import type { PageState } from '../../state/state.js';
import { storedChoice } from '../../ui/browser-storage.js';

export const STEPS = ['what', 'permissions', 'connect'] as const;
export type FirstStep = (typeof STEPS)[number];

const storedStep = storedChoice('first-step', STEPS);
const storedClosed = storedChoice('first-steps-closed', ['yes']);

export type FirstStepsState = ReturnType<typeof useFirstSteps>;

export function useFirstSteps() {
  const [step, setStep] = useState<FirstStep>(() => storedStep.read() ?? 'what');
  const [isClosed, setClosed] = useState(() => storedClosed.read() !== null);
  return {
    step,
    /** Finished or left for later; not shown automatically any more. */
    closed: isClosed,
    go(next: FirstStep): void {
      storedStep.write(next);
      setStep(next);
    },
    /** `finished`: the next time they begin anew. */
    close(finished: boolean): void {
      if (finished) storedStep.write(null);
      storedClosed.write('yes');
      setClosed(true);
    },
  };
}

/** Nothing has happened yet, or a permission is missing; never while something waits for the person. */
export function needsFirstSteps(state: PageState): boolean {
  if (waitingCount(state) > 0) return false;
  return isFresh(state) || lacksPermission(state.health);
}

export function lacksPermission(health: Health | null): boolean {
  return Object.values(health?.permissions ?? {}).some((given) => given === 'missing' || given === 'stale');
}

const POLL_MS = 3_000;

/** Has the host check permissions regularly while they are shown; the result arrives as a `health` message. */
export function usePermissionPolling(ask: Ask, online: boolean): void {
  useEffect(() => {
    if (!online) return undefined;
    const poll = () => {
      if (document.visibilityState === 'visible') ask('check', { record: false }).catch(() => undefined);
    };
    poll();
    const timer = setInterval(poll, POLL_MS);
    return () => clearInterval(timer);
  }, [ask, online]);
}
