/** Live view of the desktop, health checks, and control of single agents. For paired pages only. */
import * as z from 'zod';
import { pictureSchema, rectSchema } from './shown.js';
import { messageSchema, LANGUAGES, messageOrTextSchema } from '../../messages/index.js';
import { CLIENT_IDS } from './client-names.js';

const keptCommandSchema = z.object({
  id: z.uuid(),
  agent: z.string(),
  command: z.string(),
  since: z.iso.datetime(),
  processes: z.number().int(),
  /** It keeps running when Chaperone ends. */
  outlives: z.boolean(),
});
/** Commands that the person allowed to keep running after their call. For paired pages only. */
export type KeptCommand = z.infer<typeof keptCommandSchema>;

/** Sent after `connected`, and whenever a command is added, changes or ends. */
export const commandNews = [z.object({ type: z.literal('commands'), commands: z.array(keptCommandSchema) })] as const;

export const commandMessageSchemas = [
  z.object({ type: z.literal('endCommand'), id: z.uuid() }),
  z.object({ type: z.literal('outliveCommand'), id: z.uuid(), on: z.boolean() }),
] as const;

const id = z.uuid();
/** A part of the picture: 0 is its left or upper edge, 1 the other. */
const part = z.number().min(0).max(1);
const place = { x: part, y: part };

/** `keys`: pressed together, by their canonical names. */
const inputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('move'), ...place }),
  z.object({
    kind: z.literal('button'),
    button: z.enum(['left', 'right', 'middle']),
    down: z.boolean(),
    /** Keys that are held meanwhile: pressed before it goes down, let go of after it has come up. */
    held: z
      .array(z.enum(['ctrl', 'alt', 'super', 'shift']))
      .max(4)
      .optional(),
    ...place,
  }),
  /** More than 0: the wheel towards the person, for what lies further down. */
  z.object({ kind: z.literal('scroll'), lines: z.number().int().min(-20).max(20), ...place }),
  z.object({ kind: z.literal('keys'), keys: z.array(z.string().min(1).max(20)).min(1).max(5) }),
  z.object({ kind: z.literal('text'), text: z.string().min(1).max(1_000) }),
]);
/** Desktops of agents' own on the page: watched, taken over by hand, handed back, ended. For paired pages only. */
export type DesktopInput = z.infer<typeof inputSchema>;

export const desktopMessageSchemas = [
  /** The agent does and sees nothing there until it is handed back. */
  z.object({ type: z.literal('takeDesktop'), id }),
  z.object({ type: z.literal('desktopInput'), id, input: inputSchema }),
  /** `message` reaches the agent with its next call. */
  z.object({ type: z.literal('handBack'), id, message: z.string().max(4_000) }),
  z.object({ type: z.literal('endDesktop'), id }),
  /** It outlives its agent, until the person ends it. */
  z.object({ type: z.literal('keepDesktop'), id, on: z.boolean() }),
] as const;

export const MAX_FRAME_SIDE_PX = 1280;

/** Why there is no picture: a pairing link is open, a permission is missing, the display is gone, or the capture failed. */
const noFrameReasonSchema = z.enum(['pairing', 'permission', 'gone', 'failed']);
export type NoFrameReason = z.infer<typeof noFrameReasonSchema>;

/** A live picture. The next one is sent after the page has answered with `frameTaken`. */
const frameSchema = z.object({
  type: z.literal('frame'),
  /** Of a desktop of an agent's own; absent: of the one that the host shows. */
  desktop: z.uuid().optional(),
  seq: z.number().int(),
  at: z.iso.datetime(),
  /** null: unchanged since the previous frame. */
  picture: pictureSchema.nullable(),
  /** In the picture's pixels, like `ring`; null where it is outside the picture. */
  pointer: z.object({ x: z.number(), y: z.number() }).nullable(),
  /** The window an agent acts on, or asks to act on. */
  ring: rectSchema.nullable(),
  noFrameReason: noFrameReasonSchema.nullable(),
});
export type Frame = z.infer<typeof frameSchema>;

const findingSchema = z.object({
  name: z.string(),
  ok: z.boolean(),
  seen: messageSchema,
  fix: messageSchema.nullable(),
  command: z.string().nullable(),
});
export type Finding = z.infer<typeof findingSchema>;

const recordCheckSchema = z.object({
  ok: z.boolean(),
  lines: z.number().int(),
  /** The first few. */
  problems: z.array(messageSchema),
  problemCount: z.number().int(),
  notes: z.array(messageSchema),
});

const placeSchema = z.object({ name: z.enum(['state', 'config', 'log', 'evidence']), path: z.string() });

const request = z.uuid();

export const watchMessageSchemas = [
  /** Starts or stops the live view. `still`: a single picture. */
  z.object({
    type: z.literal('live'),
    on: z.boolean(),
    still: z.boolean().optional(),
    desktop: z.uuid().optional(),
  }),
  z.object({ type: z.literal('frameTaken'), seq: z.number().int(), desktop: z.uuid().optional() }),
  z.object({ type: z.literal('pauseAgent'), id: z.string().max(128), on: z.boolean() }),
  /** Forgets the permissions that it has for its session; they are asked for again. */
  z.object({ type: z.literal('forgetAgent'), id: z.string().max(128) }),
  /** Stops all acts on the desktop and pauses agents. */
  z.object({ type: z.literal('takeOver') }),
  /** `record`: also checks every line and file of the record, which takes longer. */
  z.object({ type: z.literal('check'), request, record: z.boolean() }),
] as const;

export const watchAnswers = [
  frameSchema,
  z.object({
    type: z.literal('check'),
    request,
    at: z.iso.datetime(),
    findings: z.array(findingSchema),
    record: recordCheckSchema.nullable(),
    places: z.array(placeSchema),
  }),
] as const;

// The demo agent, which the host starts at the request of a paired page or the popover.

/** Exit code of its process when it was stopped or got no answer. Any other code except 0 is a failure. */
export const DEMO_STOPPED = 3;

export const demoQuestions = [z.object({ type: z.literal('runDemo'), request, language: z.enum(LANGUAGES) })] as const;

export const demoAnswers = [
  z.object({
    type: z.literal('runDemo'),
    request,
    outcome: z.enum(['finished', 'stopped', 'failed']),
    why: z.string().nullable(),
  }),
] as const;

/** Coding agents installed on this machine, and Chaperone's registration with them. For paired pages only. */
export const clientIdSchema = z.enum(CLIENT_IDS);

/** For agents: one of their own, or the host's. */
const desktopChoiceSchema = z.enum(['own', 'current']);

const knownClientSchema = z.object({
  id: clientIdSchema,
  found: z.boolean(),
  /** Our entry in its configuration: none, as this host would write it, a different one, or unreadable. */
  entry: z.enum(['none', 'ours', 'other', 'unclear']),
  /** What a person pastes into the client's own settings, where Chaperone can write no file; null where it can. */
  paste: z.string().nullable(),
  /** Which desktop the entry asks for; where there is none, a new one would. */
  desktop: desktopChoiceSchema,
  connected: z.boolean(),
  lastSeen: z.iso.datetime().nullable(),
});
export type KnownClient = z.infer<typeof knownClientSchema>;

export const clientQuestions = [
  z.object({ type: z.literal('clients'), request }),
  z.object({
    type: z.literal('setUp'),
    request,
    client: clientIdSchema,
    remove: z.boolean(),
    desktop: desktopChoiceSchema.optional(),
  }),
] as const;

export const clientAnswers = [
  z.object({
    type: z.literal('clients'),
    request,
    /** False where the host does not know its own start command, so the page can only show commands. */
    offered: z.boolean(),
    /** Agents on this machine can have a desktop of their own. */
    ownDesktops: z.boolean(),
    clients: z.array(knownClientSchema),
  }),
  z.object({
    type: z.literal('setUp'),
    request,
    outcome: z.enum(['added', 'updated', 'already', 'removed', 'absent']),
    files: z.array(z.object({ path: z.string(), backup: z.string().nullable() })),
    /** The person had set a time limit for background calls; it was not changed. */
    ownLimit: z.boolean(),
  }),
] as const;

const name = z.string().max(100);
const attentionId = z.string().min(1).max(200);

const shownAppSchema = z.object({
  name: z.string(),
  state: z.enum(['asking', 'starting', 'connected', 'waiting', 'stopped']),
  kind: z.enum(['launch', 'attach']),
  /** The program, or the file that says where it listens. */
  place: z.string(),
  start: z.enum(['auto', 'manual']),
  /** A person has confirmed the entry as it is in the file now. */
  confirmed: z.boolean(),
  /** What it calls itself; null while it is not connected. */
  claim: z.string().nullable(),
  tools: z.number().int(),
  /** It has begun in this host, so that there is a log. */
  hasLog: z.boolean(),
  /** What it wants seen before it is called again. */
  attention: z.object({ id: z.string(), summary: z.string() }).nullable(),
});
/** The GABP applications of `gabp-apps.json`. For paired pages only. What applications say comes on one line, bounded, without hidden characters. */
export type ShownGabpApp = z.infer<typeof shownAppSchema>;

/** Sent after `connected`, and when an application changes. `fault`: why the file cannot be used. */
export const gabpAppNews = [
  z.object({ type: z.literal('gabpApps'), apps: z.array(shownAppSchema), fault: messageOrTextSchema.nullable() }),
] as const;
export type GabpAppNews = z.infer<(typeof gabpAppNews)[0]>;

export const gabpAppMessageSchemas = [
  z.object({ type: z.literal('startApp'), name }),
  z.object({ type: z.literal('stopApp'), name }),
  z.object({ type: z.literal('acknowledgeApp'), name, attentionId }),
  z.object({ type: z.literal('appLog'), request, name }),
] as const;

export const gabpAppAnswers = [
  z.object({
    type: z.literal('appLog'),
    request,
    /** Oldest first. */
    lines: z.array(z.object({ at: z.string(), text: z.string() })),
  }),
] as const;
