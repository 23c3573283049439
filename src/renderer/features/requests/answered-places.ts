/** Which answered requests keep the height of their card, so that nothing moves under a pointer about to press. */
import { useRef } from 'react';
import type { Slot } from '../../state/state.js';

interface KeptHeights {
  keepsHeight(slot: Slot): boolean;
  /** From the next render on, no height is kept. */
  releaseAll(): void;
}

/**
 * An answered request keeps its height while the person is here, for the requests that waited beside it. Later requests do not move when
 * it goes, and would be out of view below the empty space. Once released, the height is not kept again.
 */
export function useKeptHeights(slots: readonly Slot[], occupied: boolean): KeptHeights {
  const beside = useRef(new Map<string, readonly string[] | null>());
  const open = slots.filter(({ settled }) => settled === null).map(({ card }) => card.id);
  const holding = (waited: readonly string[]) => open.length === 0 || waited.some((id) => open.includes(id));
  beside.current = new Map(
    slots.flatMap(({ card, settled }) => {
      if (settled === null) return [];
      const known = beside.current.get(card.id);
      const waited = known === undefined ? open : known;
      return [[card.id, waited !== null && occupied && holding(waited) ? waited : null]];
    }),
  );
  return {
    keepsHeight: ({ card }) => (beside.current.get(card.id) ?? null) !== null,
    releaseAll() {
      beside.current = new Map([...beside.current.keys()].map((id) => [id, null]));
    },
  };
}

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
