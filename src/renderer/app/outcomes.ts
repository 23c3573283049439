/** How an action ended, as the page draws it. */
import { createContext, useContext } from 'react';
import type { IconName } from '../ui/Icon.js';
import type { Activity } from '../state/state.js';

type Outcome = Activity['outcome'];

export const OUTCOMES: Record<Outcome, { icon: IconName; tone: '' | 'ok' | 'wait' | 'bad' }> = {
  confirmed: { icon: 'check', tone: 'ok' },
  unverified: { icon: 'q', tone: 'wait' },
  no_change: { icon: 'minus', tone: '' },
  denied: { icon: 'x', tone: '' },
  no_answer: { icon: 'clock', tone: '' },
  failed: { icon: 'alert', tone: 'bad' },
  running: { icon: 'play', tone: '' },
  waiting: { icon: 'hand', tone: 'wait' },
};
const UNDONE: ReadonlySet<Outcome> = new Set(['denied', 'no_answer', 'failed', 'running', 'waiting']);

export const StillAskedContext = createContext<(row: Activity) => boolean>(() => true);

/** A call that ended while the person was asked waits for them only as long as that is open; it had no answer itself. */
export function useOutcome(row: Activity): Outcome {
  const stillAsked = useContext(StillAskedContext);
  return row.outcome === 'waiting' && !stillAsked(row) ? 'no_answer' : row.outcome;
}

/** Past tense for what was done, present tense for what was not. */
/** Its title is said in the past. */
export const isDone = ({ outcome }: Pick<Activity, 'outcome'>): boolean => !UNDONE.has(outcome);
