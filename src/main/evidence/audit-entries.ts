/** The entries of the audit log: one schema for each kind. execution.ts makes those of executions. */
import * as z from 'zod';
import {
  agentSchema,
  effectSchema,
  ERRORS,
  outcomeSchema,
  subjectSchema,
  verifiedSchema,
  type ErrorCode,
} from '../protocol/index.js';
import { recordedMessageSchema } from '../../messages/index.js';

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

const peerSchema = z.object({
  pid: z.number().int(),
  startTime: z.string(),
  uid: z.number().int(),
  executable: z.string(),
  script: z.string().nullable(),
});

export const fileSchema = z.object({
  name: z.string(),
  sha256: z.string(),
  bytes: z.number().int(),
  /** In Chaperone's own folder, not in the workspace. */
  kept: z.literal(true).optional(),
});
const errorSchema = z.object({
  code: z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code)),
  /** In English. */
  message: z.string(),
  /** The same for every language, where it has a code. */
  text: z.object({ code: z.string(), params: z.record(z.string(), z.json()) }).optional(),
});
export type RecordedError = z.infer<typeof errorSchema>;

export const executionSchema = z.object({
  executionId: z.uuid(),
  callId: z.string(),
  requestId: z.string(),
  requestDigest: z.string(),
  tool: z.string(),
  effect: effectSchema,
  subject: subjectSchema,
  agent: agentSchema,
  peer: peerSchema,
  protocol: z.string(),
  /** `own`: on a desktop of the agent's own. */
  desktop: z.literal('own').optional(),
  /** A command of plain words in the workspace, as the host judged it. */
  plain: z.literal(true).optional(),
  workspace: z.string(),
  /** Absolute; null when the call has no evidence folder. */
  dir: z.string().nullable(),
  /** When the call began. */
  since: z.string(),
});
export type ExecutionFacts = z.infer<typeof executionSchema>;

const at = z.string();

/** A change to the pages that may approve. */
const pairingSchema = z.object({
  kind: z.literal('pairing'),
  at,
  event: z.enum(['asked', 'paired', 'refused', 'revoked', 'reset']),
  /** Of the page; null for a reset. */
  keyId: z.string().nullable(),
  /** Who issued the link: `popover`, `terminal` or `cli`. */
  link: z.string().nullable(),
  /** The process that asked for the link; null where the host made it by itself. */
  askedBy: peerSchema.nullable(),
  /** The process that redeemed it; null when unknown. */
  browser: peerSchema.nullable(),
  /** Where a person confirmed or denied it, and who; null where nobody was asked. */
  decision: z.object({ where: z.string(), who: z.string().nullable() }).nullable(),
  /** Why it was refused, or how many pages were revoked. */
  note: z.string().nullable(),
});
export type PairingRecord = Omit<z.infer<typeof pairingSchema>, 'kind' | 'at'>;

/** What became of an entry of `gabp-apps.json`. */
const applicationSchema = z.object({
  kind: z.literal('application'),
  at,
  event: z.enum(['confirmed', 'denied', 'started', 'stopped']),
  name: z.string(),
  /** Of the entry. */
  digest: z.string(),
  /** Its command, or the file that says where it listens. */
  place: z.string(),
  /** The process that asked for it. */
  askedBy: peerSchema,
});
export type ApplicationRecord = Omit<z.infer<typeof applicationSchema>, 'kind' | 'at'>;

/** Damage that was found and repaired when the log was opened. */
export const recoveredSchema = z.object({
  kind: z.literal('recovered'),
  at,
  /** An incomplete last line; it was cut off, and its start is kept here. */
  torn: z.object({ bytes: z.number().int(), sha256: z.string(), base64: z.string() }).nullable(),
  /** Complete lines after the saved head, from a crash between writing line and head. */
  ahead: z.number().int(),
  /** Lines that the saved head counts and the log no longer has. */
  lost: z.number().int(),
  /** There was no head to compare with, or it was unreadable. */
  headMissing: z.boolean(),
  /** Other breaks of the chain. */
  damaged: z.number().int(),
});

export const auditEntrySchema = z.discriminatedUnion('kind', [
  pairingSchema,
  applicationSchema,
  /** A call got its folder. On disk before a person is asked about an act. */
  z.object({ kind: z.literal('begun'), at, execution: executionSchema }),
  /** From here on the desktop may have been touched. */
  z.object({ kind: z.literal('started'), at, execution: executionSchema, files: z.array(fileSchema) }),
  z.object({
    kind: z.literal('ended'),
    at,
    execution: executionSchema,
    outcome: outcomeSchema,
    verified: verifiedSchema.nullable(),
    decision: z.looseObject({ kind: z.string() }).nullable(),
    error: errorSchema.nullable(),
    incomplete: z.boolean(),
    files: z.array(fileSchema),
  }),
  /** A person's decision on a request whose call had already ended. */
  z.object({
    kind: z.literal('decided'),
    at,
    executionId: z.uuid(),
    decision: z.looseObject({ kind: z.string() }),
  }),
  z.object({
    kind: z.literal('refused'),
    at,
    agent: agentSchema,
    peer: peerSchema,
    protocol: z.string(),
    tool: z.string(),
    requestId: z.string(),
    error: errorSchema,
  }),
  /** The host ended before this call did. */
  z.object({ kind: z.literal('abandoned'), at, execution: executionSchema, started: z.boolean() }),
  /** Retention deletes this folder. `damage`: problems it had before. */
  z.object({
    kind: z.literal('tombstone'),
    at,
    executionId: z.uuid(),
    dir: z.string(),
    reason: z.enum(['age', 'quota']),
    bytes: z.number().int(),
    damage: z.array(recordedMessageSchema),
  }),
  recoveredSchema,
]);
export type AuditEntry = z.infer<typeof auditEntrySchema>;
export type RecoveredEntry = Extract<AuditEntry, { kind: 'recovered' }>;
export type DecidedEntry = Extract<AuditEntry, { kind: 'decided' }>;
export type EndedEntry = Extract<AuditEntry, { kind: 'ended' }>;
