/** What the schemas of several tools share. */
import type * as z from 'zod';
import type { Message } from '../../messages/index.js';
import { WireError, subjectWithoutPlace, title, type Subject, type Title } from '../protocol/index.js';
import { planWithoutTarget, type Plan } from '../approvals/plan.js';

/** Whether the text has no lone surrogates, so that UTF-8 can represent it. */
export const isWellFormed = (text: string): boolean => !/\p{Cs}/u.test(text);

/** An alias of a parameter: accepted but not published. */
export const alias = <T extends z.ZodType>(schema: T) => schema.optional().meta({ unpublished: true });

/** Leaves a result field out of the published schema. */
export const unpublished = <T extends z.ZodType>(schema: T) => schema.meta({ unpublished: true });

export const invalidRequest = (text: Message, reason = 'invalid_params', next?: string): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', text, { reason, ...(next === undefined ? {} : { next }) });

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
