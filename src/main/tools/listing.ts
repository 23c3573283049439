import type { Plan } from '../pipeline/plan.js';
import { inNoPlace, title } from '../protocol/index.js';
import type { Subject, Title } from '../protocol/index.js';

type Listed = Extract<Title, { code: 'title.list' }>['params']['what'];
type LookedUp = Extract<Title, { code: 'title.look_up' }>['params']['what'];

export const listing = (what: Listed): Subject => inNoPlace(title('title.list', { what }));

export const lookingUp = (what: LookedUp, name: string | null = null): Subject =>
  inNoPlace(title('title.look_up', { what }), name);

/** The plan for disclosing application names and window titles. */
export function planTitles(act: Title): Plan {
  return {
    subject: inNoPlace(act),
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
