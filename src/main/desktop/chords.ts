import type { HandlerHolds } from '../pipeline/holds.js';
import type { Verification } from '../pipeline/action.js';
import type { RunContext } from '../pipeline/context.js';
import { delay } from '../../base/poll.js';
import { withKeys } from './click.js';
import { verifyEffect } from '../pipeline/verify/effect.js';
import type { Chord } from './key-names.js';

const REPRESS_MS = 100;
/** A program that looks at keys once in a frame sees no shorter one. */
const SHORTEST_HOLD_MS = 60;

/** Presses modifiers, then each key, and releases in reverse order. The pipeline releases what stays down after a failure. */
export async function pressChord(
  ctx: RunContext,
  chord: Chord,
  delayMs: number,
  signal: AbortSignal,
): Promise<Verification> {
  const { desktop } = ctx;
  const press = () =>
    withKeys(desktop, chord.modifiers, signal, async () => {
      for (const [index, key] of chord.keys.entries()) {
        if (index > 0 && delayMs > 0) await delay(delayMs, signal);
        await desktop.key(key, true, signal);
        await desktop.key(key, false, signal);
      }
    });
  ctx.trace({ step: 'keys', chord: chord.label });
  return verifyEffect(ctx, press, signal);
}

/** Holds a chord for `durationMs`, checking repeatedly that the focus has not moved. Returns how long it was down. */
export async function holdChord(
  ctx: RunContext,
  chord: Chord,
  durationMs: number,
  holds: HandlerHolds,
  signal: AbortSignal,
): Promise<{ heldMs: number; effect: Verification }> {
  const { desktop } = ctx;
  const keys = [...chord.modifiers, ...chord.keys];
  let heldMs = 0;
  const hold = async () => {
    for (const key of keys) await desktop.key(key, true, signal);
    const held = holds.hold(ctx, { keys, buttons: [] }, { at: null, window: ctx.plan?.window ?? null });
    const start = performance.now();
    try {
      for (;;) {
        const left = Math.max(durationMs, SHORTEST_HOLD_MS) - (performance.now() - start);
        if (left <= 0) break;
        await delay(Math.min(left, REPRESS_MS), signal);
        // Pressing a key that is already down injects nothing, but runs the same checks as a press.
        if (left > REPRESS_MS) for (const key of keys) await desktop.key(key, true, signal);
      }
    } finally {
      heldMs = performance.now() - start;
      await held.end();
    }
  };
  ctx.trace({ step: 'hold', chord: chord.label, durationMs });
  const effect = await verifyEffect(ctx, hold, signal);
  return { heldMs, effect };
}
