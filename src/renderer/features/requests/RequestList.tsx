/** The waiting requests, oldest first; the calls queued behind them; and for a while the answered ones. */
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { Actions } from '../../app/actions.js';
import { useAnsweredLines } from './answered-places.js';
import type { PageState, Slot } from '../../state/state.js';
import { t } from '../../strings.js';
import { queuedBehind } from '../../state/waiting.js';
import { AnsweredRequests } from './AnsweredRequests.js';
import { QueuedCalls } from './QueuedCalls.js';
import { RequestSlot } from './RequestSlot.js';
import { useAfterPress } from '../../ui/after-press.js';

/** How long answered requests stay once neither pointer nor focus is in the list. */
const CLEAR_AFTER_MS = 12_000;

export function RequestList({ state, actions }: { state: PageState; actions: Actions }): ReactNode {
  const region = useRef<HTMLElement>(null);
  const [occupied, setOccupied] = useState(false);
  /** Id of the answered request with the focus; it keeps its place. */
  const [focused, setFocused] = useState<string | null>(null);
  const { slots } = state;
  const { shown, folded, onUnfold } = usePlacedSlots(state, occupied, focused);
  useClearAnswered(state, occupied, actions);
  useIgnoredSecondClick(slots);
  useLeftWhenHidden(setOccupied);
  const afterPress = useAfterPress();

  /** A pointer anywhere here, or the focus in a request that waits; what was answered only keeps the focus from being lost. */
  const updateOccupied = (target: EventTarget | null, pointed: boolean) => {
    const slot = target instanceof Element ? target.closest<HTMLElement>('#needs [data-slot]') : null;
    setFocused(slot?.dataset['request'] ?? null);
    setOccupied(pointed || slot?.dataset['slot'] === 'open');
  };
  const isHovered = () => region.current?.matches(':hover') === true;
  const pointerLeft = () => afterPress(() => updateOccupied(document.activeElement, isHovered()));
  usePointerOutside(region, occupied, pointerLeft);
  if (slots.length === 0) return null;
  return (
    <section
      ref={region}
      id="needs"
      className="region"
      aria-labelledby="h-needs"
      tabIndex={-1}
      onPointerEnter={() => setOccupied(true)}
      onPointerLeave={pointerLeft}
      onFocus={({ target }) => afterPress(() => updateOccupied(target, isHovered()))}
      onBlur={({ relatedTarget }) => afterPress(() => updateOccupied(relatedTarget, isHovered()))}
    >
      <Heading slots={slots} />
      {shown.map((slot) => (
        <RequestSlot
          key={slot.card.id}
          slot={slot}
          online={state.connection === 'open'}
          onUnfold={onUnfold(slot)}
          actions={actions}
        />
      ))}
      <QueuedCalls queued={queuedBehind(state.status.agents)} />
      {folded.length > 1 ? <AnsweredRequests slots={folded} /> : null}
    </section>
  );
}

interface PlacedSlots {
  shown: readonly Slot[];
  /** Answered, and listed in one line. */
  folded: Slot[];
  /** null: it is not folded. */
  onUnfold(slot: Slot): (() => void) | null;
}

function usePlacedSlots(state: PageState, occupied: boolean, focused: string | null): PlacedSlots {
  const [unfolded, setUnfolded] = useState<readonly string[]>([]);
  const { slots } = state;
  const popover = state.popover === 'here';
  const first = slots.findIndex((slot) => slot.settled === null);
  const isFolded = (slot: Slot) => popover && slot !== slots[first] && !unfolded.includes(slot.card.id);
  const unfold = (id: string) => {
    setUnfolded([...unfolded, id]);
    // The button that had the focus goes.
    document.getElementById(`t-${id}`)?.closest('article')?.focus({ preventScroll: true });
  };
  const hasRoom = !popover || first === -1;
  const lines = useAnsweredLines(slots, occupied, (slot) => hasRoom && slot.card.id === focused);
  const hasOwnLine = (slot: Slot) => slot.settled === null || lines.has(slot.card.id);
  const finished = slots.filter((slot) => !hasOwnLine(slot));
  // The popover has no room for answered requests beside waiting ones.
  const folded = hasRoom ? finished : [];
  const [only = null] = folded.length === 1 ? folded : [];
  const shown = [...slots.filter(hasOwnLine), ...(only === null ? [] : [only])];
  return { shown, folded, onUnfold: (slot) => (isFolded(slot) ? () => unfold(slot.card.id) : null) };
}

/** React reports no pointerleave where the element under the pointer was removed before, as the buttons of an answered request are. */
function usePointerOutside(region: RefObject<HTMLElement | null>, occupied: boolean, onOutside: () => void): void {
  useEffect(() => {
    if (!occupied) return undefined;
    const over = ({ target }: PointerEvent): void => {
      if (target instanceof Node && region.current?.contains(target) === false) onOutside();
    };
    document.addEventListener('pointerover', over);
    return () => document.removeEventListener('pointerover', over);
  });
}

const SECOND_CLICK_MS = 500;

/** What moves under a pointer at rest as a card folds is not meant by the second click of a double click. */
function useIgnoredSecondClick(slots: readonly Slot[]): void {
  const answered = slots.filter(({ settled }) => settled !== null).length;
  const pressed = useRef('');
  useEffect(() => {
    const remember = (event: PointerEvent) => {
      pressed.current = screenPlace(event);
    };
    window.addEventListener('pointerdown', remember, { capture: true });
    return () => window.removeEventListener('pointerdown', remember, { capture: true });
  }, []);
  useLayoutEffect(() => {
    if (answered === 0) return undefined;
    const at = pressed.current;
    const ignore = (event: MouseEvent) => {
      if (screenPlace(event) !== at || (event.target instanceof Element && event.target.closest('.pair') !== null))
        return;
      event.preventDefault();
      event.stopPropagation();
    };
    const end = () => window.removeEventListener('click', ignore, { capture: true });
    window.addEventListener('click', ignore, { capture: true });
    const timer = setTimeout(end, SECOND_CLICK_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [answered]);
}

const screenPlace = ({ screenX, screenY }: MouseEvent): string => `${screenX} ${screenY}`;

/** Clears answered requests once neither pointer nor focus is in the list. */
function useClearAnswered({ slots, status, connection }: PageState, occupied: boolean, actions: Actions): void {
  const answered = slots.some((slot) => slot.settled !== null);
  const canClear = !occupied && status.state !== 'paused' && connection === 'open' && answered;
  useEffect(() => {
    if (!canClear) return undefined;
    const timer = setTimeout(actions.clearAnswered, CLEAR_AFTER_MS);
    return () => clearTimeout(timer);
  }, [canClear, slots, actions]);
}

/** A hidden page counts as unoccupied. */
function useLeftWhenHidden(setOccupied: (occupied: boolean) => void): void {
  useEffect(() => {
    const onHidden = () => document.visibilityState === 'hidden' && setOccupied(false);
    document.addEventListener('visibilitychange', onHidden);
    return () => document.removeEventListener('visibilitychange', onHidden);
  }, [setOccupied]);
}

function Heading({ slots }: { slots: Slot[] }): ReactNode {
  const open = slots.filter((slot) => slot.settled === null).length;
  return (
    <div className="region-h needs-h">
      <h2 id="h-needs">{heading(slots)}</h2>
      {open > 0 ? (
        <span className="count num" title={t('page.needs.count', { count: open })}>
          {open}
        </span>
      ) : null}
    </div>
  );
}

function heading(slots: Slot[]): string {
  if (slots.some((slot) => slot.settled === null)) return t('page.needs.heading');
  const stopped = slots.every(({ settled }) => settled?.reason === 'stopped' || settled?.reason === 'paused');
  return stopped ? t('page.needs.stopped') : t('page.needs.after');
}
