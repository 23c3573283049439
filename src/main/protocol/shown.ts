/** The values a page shows. Host and page validate both ways with these; an action's own schemas live beside the action. */
import * as z from 'zod';
import { effectSchema, verifiedSchema } from './effects.js';
import { retentionSchema } from './settings.js';
import { subjectSchema } from './subject.js';
import { messageOrTextSchema, messageSchema } from '../../messages/index.js';

const iso = z.iso.datetime();

export const rectSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** Who is asking: what the kernel says, and beside it what the client claims to be. */
export const agentSchema = z.object({
  /** Stable for one agent process (its connections share it); never made from what the client claims. */
  id: z.string(),
  /** Display name made by the host from the executable, e.g. `Claude Code`, `codex`, `python3 · build.py`. */
  name: z.string(),
  /** Two letters for the tile. */
  tile: z.string(),
  /** clientInfo name and version as sent: a claim, not checked. */
  claim: z.string().nullable(),
  executable: z.string(),
  script: z.string().nullable(),
  pid: z.number().int(),
  startTime: z.string(),
  cwd: z.string().nullable(),
  /** The demo this very host started: its process is known, so that no other can pass for it, and no grant is for it. */
  demo: z.literal(true).optional(),
});
export type Agent = z.infer<typeof agentSchema>;

const pausedSchema = z.object({ by: z.string(), at: iso, reason: messageOrTextSchema });

/** A call that runs or waits now. */
const doingSchema = z.object({
  executionId: z.uuid(),
  tool: z.string(),
  effect: effectSchema.nullable(),
  /** null: not known yet, or what was approved earlier by a token. */
  subject: subjectSchema.nullable(),
  /** A person is being asked. */
  waiting: z.boolean(),
  /** It becomes a request once an earlier one of this agent is answered. */
  queued: z.boolean().optional(),
});
export type Doing = z.infer<typeof doingSchema>;

const connectedAgentSchema = agentSchema.extend({
  since: iso,
  state: z.enum(['idle', 'acting', 'waiting', 'paused']),
  /** Why this one alone is paused. */
  paused: pausedSchema.nullable().optional(),
  doing: z.array(doingSchema).optional(),
  /** What it need not be asked for again: `screen`, `app:<id>`, `action:<tool>` or `any`. */
  remembered: z.array(z.object({ effect: effectSchema, what: z.string() })).optional(),
  /** Its open session, under the name the agent gave it. */
  session: z.object({ name: z.string(), since: iso }).nullable().optional(),
});
export type ConnectedAgent = z.infer<typeof connectedAgentSchema>;

export const pictureSchema = z.object({
  mimeType: z.enum(['image/png', 'image/webp', 'image/jpeg']),
  base64: z.string(),
  /** Pixels. */
  width: z.number().int(),
  height: z.number().int(),
  /** The target in this picture's pixels. */
  target: rectSchema.nullable(),
});
export type Picture = z.infer<typeof pictureSchema>;

export const grantKindSchema = z.enum(['once', 'time', 'session', 'always']);
const grantChoiceSchema = z.object({
  kind: grantKindSchema,
  /** E.g. “This app, clicks and typing, 10 minutes”. */
  label: messageSchema,
  /** What Allow then gives, e.g. “Allow gives 10 minutes in Mail.” */
  consequence: messageSchema,
  /** Of the last hour's requests, how many this would have covered. */
  covered: z.object({ would: z.number().int(), of: z.number().int() }).nullable(),
});
export type GrantChoice = z.infer<typeof grantChoiceSchema>;

/** One step of a plan or macro, as a card shows it. */
const stepSchema = z.object({
  tool: z.string(),
  effect: effectSchema,
  subject: subjectSchema,
  /** The exact arguments, placeholders filled in. */
  arguments: z.json(),
  text: z.string().nullable(),
  process: z.object({ name: z.string(), appId: z.string(), pid: z.number().int(), startTime: z.string() }).nullable(),
  window: z.string().nullable(),
  documentUrl: z.string().nullable(),
  notes: z.array(messageSchema),
  /** The application in which its target is looked for when its turn comes, because it is not there yet. */
  late: z.string().nullable(),
});
export type ShownStep = z.infer<typeof stepSchema>;

/** An approval waiting for, or settled by, a person. */
export const cardSchema = z.object({
  id: z.uuid(),
  /** Over everything below that decides; an answer must carry the digest of the card that was seen. */
  digest: z.string(),
  executionId: z.uuid(),
  agent: agentSchema,
  effect: effectSchema,
  tool: z.string(),
  subject: subjectSchema,
  /** The exact arguments as sent, confirmation fields left out. */
  arguments: z.json(),
  /** Exact text to be typed, pasted or run; null where there is none. */
  text: z.string().nullable(),
  workspace: z.string(),
  process: z.object({ name: z.string(), appId: z.string(), pid: z.number().int(), startTime: z.string() }).nullable(),
  window: z.string().nullable(),
  documentUrl: z.string().nullable(),
  ancestors: z.array(z.string()),
  /** What the person must know, e.g. that it pastes through the clipboard. */
  notes: z.array(messageSchema),
  /** What an Allow also lets happen, beyond what the title says. */
  covers: z.array(messageSchema).optional(),
  /** Of a plan or macro: all of them, in order. */
  steps: z.array(stepSchema).optional(),
  picture: pictureSchema.nullable(),
  grants: z.array(grantChoiceSchema),
  createdAt: iso,
  expiresAt: iso,
  /** True while no caller waits: an Allow is kept and acts when the caller returns. */
  orphaned: z.boolean(),
  /** The program that asked has ended, so that nobody can take the call up again: an Allow is refused. Absent: it runs. */
  agentEnded: z.boolean().optional(),
});
export type Card = z.infer<typeof cardSchema>;

export const grantSchema = z.object({
  id: z.uuid(),
  kind: grantKindSchema,
  agent: z.object({
    name: z.string(),
    executable: z.string(),
    script: z.string().nullable(),
    /** null in a grant for `always`, which holds for every process of that executable and script. */
    pid: z.number().int().nullable(),
    startTime: z.string().nullable(),
  }),
  appId: z.string(),
  /** For a browser, the origin it is limited to. */
  origin: z.string().nullable(),
  effects: z.array(effectSchema),
  /** Text in files older than the catalogue. */
  label: messageOrTextSchema,
  createdAt: iso,
  expiresAt: iso.nullable(),
  usesLeft: z.number().int().nullable(),
  /** Acts it has covered so far. Absent: none. */
  used: z.number().int().optional(),
  /** The application's name when it was given. Absent: older than this field. */
  appName: z.string().optional(),
  /** What the kernel said the application runs. Absent: given where no process is known, and good only there. */
  appProgram: z.string().optional(),
});
export type Grant = z.infer<typeof grantSchema>;

export const outcomeSchema = z.enum([
  'confirmed',
  'unverified',
  'no_change',
  'denied',
  'no_answer',
  'failed',
  'running',
  'waiting',
]);
export const activitySchema = z.object({
  seq: z.number().int(),
  executionId: z.uuid(),
  at: iso,
  agent: z.object({ id: z.string(), name: z.string(), tile: z.string() }),
  tool: z.string(),
  effect: effectSchema,
  subject: subjectSchema,
  outcome: outcomeSchema,
  verified: verifiedSchema.nullable(),
  /** Why it failed or was refused; what the person said with Deny is verbatim. */
  note: messageOrTextSchema.nullable(),
  evidenceDir: z.string().nullable(),
  /** 128×80 webp. */
  thumbnail: pictureSchema.nullable(),
});
export type Activity = z.infer<typeof activitySchema>;

export const policySchema = z.object({
  preset: z.enum(['standard', 'strict', 'readonly', 'unattended', 'custom']),
  confirmPhrase: z.enum(['ask', 'accept', 'reject']),
  effects: z.record(effectSchema, z.enum(['allow', 'ask', 'ask_once_per_session', 'deny'])),
  /** Application ids no agent may see or touch. */
  excludedApps: z.array(z.string()).optional(),
  /** When old evidence is deleted. */
  retention: retentionSchema.optional(),
});
export type ShownPolicy = z.infer<typeof policySchema>;

export const healthSchema = z.object({
  hostVersion: z.string(),
  platform: z.string(),
  backend: z.string(),
  display: messageSchema,
  permissions: z.record(z.string(), z.enum(['granted', 'missing', 'stale', 'unknown'])),
  /** `about`: the permission it is about. */
  issues: z.array(z.object({ title: messageSchema, fix: messageSchema, about: z.string().optional() })),
  /** Which desktop stands in for which, where nothing is wrong with that. */
  note: messageSchema.nullish(),
  system: z.enum(['macos', 'linux', 'simulated']).optional(),
  /** The screen in front of the person, a private one, or a pretend one. */
  screen: z.enum(['real', 'virtual', 'simulated']).optional(),
});
export type Health = z.infer<typeof healthSchema>;

export const statusSchema = z.object({
  state: z.enum(['watching', 'acting', 'paused']),
  /** Why, and since when, all agents are paused. */
  paused: pausedSchema.nullable(),
  /** What else keeps agents from the desktop now. */
  attention: z
    .object({ condition: z.enum(['taken_over', 'permission', 'display_lost', 'locked']), summary: z.string() })
    .nullable()
    .optional(),
  agents: z.array(connectedAgentSchema),
  /** Paused alone and not connected now; `agent` is null where nobody remembers who it was. */
  away: z.array(z.object({ id: z.string(), agent: agentSchema.nullable(), paused: pausedSchema })).optional(),
  /** Of the demo agent; left out where there is none. */
  demo: z.enum(['ready', 'running']).optional(),
  recordVerified: z.boolean(),
});
export type Status = z.infer<typeof statusSchema>;
