/** The icon and tone of each outcome of an action. */
import { createContext, useContext } from 'react';
import type { IconName } from '../ui/Icon.js';
import type { Activity } from '../../main/protocol/index.js';

type Outcome = Activity['outcome'];

export const OUTCOMES: Record<Outcome, { icon: IconName; tone: '' | 'ok' | 'wait' | 'bad' }> = {
  confirmed: { icon: 'check', tone: 'ok' },
  unverified: { icon: 'question', tone: 'wait' },
  no_change: { icon: 'minus', tone: '' },
  denied: { icon: 'x', tone: '' },
  no_answer: { icon: 'clock', tone: '' },
  failed: { icon: 'alert', tone: 'bad' },
  running: { icon: 'play', tone: '' },
  waiting: { icon: 'hand', tone: 'wait' },
};
const UNDONE: ReadonlySet<Outcome> = new Set(['denied', 'no_answer', 'failed', 'running', 'waiting']);

export const StillAskedContext = createContext<(row: Activity) => boolean>(() => true);

/** An action recorded as waiting counts as unanswered once its request is no longer open. */
export function useOutcome(row: Activity): Outcome {
  const stillAsked = useContext(StillAskedContext);
  return row.outcome === 'waiting' && !stillAsked(row) ? 'no_answer' : row.outcome;
}

/** Whether its title is in the past tense. */
export const isDone = ({ outcome }: Pick<Activity, 'outcome'>): boolean => !UNDONE.has(outcome);
