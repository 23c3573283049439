/**
 * Which requests a person may read and allow on one card. Comes in: a request, its facts and its card. Goes out: whether it may stand
 * beside others of its agent. Never here: what acts, runs, warns or asks every time. Whatever is not known to be harmless stands alone.
 */
import { reveal, textsIn, type Card } from '../protocol/index.js';
import { isOneOf, NEVER_ALWAYS } from './app-kinds.js';
import type { OpenCard } from './open-card.js';
import type { Plan, PlanTarget } from './plan.js';
import type { ApprovalRequest } from './request.js';
import { namesOf, type RequestFacts } from './request-facts.js';

/** More would not be read, and would not fit into the popover. */
export const MAX_TOGETHER = 6;

const MAX_NAME_CHARS = 80;

type Shown = Omit<Card, 'digest'>;

export const mayStandTogether = (request: ApprovalRequest, asked: RequestFacts, card: Shown): boolean =>
  request.plan !== null &&
  request.unseen !== true &&
  onlySees(request.plan) &&
  isPlainlyAsked(asked) &&
  card.effect === 'disclose' &&
  card.text === null &&
  card.notes.length === 0 &&
  isReadAtOnce(card);

/**
 * Calls that were sent together are planned within this time of each other. Each that comes makes the buttons dead again; later, when
 * the person is deciding, none does.
 */
const GATHER_MS = 3_000;

/** Whether another request may come onto the card of these. */
export function takesMore(own: readonly OpenCard[], time: number): boolean {
  const group = own[0]?.card.group;
  return (
    group !== undefined &&
    own.length < MAX_TOGETHER &&
    own.every(({ card }) => card.group === group && !card.orphaned && time - Date.parse(card.createdAt) < GATHER_MS)
  );
}

/** All that such a plan may say. What else it says makes it stand alone, also what later versions say. */
const PLAIN: ReadonlySet<string> = new Set<keyof Plan>([
  ...(['subject', 'target', 'window', 'application', 'ancestors', 'covers', 'look', 'pixels', 'titlesUnseen'] as const),
]);

const SEEN: ReadonlySet<PlanTarget['kind']> = new Set<PlanTarget['kind']>([
  ...(['element', 'point', 'window', 'reading', 'titles', 'screen'] as const),
]);

const onlySees = (plan: Plan): boolean =>
  SEEN.has(plan.target.kind) && Object.entries(plan).every(([name, value]) => PLAIN.has(name) || isNothing(value));

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

/** What is on the screen: no clipboard, and none of the applications that may hold secrets or run anything. */
const ON_SCREEN = /^(app:|area:|titles$|screen$)/;

const isPlainlyAsked = (asked: RequestFacts): boolean =>
  !asked.alwaysAsk &&
  asked.personOnly === undefined &&
  asked.asksFor === undefined &&
  asked.file === undefined &&
  asked.command === undefined &&
  asked.steps === undefined &&
  asked.opens === undefined &&
  ON_SCREEN.test(asked.memory) &&
  (asked.app === null || !isOneOf(NEVER_ALWAYS, namesOf(asked.app)));

/** Nothing in it is hidden, misleading or cut. */
function isReadAtOnce({ agent, subject, arguments: given, process, window, documentUrl, ancestors }: Shown): boolean {
  const said = textsIn([agent.name, agent.claim, subject, given, process, window, documentUrl, ancestors]);
  const named = textsIn([subject.title.params, subject.target, subject.app, subject.place]);
  return said.every((text) => !reveal(text).marked) && named.every((text) => [...text].length <= MAX_NAME_CHARS);
}
