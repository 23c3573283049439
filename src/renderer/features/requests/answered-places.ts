/** Which answered requests keep a line of their own, so that nothing moves under a pointer about to press. */
import { useRef } from 'react';
import type { Slot } from '../../state/state.js';

/**
 * The answered requests that keep a line of their own in their place: those that `mustStay`. Decided anew when a request comes or
 * ends, and otherwise only while the person is not here: a line that goes would move the card that is about to be pressed.
 */
export function useAnsweredLines(
  slots: readonly Slot[],
  occupied: boolean,
  mustStay: (slot: Slot) => boolean,
): ReadonlySet<string> {
  const kept = useRef<{ slotsKey: string; ids: ReadonlySet<string> }>({ slotsKey: '', ids: new Set() });
  const slotsKey = slots.map(({ card, settled }) => `${card.id} ${settled === null}`).join();
  if (!occupied || kept.current.slotsKey !== slotsKey) {
    const staying = slots.filter((slot) => slot.settled !== null && mustStay(slot));
    kept.current = { slotsKey, ids: new Set(staying.map(({ card }) => card.id)) };
  }
  return kept.current.ids;
}
