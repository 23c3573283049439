import type { Plan } from '../pipeline/plan.js';

export const listing = (target: string) => ({ verb: 'List', done: 'Listed', target, app: null, place: null });

export const lookingUp = (target: string) => ({ verb: 'Look up', done: 'Looked up', target, app: null, place: null });

/** What the person is asked before names and titles are given away. */
export function planTitles(what: string): Plan {
  return {
    subject: { verb: 'Read', done: 'Read', target: what, app: null, place: null },
    target: { kind: 'titles' },
    window: null,
    ancestors: [],
    text: null,
    notes: [],
    look: null,
    needsFocus: false,
    alwaysAsk: false,
    pixels: null,
  };
}
