import type { Plan } from '../pipeline/plan.js';
import { inNoPlace, title } from '../protocol/index.js';
import type { Subject, SubjectTitle } from '../protocol/index.js';

type ListedKind = Extract<SubjectTitle, { code: 'title.list' }>['params']['what'];
type LookedUpKind = Extract<SubjectTitle, { code: 'title.look_up' }>['params']['what'];

export const listSubject = (what: ListedKind): Subject => inNoPlace(title('title.list', { what }));

export const lookUpSubject = (what: LookedUpKind, name: string | null = null): Subject =>
  inNoPlace(title('title.look_up', { what }), name);

/** The plan for disclosing application names and window titles. */
export function planTitles(act: SubjectTitle): Plan {
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
