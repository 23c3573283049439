/** "Needs you": the requests that wait, oldest first, and for a while what became of the answered ones. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Actions } from '../page/actions.js';
import { useHeldPlaces } from '../page/places.js';
import type { PageState, Slot } from '../state/state.js';
import { strings } from '../strings.js';
import { SlotView } from './SlotView.js';

/** How long answered requests stay once nobody is looking at them. */
const KEPT_MS = 12_000;

export function Needs({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const region = useRef<HTMLElement>(null);
  const [occupied, setOccupied] = useState(false);
  const [unfolded, setUnfolded] = useState<readonly string[]>([]);
  const { slots } = state;
  const open = slots.filter((slot) => slot.settled === null);
  const paused = state.status.state === 'paused';
  const popover = state.popover === 'here';
  const { held, giveUp } = useHeldPlaces(slots, occupied);
  const first = slots.findIndex((slot) => slot.settled === null);
  // Below the room of an answered one even the first would unfold out of sight.
  const leads = (slot: Slot) => slot === slots[first] && !slots.slice(0, first).some(held);
  const isFolded = (slot: Slot) => popover && !leads(slot) && !unfolded.includes(slot.card.id);
  const unfold = (id: string) => {
    giveUp();
    setUnfolded([...unfolded, id]);
    // The button that had the focus goes.
    document.getElementById(`t-${id}`)?.closest('article')?.focus({ preventScroll: true });
  };
  // There is no room in the popover for what is over beside what waits.
  const shown = popover && open.length > 0 ? slots.filter((slot) => slot.settled === null || held(slot)) : slots;
  const sweepable = !occupied && !paused && state.link === 'open' && open.length < slots.length;

  useEffect(() => {
    if (!sweepable) return undefined;
    const timer = setTimeout(actions.sweep, KEPT_MS);
    return () => clearTimeout(timer);
  }, [sweepable, slots, actions]);

  useEffect(() => {
    const leave = () => document.visibilityState === 'hidden' && setOccupied(false);
    document.addEventListener('visibilitychange', leave);
    return () => document.removeEventListener('visibilitychange', leave);
  }, []);

  /** A pointer anywhere here, or the focus in a request that waits; what was answered only keeps the focus from being lost. */
  const look = (focused: EventTarget | null, pointed: boolean) =>
    setOccupied(pointed || (focused instanceof Element && focused.closest('#needs [data-slot="open"]') !== null));
  const hovered = () => region.current?.matches(':hover') === true;
  if (slots.length === 0) return null;
  return (
    <section
      ref={region}
      id="needs"
      className="region"
      aria-labelledby="h-needs"
      tabIndex={-1}
      onPointerEnter={() => setOccupied(true)}
      onPointerLeave={() => look(document.activeElement, false)}
      onFocus={(event) => look(event.target, hovered())}
      onBlur={(event) => look(event.relatedTarget, hovered())}
    >
      <div className="region-h">
        <h2 id="h-needs">{heading(slots)}</h2>
        {open.length > 0 ? (
          <span className="count num" title={strings.needs.count(open.length)}>
            {open.length}
          </span>
        ) : null}
      </div>
      {shown.map((slot) => (
        <SlotView
          key={slot.card.id}
          slot={slot}
          online={state.link === 'open'}
          held={held(slot)}
          onUnfold={isFolded(slot) ? () => unfold(slot.card.id) : null}
          actions={actions}
        />
      ))}
    </section>
  );
}

function heading(slots: Slot[]): string {
  if (slots.some((slot) => slot.settled === null)) return strings.needs.heading;
  const stopped = slots.every(({ settled }) => settled?.reason === 'stopped' || settled?.reason === 'paused');
  return stopped ? strings.needs.stopped : strings.needs.after;
}
