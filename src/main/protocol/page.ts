/** Messages between host and page: JSON over `/ws`, one object a message, validated at both ends. */
import * as z from 'zod';
import { messageOrTextSchema } from '../../messages/index.js';
import { watchAnswers, watchMessageSchemas } from './live.js';
import { clientAnswers, clientQuestions } from './clients.js';
import { commandMessageSchemas, commandNews } from './commands.js';
import { demoAnswers, demoQuestions } from './demo.js';
import { recordAnswers, recordQuestions } from './record.js';
import { settingsAnswers, settingsChanges, settingsQuestions } from './settings.js';
import {
  activitySchema,
  cardSchema,
  grantKindSchema,
  grantSchema,
  healthSchema,
  pictureSchema,
  policySchema,
  statusSchema,
} from './shown.js';

const iso = z.iso.datetime();

const agentMessageSchema = z.object({
  type: z.literal('agentMessage'),
  text: z.string(),
  ack_id: z.uuid(),
  seq: z.number().int(),
  at: iso,
  agent: z.object({ id: z.string(), name: z.string(), tile: z.string() }),
  quickReplies: z.array(z.string()).optional(),
});

const userMessageSchema = z.object({
  type: z.literal('userMessage'),
  text: z.string(),
  ack_id: z.uuid(),
  seq: z.number().int(),
  at: iso,
  /** True when a paired page sent it. */
  paired: z.boolean(),
  images: z.array(z.object({ mimeType: z.string(), base64: z.string() })).optional(),
});

/** A reply was shown to have reached the agent: its next call came after taking it. */
const deliveredSchema = z.object({
  type: z.literal('delivered'),
  ack_id: z.uuid(),
  seq: z.number().int(),
  at: iso,
});
/** A question no longer waits: its agent withdrew it. */
const withdrawnSchema = z.object({
  type: z.literal('withdrawn'),
  ack_id: z.uuid(),
  seq: z.number().int(),
  at: iso,
});

export const chatEventSchema = z.discriminatedUnion('type', [
  agentMessageSchema,
  userMessageSchema,
  deliveredSchema,
  withdrawnSchema,
]);
export type ChatEvent = z.infer<typeof chatEventSchema>;
export type AgentMessage = z.infer<typeof agentMessageSchema>;
export type UserMessage = z.infer<typeof userMessageSchema>;

const roleSchema = z.enum(['unpaired', 'paired']);
export type Role = z.infer<typeof roleSchema>;

/** Whether dangerous acts and grants are decided in a menubar popover: there is none, it is elsewhere, or this page is it. */
const popoverSchema = z.enum(['none', 'there', 'here']);
export type PopoverPlace = z.infer<typeof popoverSchema>;

/** What of the system's privacy settings can be opened. */
export const paneSchema = z.enum(['accessibility', 'screenRecording', 'automation']);
export type Pane = z.infer<typeof paneSchema>;

/** Older parts of the conversation. Any page of this user may ask. */
const earlierQuestion = z.object({ type: z.literal('earlier'), request: z.uuid(), before: z.number().int().min(1) });
const earlierAnswer = z.object({
  type: z.literal('earlier'),
  request: z.uuid(),
  /** Oldest first, all before the number asked for. */
  events: z.array(chatEventSchema),
  /** Everything after this number and before the one asked for is there; 0: that was all. */
  since: z.number().int(),
});

/** All that was seen for an open card, of which the card has a part. Only a paired page may ask. */
const cardPictureQuestion = z.object({ type: z.literal('cardPicture'), request: z.uuid(), id: z.uuid() });
const cardPictureAnswer = z.object({
  type: z.literal('cardPicture'),
  request: z.uuid(),
  /** Of the card as it was then. */
  digest: z.string(),
  /** null: nothing was seen for it, or it is not kept any more. */
  picture: pictureSchema.nullable(),
});

/** Sent at once on connect (unpaired) and again whenever the role changes or the page asks with `resume`. */
const connectedSchema = z.object({
  type: z.literal('connected'),
  history: z.array(chatEventSchema),
  /** Oldest pending question, as the first chat specification has it; null where none. */
  pendingAckId: z.uuid().nullable(),
  pendingAckIds: z.array(z.uuid()),
  /** Empty for an unpaired page. */
  approvals: z.array(cardSchema),
  /** Newest first, at most 100; empty for an unpaired page. */
  activity: z.array(activitySchema),
  grants: z.array(grantSchema),
  policy: policySchema.nullable(),
  health: healthSchema.nullable(),
  status: statusSchema,
  cursor: z.number().int(),
  role: roleSchema,
  /** Absent: none. */
  popover: popoverSchema.optional(),
  /** `history` starts after this seq: 0 when it is whole, more where older events were left out. Merge by `seq`. */
  since: z.number().int().optional(),
  /** Fresh for each connection, and new after every use; a paired page signs it. */
  nonce: z.string(),
  /** What a person types on this machine to call the command line; absent: its name. */
  command: z.string().optional(),
});

/** How an approval ended. `by` is `page`, `popover`, `agent`, `policy` or `host`. */
const approvalResolvedSchema = z.object({
  type: z.literal('approvalResolved'),
  id: z.uuid(),
  decision: z.enum(['allow', 'deny']),
  by: z.string(),
  reason: z.enum(['denied', 'timeout', 'withdrawn', 'paused', 'stopped']).optional(),
  /** What the person said with Deny is verbatim. */
  message: messageOrTextSchema.optional(),
});

/** A page that may approve: one key, in one browser's storage. */
const pairedPageSchema = z.object({
  keyId: z.string(),
  pairedAt: iso,
  lastSeenAt: iso,
  /** Who issued its link: `popover`, `terminal` or `cli`. */
  by: z.string(),
  /** The program that redeemed its link; null where that is not known. */
  browser: z.string().nullable().optional(),
  /** The page this is sent to. */
  here: z.boolean(),
});
/** A pairing that the page has not dismissed yet. */
const pairingNewsSchema = pairedPageSchema.omit({ lastSeenAt: true, here: true }).extend({
  /** It was there before this page. */
  before: z.boolean(),
  /** When it was taken back; null: it may still approve. */
  endedAt: iso.nullable(),
});
export type PairingNews = z.infer<typeof pairingNewsSchema>;
export type PairedPage = z.infer<typeof pairedPageSchema>;

export const toPageSchema = z.discriminatedUnion('type', [
  connectedSchema,
  agentMessageSchema,
  userMessageSchema,
  deliveredSchema,
  withdrawnSchema,
  z.object({ type: z.literal('approvalRequested'), approval: cardSchema }),
  /** The same card with another digest or orphan state. */
  z.object({ type: z.literal('approvalChanged'), approval: cardSchema }),
  approvalResolvedSchema,
  z.object({ type: z.literal('activity'), activity: activitySchema }),
  z.object({ type: z.literal('status'), status: statusSchema }),
  z.object({ type: z.literal('grants'), grants: z.array(grantSchema) }),
  z.object({ type: z.literal('policy'), policy: policySchema }),
  z.object({ type: z.literal('health'), health: healthSchema }),
  /** Answer to `pair`: keep this key id beside the key. */
  z.object({ type: z.literal('paired'), keyId: z.string() }),
  /** To paired pages: after `connected`, and when one is added or revoked. */
  z.object({
    type: z.literal('pairings'),
    pairings: z.array(pairedPageSchema),
    news: z.array(pairingNewsSchema).optional(),
  }),
  /** The link was right; a person has to confirm this page in a paired page, or in the popover. */
  z.object({ type: z.literal('pairingWaits'), where: z.enum(['page', 'popover']), expiresAt: iso }),
  earlierAnswer,
  cardPictureAnswer,
  ...clientAnswers,
  ...commandNews,
  ...demoAnswers,
  ...recordAnswers,
  ...settingsAnswers,
  ...watchAnswers,
  /** `about` names the card, the question or the `request` that it answers. */
  z.object({ type: z.literal('error'), code: z.string(), message: messageOrTextSchema, about: z.string().optional() }),
]);
export type ToPage = z.infer<typeof toPageSchema>;

/** A public P-256 key as WebCrypto exports it. */
export const publicKeySchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string().max(64),
  y: z.string().max(64),
});

/** Where the pointer pressed and where the card shows, in CSS pixels of the viewport; `ratio`: pixels of the display for each. */
const pressPlaceSchema = z.object({
  x: z.number(),
  y: z.number(),
  ratio: z.number().positive().max(100),
  card: z.object({ x: z.number(), y: z.number(), width: z.number().min(0), height: z.number().min(0) }),
});
export type PressPlace = z.infer<typeof pressPlaceSchema>;

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
  /** A press on Allow began. When, is the host's word; an `approval` that allows without one counts for nothing. */
  z.object({
    type: z.literal('press'),
    id: z.uuid(),
    digest: z.string().max(128),
    place: pressPlaceSchema.optional(),
  }),
  z.object({
    type: z.literal('approval'),
    id: z.uuid(),
    digest: z.string().max(128),
    decision: z.enum(['allow', 'deny']),
    grant: grantKindSchema.optional(),
    message: z.string().max(4_000).optional(),
  }),
  z.object({ type: z.literal('abort'), executionId: z.uuid().optional() }),
  z.object({ type: z.literal('pause'), on: z.boolean() }),
  z.object({ type: z.literal('resume'), cursor: z.number().int().min(0) }),
  /** base64url ECDSA P-256 SHA-256 signature over {@link signedText}. */
  z.object({ type: z.literal('authenticate'), keyId: z.string().max(128), signature: z.string().max(256) }),
  /** Whether the page can be seen, as the browser says (`document.visibilityState`): at every greeting, and when it changes. */
  z.object({ type: z.literal('visibility'), visible: z.boolean() }),
  z.object({ type: z.literal('pair'), code: z.string().max(128), publicKey: publicKeySchema }),
  z.object({ type: z.literal('revokeGrant'), id: z.uuid() }),
  z.object({ type: z.literal('revokePairing'), keyId: z.string().max(128) }),
  z.object({ type: z.literal('dismissPairings'), keyIds: z.array(z.string().max(128)).max(200) }),
  z.object({ type: z.literal('setPolicy'), preset: z.enum(['standard', 'strict', 'readonly']) }),
  /** A paired page asks for the menubar popover, where what it may not decide is decided. */
  z.object({ type: z.literal('openPopover') }),
  /** The popover asks for this page in the person's browser, paired. */
  z.object({ type: z.literal('openBrowser') }),
  z.object({ type: z.literal('openPermission'), pane: paneSchema }),
  earlierQuestion,
  cardPictureQuestion,
  ...clientQuestions,
  ...commandMessageSchemas,
  ...demoQuestions,
  ...recordQuestions,
  ...watchMessageSchemas,
  ...settingsQuestions,
  ...settingsChanges,
]);
export type FromPage = z.infer<typeof fromPageSchema>;

/** What is answered carries a `request`, made by who asks; its answer has the same one and the same type. */
type PageQuestion = Extract<FromPage, { request: string }>;
export type PageAnswer = Extract<ToPage, { request: string }>;
export type QuestionType = PageQuestion['type'];
/** What a question says besides its type and request. */
export type QuestionFields<T extends QuestionType> = {
  [Q in PageQuestion as Q['type']]: Omit<Q, 'type' | 'request'>;
}[T];
export type AnswerTo<T extends QuestionType> = { [A in PageAnswer as A['type']]: A }[T];

/** What a paired page signs: bound to where the page came from, which host it talks to and this connection. */
export function signedText(origin: string, host: string, nonce: string): string {
  return `chaperone-page/1\n${origin}\n${host}\n${nonce}`;
}
