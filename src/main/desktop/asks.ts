/** Why text and keys are asked about even under a grant. */
import type { Platform } from '../../native/desktop.js';
import type { AskReason } from '../approvals/plan.js';
import type { PlanDescription } from '../pipeline/target/plan-description.js';
import { leavesWindow, pressesEnter, type Chord } from './key-names.js';

type Asks = Pick<PlanDescription, 'alwaysAsk' | 'asksFor' | 'breaksLines'>;

const askedFor = (asksFor: AskReason): Asks => ({ alwaysAsk: true, asksFor });

/** Of text that is typed or written: a line break is the Enter key. */
export function typedAsk(text: string): Asks {
  if (/[^\P{Cc}\n]/u.test(text)) return askedFor('control');
  return text.includes('\n') ? { breaksLines: true } : {};
}

/** Of keys that are pressed at once. */
export function chordsAsk(chords: readonly Chord[], platform: Platform): Asks {
  if (chords.some((chord) => leavesWindow(chord, platform))) return askedFor('beyond');
  return chords.some(pressesEnter) ? askedFor('enter') : {};
}

/** Of characters that are each pressed with modifiers. */
export const shortcutsAsk = (text: string, chords: readonly Chord[], platform: Platform): Asks =>
  /\p{Cc}/u.test(text) ? askedFor('enter') : chordsAsk(chords, platform);

/** Of one chord: Enter alone is a line break in a text area. */
export function pressAsks(chord: Chord, platform: Platform): Asks {
  const asks = chordsAsk([chord], platform);
  const plain = chord.modifiers.length === 0 && chord.keys.length === 1;
  return asks.asksFor === 'enter' && plain ? { breaksLines: true } : asks;
}
