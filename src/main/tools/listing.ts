import { planWithoutTarget, type Plan } from '../approvals/plan.js';
import { subjectWithoutPlace, title, type Subject, type Title } from '../protocol/index.js';

type ListedKind = Extract<Title, { code: 'title.list' }>['params']['what'];
type LookedUpKind = Extract<Title, { code: 'title.look_up' }>['params']['what'];

export const listSubject = (what: ListedKind): Subject => subjectWithoutPlace(title('title.list', { what }));

export const lookUpSubject = (what: LookedUpKind, name: string | null = null): Subject =>
  subjectWithoutPlace(title('title.look_up', { what }), name);

/** The plan for disclosing application names and window titles. */
export const planTitles = (act: Title): Plan => ({
  ...planWithoutTarget(subjectWithoutPlace(act)),
  target: { kind: 'titles' },
});
