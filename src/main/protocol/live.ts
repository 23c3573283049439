/** What a paired page watches, checks and holds back: the desktop as it is, this installation, and single agents. */
import * as z from 'zod';
import { pictureSchema, rectSchema } from './shown.js';
import { messageSchema } from '../../messages/index.js';

/** No picture of the desktop is longer on one side, in pixels. */
export const LIVE_PIXELS = 1280;

/** Why there is no picture: a pairing link is open, a permission is missing, the display is gone, or it did not work. */
const heldSchema = z.enum(['pairing', 'permission', 'gone', 'failed']);
export type Held = z.infer<typeof heldSchema>;

/** One look at the desktop. The next is sent only once this one was taken. */
const frameSchema = z.object({
  type: z.literal('frame'),
  seq: z.number().int(),
  at: z.iso.datetime(),
  /** null: it looks as in the frame before. */
  picture: pictureSchema.nullable(),
  /** In the picture's pixels, as the ring is; null where it is not on it. */
  pointer: z.object({ x: z.number(), y: z.number() }).nullable(),
  /** The window an agent acts on, or asks to act on. */
  ring: rectSchema.nullable(),
  held: heldSchema.nullable(),
});
export type Frame = z.infer<typeof frameSchema>;

/** One thing that was checked, and how to mend it. */
const findingSchema = z.object({
  name: z.string(),
  ok: z.boolean(),
  /** What was seen. */
  seen: messageSchema,
  /** What to do, in words; null where nothing is to be done. */
  fix: messageSchema.nullable(),
  /** To run in a terminal. */
  command: z.string().nullable(),
});
export type Finding = z.infer<typeof findingSchema>;

const recordCheckSchema = z.object({
  ok: z.boolean(),
  lines: z.number().int(),
  /** The first few, and how many there are. */
  problems: z.array(messageSchema),
  faults: z.number().int(),
  notes: z.array(messageSchema),
});

const placeSchema = z.object({ name: z.enum(['state', 'config', 'log', 'evidence']), path: z.string() });

const request = z.uuid();

/** Sent by pages. `check` is a question, and answered. */
export const watchMessageSchemas = [
  /** From now on, or no longer. `still`: one picture and no more. */
  z.object({ type: z.literal('live'), on: z.boolean(), still: z.boolean().optional() }),
  z.object({ type: z.literal('frameTaken'), seq: z.number().int() }),
  z.object({ type: z.literal('pauseAgent'), id: z.string().max(128), on: z.boolean() }),
  /** What it need not be asked for again is forgotten. */
  z.object({ type: z.literal('forgetAgent'), id: z.string().max(128) }),
  /** Whatever touches the desktop ends, and agents are paused. */
  z.object({ type: z.literal('takeOver') }),
  /** `record`: every line and file of it as well, which takes its time. */
  z.object({ type: z.literal('check'), request, record: z.boolean() }),
] as const;

export const watchAnswers = [
  frameSchema,
  z.object({
    type: z.literal('check'),
    request,
    at: z.iso.datetime(),
    findings: z.array(findingSchema),
    /** null: was not asked for. */
    record: recordCheckSchema.nullable(),
    places: z.array(placeSchema),
  }),
] as const;
