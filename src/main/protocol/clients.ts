/** Coding agents installed on this machine, and Chaperone's registration with them. For paired pages only. */
import * as z from 'zod';
import { CLIENT_IDS } from './client-names.js';

export const clientIdSchema = z.enum(CLIENT_IDS);

const knownClientSchema = z.object({
  id: clientIdSchema,
  found: z.boolean(),
  /** Our entry in its configuration: none, as this host would write it, a different one, or unreadable. */
  entry: z.enum(['none', 'ours', 'other', 'unclear']),
  /** What a person pastes into the client's own settings, where Chaperone can write no file; null where it can. */
  paste: z.string().nullable(),
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
    /** False where the host does not know its own start command, so the page can only show commands. */
    offered: z.boolean(),
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
