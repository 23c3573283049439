/** Where the person is in the first steps, kept in this browser and over restarts. */
import { useEffect, useState } from 'react';
import type { Ask } from '../../net/questions.js';
import { isFresh, waitingCount } from '../../state/select.js';
import type { Health, PageState } from '../../state/state.js';
import { kept } from '../../ui/kept.js';

export const STEPS = ['what', 'permissions', 'connect'] as const;
export type Step = (typeof STEPS)[number];

const at = kept('first-step', STEPS);
const closed = kept('first-steps-closed', ['yes']);

export interface FirstSteps {
  step: Step;
  /** Finished, or left for later: they are not shown by themselves any more. */
  closed: boolean;
  go(step: Step): void;
  /** `finished`: the next time they begin anew. */
  close(finished: boolean): void;
}

export function useFirstSteps(): FirstSteps {
  const [step, setStep] = useState<Step>(() => at.read() ?? 'what');
  const [isClosed, setClosed] = useState(() => closed.read() !== null);
  return {
    step,
    closed: isClosed,
    go(next) {
      at.write(next);
      setStep(next);
    },
    close(finished) {
      if (finished) at.write(null);
      closed.write('yes');
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

const EVERY_MS = 3_000;

/** Has permissions looked at again while they are shown; the answer comes as news to the whole page. */
export function useRechecks(ask: Ask, online: boolean): void {
  useEffect(() => {
    if (!online) return undefined;
    const look = () => {
      if (document.visibilityState === 'visible') ask('check', { record: false }).catch(() => undefined);
    };
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [ask, online]);
}
