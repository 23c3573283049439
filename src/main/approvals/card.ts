/** A request as the card a person reads. */
import * as z from 'zod';
import { cardSchema, type Card, type GrantChoice, type ShownStep } from '../protocol/index.js';
import type { ApprovalRequest } from './request.js';
import type { Fact, PixelFingerprint, Plan, StepPlan } from './plan.js';
import { samePixels } from './pixels.js';
import { canonicalJson, cardDigest, digestOf, requestPart } from './digest.js';
import { isDoubt } from './trust.js';
import { quote } from '../../base/text.js';
import { message, verbatim, type Message } from '../../messages/index.js';

/** What the person saw of a request, to compare it with a repeated call. */
export interface Seen {
  /** Digest of everything that matters for the decision, except pixels and doubts. */
  request: string;
  /** Codes of the notes that say why nothing that was allowed counts for the caller. */
  doubts: string[];
  /** null for reads: reading again what has changed is the same request. */
  pixels: PixelFingerprint | null;
}

/** Throws when the request cannot be shown completely, because then it cannot be approved. */
export function createCard(
  request: ApprovalRequest,
  offered: Pick<Card, 'id' | 'createdAt' | 'expiresAt' | 'noAlways'> & { grants: GrantChoice[]; moreNotes?: Message[] },
): Card {
  const { plan } = request;
  const { moreNotes = [], ...fixed } = offered;
  const card = {
    ...fixed,
    executionId: request.executionId,
    agent: request.caller.agent,
    effect: request.action.effect,
    tool: request.action.name,
    subject: request.subject,
    arguments: asSent(request.arguments),
    text: plan?.text ?? null,
    workspace: request.workspace,
    process: processOf(plan),
    window: plan?.window?.title ?? null,
    documentUrl: plan?.window?.documentUrl ?? null,
    ancestors: plan?.ancestors ?? [],
    notes: [...(plan === null ? (request.notes ?? []) : notesOf(plan)), ...moreNotes],
    ...(plan?.covers === undefined ? {} : { covers: plan.covers }),
    ...(plan?.desktops === true ? { desktops: true as const } : {}),
    ...(plan?.plain === undefined ? {} : { plain: plan.plain }),
    ...(plan?.steps === undefined ? {} : { steps: plan.steps.map(stepOf) }),
    ...(plan?.task === undefined ? {} : { task: { ...plan.task, scope: plan.task.asked } }),
    picture: request.picture,
    orphaned: false,
  };
  const checked = cardSchema.omit({ digest: true }).parse(card);
  return { ...checked, digest: cardDigest(checked) };
}

const notesOf = (plan: Plan | null): Message[] => (plan === null ? [] : [...consequenceNotes(plan), ...plan.notes]);

function processOf(plan: Plan | null): Card['process'] {
  const app = plan?.window?.app;
  return app === undefined ? null : { name: app.name, appId: app.id, pid: app.pid, startTime: app.startTime };
}

function stepOf({ tool, effect, subject, arguments: given, plan, late }: StepPlan): ShownStep {
  return {
    tool,
    effect,
    subject,
    arguments: z.json().parse(asSent(given)),
    text: plan?.text ?? null,
    process: processOf(plan),
    window: plan?.window?.title ?? null,
    documentUrl: plan?.window?.documentUrl ?? null,
    notes: [...(plan?.covers ?? []), ...notesOf(plan)],
    late: late === null ? null : (late.app?.name ?? late.name),
  };
}

export function seenOf(request: ApprovalRequest, card: Card): Seen {
  const target = request.plan === null ? null : stable(request.plan.target);
  const windowId = request.plan?.window?.id ?? null;
  const acts = request.action.effect !== 'read' && request.action.effect !== 'disclose';
  return {
    request: digestOf([
      requestPart({ ...card, notes: card.notes.filter((note) => !isDoubt(note)) }),
      target,
      windowId,
      dropOf(request.plan),
      filesOf(request.plan),
      ...(request.plan?.steps ?? []).map(stepTarget),
    ]),
    doubts: card.notes.filter(isDoubt).map(({ code }) => code),
    pixels: acts ? (request.plan?.pixels ?? null) : null,
  };
}

/** Whether what was shown still says all that matters. A doubt that has passed changes nothing: the card offers less than it could. */
export function sameSeen(shown: Seen, now: Seen): boolean {
  if (shown.request !== now.request || now.doubts.some((doubt) => !shown.doubts.includes(doubt))) return false;
  if (shown.pixels === null || now.pixels === null) return shown.pixels === now.pixels;
  return samePixels(shown.pixels, now.pixels);
}

function stepTarget({ plan, late }: StepPlan): unknown {
  return [
    plan === null ? null : stable(plan.target),
    plan?.window?.id ?? null,
    late?.app?.pid ?? null,
    late?.origin ?? null,
    dropOf(plan),
    filesOf(plan),
  ];
}

const filesOf = (plan: Plan | null): unknown => [plan?.files ?? null, plan?.replaces ?? null];

/** The card shows only the title of the window where a drag ends, and several windows may have the same title. */
function dropOf(plan: Plan | null): unknown {
  if (plan?.drop === undefined) return null;
  const { point, window } = plan.drop;
  return [point, window === null ? null : [window.id, window.app.pid, window.app.startTime, window.documentUrl]];
}

/** Keeps the order of keys; throws for values that JSON cannot represent. */
function asSent(value: unknown): unknown {
  if (value === undefined) return null;
  canonicalJson(value);
  return JSON.parse(JSON.stringify(value));
}

/** What may differ between two reads of the same target: position, value, selection. */
const MOVING: ReadonlySet<string> = new Set(['frame', 'value', 'point', 'focused', 'visible', 'selected', 'description', 'actions']); // prettier-ignore

function stable(target: unknown): unknown {
  return JSON.parse(JSON.stringify(target, (name, value: unknown) => (MOVING.has(name) ? undefined : value)));
}

const MAX_FACT_LENGTH = 300;

/** Notes for the card: that the act has consequences, and its facts: the words of the window, not of the control that is pressed. */
function consequenceNotes({ consequence }: Pick<Plan, 'consequence'>): Message[] {
  if (consequence == null) return [];
  const facts = [...new Set(consequence.facts.map(formatFact))].map(verbatim);
  const around = facts.length === 0 ? [] : [message('note.window_shows')];
  return [message('note.has_consequences'), ...around, ...facts];
}

export function formatFact({ label, value }: Fact): string {
  const signs = [...value];
  const shown =
    signs.length > MAX_FACT_LENGTH
      ? `${signs.slice(0, MAX_FACT_LENGTH).join('')}… (+${signs.length - MAX_FACT_LENGTH})`
      : value;
  return label === '' ? quote(shown) : `${quote(label)}: ${quote(shown)}`;
}
