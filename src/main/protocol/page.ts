/** Messages between host and page: JSON over `/ws`, one object a message, validated at both ends. */
import * as z from 'zod';
import { messageOrTextSchema } from '../../messages/index.js';
import {
  watchAnswers,
  watchMessageSchemas,
  desktopMessageSchemas,
  demoAnswers,
  demoQuestions,
  commandMessageSchemas,
  commandNews,
  clientAnswers,
  clientQuestions,
  gabpAppAnswers,
  gabpAppMessageSchemas,
  gabpAppNews,
} from './live-data.js';
import { recordAnswers, recordQuestions } from './record.js';
import {
  taskAnswers,
  taskMessageSchemas,
  taskQuestions,
  settingsAnswers,
  settingsChanges,
  settingsQuestions,
} from './settings.js';
import {
  activitySchema,
  cardSchema,
  choiceKindSchema,
  grantSchema,
  healthSchema,
  pictureSchema,
  policySchema,
  seenCardSchema,
  statusSchema,
  speakerSchema,
  givenNameSchema,
} from './shown.js';

const iso = z.iso.datetime();
/** `ack_id`: of the question that the event belongs to. */
const numbered = { ack_id: z.uuid(), seq: z.number().int(), at: iso };

const agentMessageSchema = z.object({
  type: z.literal('agentMessage'),
  text: z.string(),
  ...numbered,
  agent: speakerSchema,
  quickReplies: z.array(z.string()).optional(),
});

const userMessageSchema = z.object({
  type: z.literal('userMessage'),
  text: z.string(),
  ...numbered,
  paired: z.boolean(),
  /** Set where the person wrote first: the agent that it is for. */
  to: speakerSchema.optional(),
  /** The agent's own client brought it. */
  inClient: z.literal(true).optional(),
  images: z.array(z.object({ mimeType: z.string(), base64: z.string() })).optional(),
});

/** The reply was written to the agent’s connection; nothing proves yet that the agent received it. */
const givenSchema = z.object({
  type: z.literal('given'),
  ...numbered,
});

/** A later call of the agent proves that it received the reply. */
const deliveredSchema = z.object({
  type: z.literal('delivered'),
  ...numbered,
});

const withdrawnSchema = z.object({
  type: z.literal('withdrawn'),
  ...numbered,
});

export const chatEventSchema = z.discriminatedUnion('type', [
  agentMessageSchema,
  userMessageSchema,
  givenSchema,
  deliveredSchema,
  withdrawnSchema,
]);
export type ChatEvent = z.infer<typeof chatEventSchema>;
export type AgentMessage = z.infer<typeof agentMessageSchema>;
export type UserMessage = z.infer<typeof userMessageSchema>;

const roleSchema = z.enum(['unpaired', 'paired']);
export type Role = z.infer<typeof roleSchema>;

/** The menubar popover, where dangerous acts and grants are decided: there is none, there is one, or this page is it. */
const popoverSchema = z.enum(['none', 'there', 'here']);
export type PopoverPlace = z.infer<typeof popoverSchema>;

export const paneSchema = z.enum(['accessibility', 'screenRecording', 'automation']);
export type Pane = z.infer<typeof paneSchema>;

/** Older parts of the conversation; also for unpaired pages. */
const earlierQuestion = z.object({ type: z.literal('earlier'), request: z.uuid(), before: z.number().int().min(1) });
const earlierAnswer = z.object({
  type: z.literal('earlier'),
  request: z.uuid(),
  /** Oldest first, all before the requested number. */
  events: z.array(chatEventSchema),
  /** `events` has everything between this number and the requested one; 0: there are no older events. */
  since: z.number().int(),
});

/** Writes to an agent that has asked nothing. It arrives with that agent's next call. */
const writeQuestion = z.object({
  type: z.literal('write'),
  request: z.uuid(),
  id: z.string().max(128),
  text: z.string().max(100_000),
});
const writeAnswer = z.object({ type: z.literal('write'), request: z.uuid(), seq: z.number().int() });

/** What the person calls a connected agent from now on; empty: its own name again. */
const renameQuestion = z.object({
  type: z.literal('renameAgent'),
  request: z.uuid(),
  id: z.string().max(128),
  name: z.string().max(400),
});
const renameAnswer = z.object({ type: z.literal('renameAgent'), request: z.uuid() });

/** The full capture behind the picture of an open card. For paired pages only. */
const cardPictureQuestion = z.object({ type: z.literal('cardPicture'), request: z.uuid(), id: z.uuid() });
const cardPictureAnswer = z.object({
  type: z.literal('cardPicture'),
  request: z.uuid(),
  digest: z.string(),
  /** null: there was none, or it was discarded. */
  picture: pictureSchema.nullable(),
});

/** Sent on connect, where the page is unpaired and gets no approvals or activity, on every change of its role, and on `resume`. */
const connectedSchema = z.object({
  type: z.literal('connected'),
  history: z.array(chatEventSchema),
  /** Oldest pending question, as the first chat specification has it; null where none. */
  pendingAckId: z.uuid().nullable(),
  pendingAckIds: z.array(z.uuid()),
  approvals: z.array(cardSchema),
  /** Newest first, at most 100. */
  activity: z.array(activitySchema),
  grants: z.array(grantSchema),
  policy: policySchema.nullable(),
  health: healthSchema.nullable(),
  status: statusSchema,
  /** Absent for an unpaired page. */
  names: z.array(givenNameSchema).optional(),
  cursor: z.number().int(),
  role: roleSchema,
  /** false: not proven to be the person's, so it gets nothing of the conversation and answers nothing. */
  mayRead: z.boolean().optional(),
  popover: popoverSchema.optional(),
  /** `history` starts after this seq; 0: it is complete. Merge by `seq`. */
  since: z.number().int().optional(),
  /** For a paired page to sign; new for each connection and after every use. */
  nonce: z.string(),
  /** The command that starts Chaperone on this machine; absent: `chaperone`. */
  command: z.string().optional(),
});

/** How an approval ended. `by` is `page`, `popover`, `agent`, `policy` or `host`. */
const approvalResolvedSchema = z.object({
  type: z.literal('approvalResolved'),
  id: z.uuid(),
  decision: z.enum(['allow', 'deny']),
  by: z.string(),
  reason: z.enum(['denied', 'timeout', 'withdrawn', 'paused', 'stopped']).optional(),
  message: messageOrTextSchema.optional(),
});

/** A page that may approve: one key, in one browser's storage. */
const pairedPageSchema = z.object({
  keyId: z.string(),
  pairedAt: iso,
  lastSeenAt: iso,
  /** Who issued its link: `popover`, `terminal` or `cli`. */
  by: z.string(),
  /** The program that opened its link; null: unknown. */
  browser: z.string().nullable().optional(),
  here: z.boolean(),
});
/** A pairing that the page has not dismissed yet. */
const pairingNewsSchema = pairedPageSchema.omit({ lastSeenAt: true, here: true }).extend({
  /** Paired before this page was. */
  before: z.boolean(),
  /** When it was revoked; null: it may still approve. */
  endedAt: iso.nullable(),
});
export type PairingNews = z.infer<typeof pairingNewsSchema>;
export type PairedPage = z.infer<typeof pairedPageSchema>;

export const toPageSchema = z.discriminatedUnion('type', [
  connectedSchema,
  agentMessageSchema,
  userMessageSchema,
  givenSchema,
  deliveredSchema,
  withdrawnSchema,
  z.object({ type: z.literal('approvalRequested'), approval: cardSchema }),
  /** The same card with another digest or orphan state. */
  z.object({ type: z.literal('approvalChanged'), approval: cardSchema }),
  approvalResolvedSchema,
  z.object({ type: z.literal('activity'), activity: activitySchema }),
  z.object({ type: z.literal('status'), status: statusSchema }),
  /** All of them, as the person changed one or an agent came that has one. */
  z.object({ type: z.literal('names'), names: z.array(givenNameSchema) }),
  z.object({ type: z.literal('grants'), grants: z.array(grantSchema) }),
  z.object({ type: z.literal('policy'), policy: policySchema }),
  z.object({ type: z.literal('health'), health: healthSchema }),
  z.object({ type: z.literal('paired'), keyId: z.string() }),
  z.object({
    type: z.literal('pairings'),
    pairings: z.array(pairedPageSchema),
    news: z.array(pairingNewsSchema).optional(),
  }),
  /** The code was correct; a person must now confirm this page in a paired page or in the popover. */
  z.object({ type: z.literal('pairingWaits'), where: z.enum(['page', 'popover']), expiresAt: iso }),
  earlierAnswer,
  writeAnswer,
  renameAnswer,
  cardPictureAnswer,
  ...clientAnswers,
  ...commandNews,
  ...demoAnswers,
  ...gabpAppAnswers,
  ...gabpAppNews,
  ...recordAnswers,
  ...settingsAnswers,
  ...taskAnswers,
  ...watchAnswers,
  /** `about`: id of the card, question or request that failed. */
  z.object({ type: z.literal('error'), code: z.string(), message: messageOrTextSchema, about: z.string().optional() }),
]);
export type ToPage = z.infer<typeof toPageSchema>;

export const publicKeySchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string().max(64),
  y: z.string().max(64),
});

/** Positions of the pointer and the card, in CSS pixels of the viewport; `ratio`: display pixels per CSS pixel. */
const pressPlaceSchema = z.object({
  x: z.number(),
  y: z.number(),
  ratio: z.number().positive().max(100),
  card: z.object({ x: z.number(), y: z.number(), width: z.number().min(0), height: z.number().min(0) }),
});
export type PressPlace = z.infer<typeof pressPlaceSchema>;

const MAX_SHOWN_WITH = 20;

export const fromPageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ack'),
    id: z.uuid(),
    message: z.string().max(100_000),
    images: z
      .array(
        z.object({
          mimeType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
          base64: z.string().max(4_000_000),
        }),
      )
      .max(4)
      .optional(),
  }),
  /** A press on Allow began. The host takes the time itself, and ignores an allowing `approval` without a press. */
  z.object({
    type: z.literal('press'),
    ...seenCardSchema.shape,
    with: z.array(seenCardSchema).max(MAX_SHOWN_WITH).optional(),
    place: pressPlaceSchema.optional(),
  }),
  z.object({
    type: z.literal('approval'),
    ...seenCardSchema.shape,
    /** The others that were shown on the same card; the decision is for all of these or for none. */
    with: z.array(seenCardSchema).max(MAX_SHOWN_WITH).optional(),
    decision: z.enum(['allow', 'deny']),
    grant: choiceKindSchema.optional(),
    /** For a request that asks for a desktop; absent: one of the agent's own. */
    desktop: z.enum(['own', 'shared']).optional(),
    message: z.string().max(4_000).optional(),
  }),
  /** Gives a request more time. */
  z.object({ type: z.literal('moreTime'), id: z.uuid() }),
  z.object({ type: z.literal('abort'), executionId: z.uuid().optional() }),
  z.object({ type: z.literal('pause'), on: z.boolean() }),
  z.object({ type: z.literal('resume'), cursor: z.number().int().min(0) }),
  /** base64url ECDSA P-256 SHA-256 signature over {@link signedText}. */
  z.object({ type: z.literal('authenticate'), keyId: z.string().max(128), signature: z.string().max(256) }),
  /** `document.visibilityState`; sent on every connect and when it changes. */
  z.object({ type: z.literal('visibility'), visible: z.boolean() }),
  z.object({ type: z.literal('pair'), code: z.string().max(128), publicKey: publicKeySchema }),
  z.object({ type: z.literal('revokeGrant'), id: z.uuid() }),
  z.object({ type: z.literal('revokePairing'), keyId: z.string().max(128) }),
  z.object({ type: z.literal('dismissPairings'), keyIds: z.array(z.string().max(128)).max(200) }),
  z.object({ type: z.literal('setPolicy'), preset: z.enum(['standard', 'strict', 'readonly']) }),
  z.object({ type: z.literal('openPopover') }),
  /** From the popover: opens the page, paired, in the person's browser. */
  z.object({ type: z.literal('openBrowser') }),
  z.object({ type: z.literal('openPermission'), pane: paneSchema }),
  /** Starts the app again, where nothing runs or waits. */
  z.object({ type: z.literal('relaunch') }),
  earlierQuestion,
  writeQuestion,
  renameQuestion,
  cardPictureQuestion,
  ...clientQuestions,
  ...commandMessageSchemas,
  ...desktopMessageSchemas,
  ...demoQuestions,
  ...gabpAppMessageSchemas,
  ...recordQuestions,
  ...watchMessageSchemas,
  ...settingsQuestions,
  ...settingsChanges,
  ...taskMessageSchemas,
  ...taskQuestions,
]);
export type FromPage = z.infer<typeof fromPageSchema>;

/** Messages with a `request` id, chosen by the page, get an answer with the same id and type. */
type PageQuestion = Extract<FromPage, { request: string }>;
export type PageAnswer = Extract<ToPage, { request: string }>;
export type QuestionType = PageQuestion['type'];
export type QuestionFields<T extends QuestionType> = {
  [Q in PageQuestion as Q['type']]: Omit<Q, 'type' | 'request'>;
}[T];
export type AnswerTo<T extends QuestionType> = { [A in PageAnswer as A['type']]: A }[T];

/** What a paired page signs: binds the signature to its origin, to this host and to this connection. */
export function signedText(origin: string, host: string, nonce: string): string {
  return `chaperone-page/1\n${origin}\n${host}\n${nonce}`;
}
