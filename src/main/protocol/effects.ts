import * as z from 'zod';

/**
 * What a call does to the person's desktop, mildest first: `read` discloses nothing, `bookkeeping` stays inside the host,
 * `disclose` shows screen, text or clipboard to the agent, `pointer` moves pointer, focus or windows, `input` clicks, types
 * or opens, `dangerous` destroys, overwrites or runs code and is asked every time.
 */
export const EFFECTS = ['read', 'bookkeeping', 'disclose', 'pointer', 'input', 'dangerous'] as const;
export const effectSchema = z.enum(EFFECTS);
export type Effect = z.infer<typeof effectSchema>;

/** Those that act on the desktop or beyond it. */
const CONTROL: ReadonlySet<Effect> = new Set(['pointer', 'input', 'dangerous']);

export const isControlEffect = (effect: Effect): boolean => CONTROL.has(effect);

export const verifiedSchema = z.enum(['confirmed', 'unverified', 'no_change']);
export type Verified = z.infer<typeof verifiedSchema>;
