/** One place in "Needs you". The same element carries the card and later its stub, so that focus and place survive the answer. */
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import type { Actions } from '../page/actions.js';
import type { Slot } from '../state/state.js';
import { Card } from './Card.js';
import { FoldedSlot } from './FoldedSlot.js';
import { Stub } from './Stub.js';

interface Props {
  slot: Slot;
  online: boolean;
  occupied: boolean;
  /** One line, until it is opened. Null: never folded. */
  onUnfold: (() => void) | null;
  actions: Actions;
}

export function SlotView({ slot, online, occupied, onUnfold, actions }: Props): ReactNode {
  const article = useRef<HTMLElement>(null);
  const { card, settled } = slot;
  const kept = useKeptHeight(article, settled !== null, occupied);
  useFocusKept(article, settled !== null);
  const folded = onUnfold !== null && settled === null;
  const danger = card.effect === 'dangerous' && settled === null && !folded;
  return (
    <article
      ref={article}
      className={settled !== null ? 'stub-slot' : folded ? 'fold-slot' : `card${danger ? ' danger' : ''}`}
      data-slot={settled === null ? 'open' : 'done'}
      data-anchor
      data-effect={card.effect}
      aria-labelledby={`t-${card.id}`}
      tabIndex={-1}
      style={kept === null ? undefined : { minHeight: kept }}
    >
      {folded ? (
        <FoldedSlot card={card} online={online} onOpen={onUnfold} />
      ) : settled === null ? (
        <Card slot={slot} online={online} actions={actions} />
      ) : (
        <Stub card={card} settled={settled} />
      )}
    </article>
  );
}

/** A stub is as high as its card was until pointer and focus have left the region. */
function useKeptHeight(article: { current: HTMLElement | null }, done: boolean, occupied: boolean): number | null {
  const height = useRef(0);
  const [released, setReleased] = useState(false);
  if (!done && article.current !== null) height.current = article.current.offsetHeight;
  useLayoutEffect(() => {
    if (done && !occupied) setReleased(true);
  }, [done, occupied]);
  return done && !released && height.current > 0 ? height.current : null;
}

/** When the card with the focused button goes, its slot takes the focus; otherwise it would be lost to the top of the page. */
function useFocusKept(article: { current: HTMLElement | null }, done: boolean): void {
  const had = useRef(false);
  if (!done || !had.current) had.current = article.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (done && had.current) article.current?.focus({ preventScroll: true });
  }, [article, done]);
}
