import type { HandHolds } from '../pipeline/holds.js';
import type { Verification } from '../pipeline/action.js';
import type { RunContext } from '../pipeline/context.js';
import { delay } from '../../base/poll.js';
import { withKeys } from './click.js';
import { observing } from '../pipeline/verify/effect.js';
import type { Chord } from './key-names.js';

const LOOK_MS = 100;

/** Presses modifiers, then each key, and lets go in reverse; whatever stays down is lifted by the pipeline. */
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
  return observing(ctx, press, signal);
}

/** Holds a chord for a time, looking again and again whether the focus is still where it was; says how long it was down. */
export async function holdChord(
  ctx: RunContext,
  chord: Chord,
  durationMs: number,
  holds: HandHolds,
  signal: AbortSignal,
): Promise<{ heldMs: number; effect: Verification }> {
  const { desktop } = ctx;
  const keys = [...chord.modifiers, ...chord.keys];
  let heldMs = 0;
  const hold = async () => {
    for (const key of keys) await desktop.key(key, true, signal);
    const grip = holds.hold(ctx, { keys, buttons: [] }, { at: null, window: ctx.plan?.window ?? null });
    const start = performance.now();
    try {
      for (;;) {
        const left = durationMs - (performance.now() - start);
        if (left <= 0) break;
        await delay(Math.min(left, LOOK_MS), signal);
        // Pressing what is down already sends nothing new, and is checked like any other press.
        if (left > LOOK_MS) for (const key of keys) await desktop.key(key, true, signal);
      }
    } finally {
      heldMs = performance.now() - start;
      await grip.end();
    }
  };
  ctx.trace({ step: 'hold', chord: chord.label, durationMs });
  const effect = await observing(ctx, hold, signal);
  return { heldMs, effect };
}
