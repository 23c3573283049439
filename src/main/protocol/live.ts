/** Live view of the desktop, health checks, and control of single agents. For paired pages only. */
import * as z from 'zod';
import { pictureSchema, rectSchema } from './shown.js';
import { messageSchema } from '../../messages/index.js';

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
