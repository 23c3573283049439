/** Desktops of agents' own on the page: watched, taken over by hand, handed back, ended. For paired pages only. */
import * as z from 'zod';

const id = z.uuid();
/** A part of the picture: 0 is its left or upper edge, 1 the other. */
const part = z.number().min(0).max(1);
const place = { x: part, y: part };

/** `keys`: pressed together, by their canonical names. */
const inputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('move'), ...place }),
  z.object({ kind: z.literal('button'), button: z.enum(['left', 'right', 'middle']), down: z.boolean(), ...place }),
  z.object({ kind: z.literal('scroll'), lines: z.number().int().min(-20).max(20), ...place }),
  z.object({ kind: z.literal('keys'), keys: z.array(z.string().min(1).max(20)).min(1).max(5) }),
  z.object({ kind: z.literal('text'), text: z.string().min(1).max(1_000) }),
]);
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
