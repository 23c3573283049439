/** Values that a page shows, validated by host and page. An action's own schemas are beside the action. */
import * as z from 'zod';
import { effectSchema, verifiedSchema } from './effects.js';
import { retentionSchema, ownDesktopsSchema, requestedTaskSchema, runningTaskSchema } from './settings.js';
import { subjectSchema } from './subject.js';
import { messageOrTextSchema, messageSchema, message, type Formatter, type Message } from '../../messages/index.js';

// Who asks, in words. Every edge that shows a request calls it.

type Asker = Pick<Agent, 'name' | 'person' | 'via'>;

export const askerName = ({ text }: Pick<Formatter, 'text'>, { name, person, via }: Asker): string => {
  if (person === true) return text('asker.person_on_page');
  return via === 'ssh' ? text('asker.via_ssh') : name;
};

/** What the person calls it, with its own name behind it; `given` null: nothing else. */
export const fullAskerName = (words: Pick<Formatter, 'text'>, agent: Asker, given: string | null): string => {
  const program = askerName(words, agent);
  return given === null ? program : words.text('asker.named', { name: given, program });
};

/** What the person calls an agent, by its id. */
export const givenNameSchema = z.object({ id: z.string(), name: z.string() });
export type GivenName = z.infer<typeof givenNameSchema>;

/** What the record calls those whose name pages and notifications say in their language. */
export const RECORDED_NAMES = { person: 'You (on the page)', ssh: 'A program via SSH' } as const;

/** Who asked, where nothing but the record's name is known. */
export function recordedName({ text }: Pick<Formatter, 'text'>, name: string): string {
  if (name === RECORDED_NAMES.person) return text('asker.person_on_page');
  return name === RECORDED_NAMES.ssh ? text('asker.via_ssh') : name;
}

/** For sentences with a verb. */
export const askerKind = ({ person }: Pick<Asker, 'person'>): 'person' | 'other' =>
  person === true ? 'person' : 'other';

/** Why a caller is not proven to be the person. `agent`: one started it, or shares its place. `host`, `command`: they started it. */
export const doubtSchema = z.enum(['agent', 'host', 'command', 'unclear', 'no_terminal']);
export type Doubt = z.infer<typeof doubtSchema>;

/** With what to do instead. */
export const doubtText = (doubt: Doubt): Message =>
  message('person.doubt', { doubt: doubt === 'unclear' || doubt === 'no_terminal' ? 'other' : doubt });

const iso = z.iso.datetime();

export const rectSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

/** Who is asking, as the kernel reports it, and what the client claims to be. */
export const agentSchema = z.object({
  /** Stable for one agent process (its connections share it); never made from what the client claims. */
  id: z.string(),
  /** Display name made by the host from the executable, e.g. `Claude Code`, `codex`, `python3 · build.py`. */
  name: z.string(),
  tile: z.string(),
  /** clientInfo name and version as sent: a claim, not checked. */
  claim: z.string().nullable(),
  executable: z.string(),
  script: z.string().nullable(),
  pid: z.number().int(),
  startTime: z.string(),
  cwd: z.string().nullable(),
  /** The demo agent that this host started. Recognised by its process, so no other can pose as it; gets no grants. */
  demo: z.literal(true).optional(),
  /** A program of another machine: its names are claims, and nothing of it outlasts its connection. */
  via: z.literal('ssh').optional(),
  /** No agent but the person, by a button of a page; the process is that page’s browser. */
  person: z.literal(true).optional(),
});
export type Agent = z.infer<typeof agentSchema>;

/** Who said or did something, in lists. `via` and `person` as an agent has them: their names are made where they are shown. */
export const speakerSchema = agentSchema.pick({ id: true, name: true, tile: true, via: true, person: true });

export function speakerOf({ id, name, tile, via, person }: Agent): z.infer<typeof speakerSchema> {
  return { id, name, tile, ...(via === undefined ? {} : { via }), ...(person === undefined ? {} : { person }) };
}

const pausedSchema = z.object({ by: z.string(), at: iso, reason: messageOrTextSchema });

/** What a tool does, in a word, for calls of which no more is known. */
const doesSchema = z.enum([
  ...(['picture', 'click', 'drag', 'pointer', 'scroll', 'type', 'keys', 'control', 'read', 'command'] as const),
  ...(['steps', 'app', 'window', 'clipboard', 'file', 'other'] as const),
]);
export type Does = z.infer<typeof doesSchema>;

const currentCallSchema = z.object({
  executionId: z.uuid(),
  tool: z.string(),
  does: doesSchema,
  effect: effectSchema.nullable(),
  /** null: not known yet, or approved earlier by a token. */
  subject: subjectSchema.nullable(),
  waiting: z.boolean(),
  /** Waits for an earlier call of this agent. */
  queued: z.boolean().optional(),
});
export type CurrentCall = z.infer<typeof currentCallSchema>;

const connectedAgentSchema = agentSchema.extend({
  since: iso,
  state: z.enum(['idle', 'acting', 'waiting', 'paused']),
  /** Set where only this agent is paused. */
  paused: pausedSchema.nullable().optional(),
  currentCalls: z.array(currentCallSchema).optional(),
  /** Permissions for the session; `what`: `screen`, `app:<id>`, `action:<tool>` or `any`. */
  remembered: z.array(z.object({ effect: effectSchema, what: z.string() })).optional(),
  session: z.object({ name: z.string(), since: iso }).nullable().optional(),
  task: runningTaskSchema.nullable().optional(),
});
export type ConnectedAgent = z.infer<typeof connectedAgentSchema>;

export const pictureSchema = z.object({
  mimeType: z.enum(['image/png', 'image/webp', 'image/jpeg']),
  base64: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  /** The target in this picture's pixels. */
  target: rectSchema.nullable(),
});
export type Picture = z.infer<typeof pictureSchema>;

export const grantKindSchema = z.enum(['once', 'time', 'session', 'always']);
/** A rule for commands: these words, or all that start with some of them until the agent quits or for ten minutes. */
export const ruleKindSchema = z.enum(['exact', 'prefix', 'prefix_time']);
export type RuleKind = z.infer<typeof ruleKindSchema>;
export const choiceKindSchema = z.enum([...grantKindSchema.options, ...ruleKindSchema.options]);
const grantChoiceSchema = z.object({
  kind: choiceKindSchema,
  /** E.g. “This app, clicks and typing, 10 minutes”. */
  label: messageSchema,
  /** What Allow then permits, e.g. “It can do this in Mail for 10 minutes.” */
  consequence: messageSchema,
  /** How many of the requests of the last hour it would have saved the person. */
  covered: z.object({ would: z.number().int(), of: z.number().int() }).nullable(),
});
export type GrantChoice = z.infer<typeof grantChoiceSchema>;

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
  /** The application whose target does not exist yet and is looked up when the step runs. */
  late: z.string().nullable(),
});
export type ShownStep = z.infer<typeof stepSchema>;

export const cardSchema = z.object({
  id: z.uuid(),
  /** Digest of everything that matters for the decision; an answer must carry the digest of the card that was seen. */
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
  notes: z.array(messageSchema),
  covers: z.array(messageSchema).optional(),
  /** Runs something, but deserves neither red nor a held button. */
  plain: z.literal(true).optional(),
  steps: z.array(stepSchema).optional(),
  task: requestedTaskSchema.optional(),
  picture: pictureSchema.nullable(),
  grants: z.array(grantChoiceSchema),
  /** The agent asks for a desktop: an Allow says which. */
  desktops: z.literal(true).optional(),
  /** Why `always` is not among them, where only the programs stand against it. */
  noAlways: messageSchema.optional(),
  createdAt: iso,
  expiresAt: iso,
  /** True while no caller waits: an Allow is stored and used when the caller returns. */
  orphaned: z.boolean(),
  /** The program that asked has ended, so an Allow is refused. Absent: it runs. */
  agentEnded: z.boolean().optional(),
  /** Open cards with the same one are shown as one. Each keeps its own digest and gets its own decision. */
  group: z.uuid().optional(),
});
export type Card = z.infer<typeof cardSchema>;

/** Equal for cards that are shown as one. */
export const shownAs = ({ id, group = id }: Pick<Card, 'id' | 'group'>): string => group;

/** A card as a person saw it. */
export const seenCardSchema = z.object({ id: z.uuid(), digest: z.string().max(128) });
export type SeenCard = z.infer<typeof seenCardSchema>;

/** `moreMs`: what one press of “More time” adds. `longestMs`: no request waits longer, from when it was made. */
export const REQUEST_TIME = { moreMs: 5 * 60_000, longestMs: 2 * 60 * 60_000 } as const;

export const grantSchema = z.object({
  id: z.uuid(),
  kind: grantKindSchema,
  agent: z.object({
    name: z.string(),
    executable: z.string(),
    script: z.string().nullable(),
    /** null in an `always` grant, which is valid for every process of that executable and script. */
    pid: z.number().int().nullable(),
    startTime: z.string().nullable(),
    /** The agent's id: another one once its process runs another program, or the same one again. Absent in an `always` grant. */
    id: z.string().optional(),
    via: z.literal('ssh').optional(),
  }),
  appId: z.string(),
  origin: z.string().nullable(),
  effects: z.array(effectSchema),
  /** Files in it may be given to the application's dialogs. */
  folder: z.string().optional(),
  /** A plain text in files older than the message catalogue. */
  label: messageOrTextSchema,
  createdAt: iso,
  expiresAt: iso.nullable(),
  usesLeft: z.number().int().nullable(),
  used: z.number().int().optional(),
  /** The application's name at that time. Absent in older files. */
  appName: z.string().optional(),
  /** The application's executable, from the kernel. Absent: granted where no process was known, and valid only there. */
  appProgram: z.string().optional(),
  /** Of an `always`: what tells both programs from others at their paths, where the system does. `app` null: no process was known. */
  programs: z.object({ agent: z.string(), app: z.string().nullable() }).optional(),
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
  agent: speakerSchema,
  tool: z.string(),
  effect: effectSchema,
  subject: subjectSchema,
  outcome: outcomeSchema,
  verified: verifiedSchema.nullable(),
  /** On a desktop of the agent's own. */
  desktop: z.literal('own').optional(),
  /** A command that deserved no red on its request, and deserves none here. */
  plain: z.literal(true).optional(),
  /** Why it failed or was refused; the code `verbatim` for the person's own words. */
  note: messageOrTextSchema.nullable(),
  evidenceDir: z.string().nullable(),
  thumbnail: pictureSchema.nullable(),
});
export type Activity = z.infer<typeof activitySchema>;

export const policySchema = z.object({
  preset: z.enum(['standard', 'strict', 'readonly', 'unattended', 'custom']),
  confirmPhrase: z.enum(['ask', 'accept', 'reject']),
  effects: z.record(effectSchema, z.enum(['allow', 'ask', 'ask_once_per_session', 'deny'])),
  excludedApps: z.array(z.string()).optional(),
  retention: retentionSchema.optional(),
  ownDesktops: ownDesktopsSchema.optional(),
});
export type ShownPolicy = z.infer<typeof policySchema>;

const provisionSchema = z.object({
  ability: z.enum(['windows', 'screenshots', 'pointer', 'keys', 'clipboard', 'person', 'elements']),
  by: z.string().nullable(),
  lacks: messageSchema.nullable(),
  command: z.string().nullable(),
});

export const healthSchema = z.object({
  hostVersion: z.string(),
  platform: z.string(),
  backend: z.string(),
  display: messageSchema,
  permissions: z.record(z.string(), z.enum(['granted', 'missing', 'stale', 'unknown'])),
  /** A row for each application that scripts may or may not control. */
  automation: z.array(z.object({ application: z.string(), state: z.enum(['granted', 'missing']) })).optional(),
  /** A permission was given that the system may keep from this process until it is started again. */
  relaunch: z.boolean().optional(),
  /** The program that the system's settings list for those. Absent where that is not told. */
  grantee: z.object({ name: z.string(), path: z.string() }).optional(),
  issues: z.array(z.object({ title: messageSchema, fix: messageSchema, about: z.string().optional() })),
  /** For information: which desktop is used instead of which. */
  note: messageSchema.nullish(),
  /** How the display server gives each ability, and what brings what is missing. */
  provides: z.array(provisionSchema).optional(),
  /** Ways in that were opened because somebody asked for them. */
  doors: z.array(messageSchema).optional(),
  system: z.enum(['macos', 'linux', 'simulated']).optional(),
  screen: z.enum(['real', 'virtual', 'simulated']).optional(),
});
export type Health = z.infer<typeof healthSchema>;

const MAX_ELSEWHERE = 9_999;
export const MAX_ELSEWHERE_BY = 200;

/**
 * A host on another machine that is reached from here: shown, and its page linked to where `chaperone connect` tells it. Nothing of it is
 * decided here.
 */
export const elsewhereSchema = z.object({
  /** The agent that says so; absent: the person's own `chaperone connect`. */
  by: z.string().max(MAX_ELSEWHERE_BY).optional(),
  /** As the person wrote it. */
  address: z.string().min(1).max(1_200),
  state: z.enum(['connected', 'lost']),
  /** Of its page, where that is reached from here. */
  url: z
    .string()
    .regex(/^http:\/\/localhost:\d{1,5}$/)
    .nullable(),
  /** Requests and questions there. */
  waiting: z.number().int().min(0).max(MAX_ELSEWHERE),
});
export type ElsewhereHost = z.infer<typeof elsewhereSchema>;

/** A desktop of an agent's own. */
const ownDesktopSchema = z.object({
  id: z.uuid(),
  agent: agentSchema,
  since: iso,
  /** The person works there by hand. */
  taken: z.boolean(),
  /** It outlives its agent. */
  kept: z.boolean(),
});
export type OwnDesktop = z.infer<typeof ownDesktopSchema>;

export const statusSchema = z.object({
  state: z.enum(['watching', 'acting', 'paused']),
  paused: pausedSchema.nullable(),
  /** Any other condition that keeps agents from the desktop now. */
  attention: z
    .object({ condition: z.enum(['taken_over', 'permission', 'display_lost', 'locked']), summary: z.string() })
    .nullable()
    .optional(),
  agents: z.array(connectedAgentSchema),
  /** Paused agents that are not connected; `agent` is null where it is not known any more. */
  away: z.array(z.object({ id: z.string(), agent: agentSchema.nullable(), paused: pausedSchema })).optional(),
  demo: z.enum(['ready', 'running']).optional(),
  elsewhere: z.array(elsewhereSchema).optional(),
  desktops: z.array(ownDesktopSchema).optional(),
  recordVerified: z.boolean(),
  /** Percent of the record that this host has checked, while it checks: nothing is known against it so far. */
  recordChecking: z.number().int().min(0).max(100).optional(),
});
export type Status = z.infer<typeof statusSchema>;
