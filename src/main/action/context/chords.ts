import type { RunContext } from '../context.js';
import { pause } from '../waiting.js';
import { observing } from './effect.js';
import type { Chord } from './keynames.js';

const FREE = async () => {};

/** Presses modifiers, then each key, and lets go in reverse; whatever stays down is lifted by the pipeline. */
export async function pressChord(ctx: RunContext, chord: Chord, delayMs: number, signal: AbortSignal): Promise<void> {
  const { desktop } = ctx;
  const press = async () => {
    for (const name of chord.modifiers) await desktop.key(name, true, FREE, signal);
    for (const [index, key] of chord.keys.entries()) {
      if (index > 0 && delayMs > 0) await pause(delayMs, signal);
      await desktop.key(key, true, FREE, signal);
      await desktop.key(key, false, FREE, signal);
    }
    for (const name of chord.modifiers.toReversed()) await desktop.key(name, false, FREE, signal);
  };
  ctx.trace({ step: 'keys', chord: chord.label });
  const seen = await observing(desktop, ctx.plan?.window ?? null, press, signal);
  ctx.verified(seen.effect, seen.before, seen.after);
}
