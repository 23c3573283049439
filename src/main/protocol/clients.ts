/** Coding agents on this machine, and Chaperone's registration with them: asked and changed by a person's page only. */
import * as z from 'zod';

export const CLIENT_IDS = ['claude', 'codex', 'cursor', 'vscode'] as const;
export const clientIdSchema = z.enum(CLIENT_IDS);
export type ClientId = z.infer<typeof clientIdSchema>;

const knownClientSchema = z.object({
  id: clientIdSchema,
  /** It is on this machine. */
  found: z.boolean(),
  /** Our entry with it: none, as this host would write it, another one, or it could not be read. */
  entry: z.enum(['none', 'ours', 'other', 'unclear']),
  /** One of them is connected now. */
  connected: z.boolean(),
  lastSeen: z.iso.datetime().nullable(),
});
export type KnownClient = z.infer<typeof knownClientSchema>;

const request = z.uuid();

export const clientQuestions = [
  z.object({ type: z.literal('clients'), request }),
  z.object({ type: z.literal('setUp'), request, client: clientIdSchema, remove: z.boolean() }),
] as const;

export const clientAnswers = [
  z.object({
    type: z.literal('clients'),
    request,
    /** False where this host cannot say what starts it, so that only commands can be shown. */
    offered: z.boolean(),
    clients: z.array(knownClientSchema),
  }),
  z.object({
    type: z.literal('setUp'),
    request,
    outcome: z.enum(['added', 'updated', 'already', 'removed', 'absent']),
    /** What was changed, and where each file lies as it was before. */
    files: z.array(z.object({ path: z.string(), backup: z.string().nullable() })),
    /** The person has a limit of their own for calls that go to the background; it was left. */
    ownLimit: z.boolean(),
  }),
] as const;
