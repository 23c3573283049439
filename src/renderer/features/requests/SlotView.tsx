/** One place among what waits. The same element carries the card and later its stub, so that focus and place survive the answer. */
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import type { Slot } from '../../state/state.js';
import { Card } from './Card.js';
import { FoldedSlot } from './FoldedSlot.js';
import { Stub } from './Stub.js';

interface Props {
  slot: Slot;
  online: boolean;
  /** Answered, it keeps the room its card had. */
  held: boolean;
  /** One line, until it is opened. Null: never folded. */
  onUnfold: (() => void) | null;
  actions: Actions;
}

export function SlotView({ slot, online, held, onUnfold, actions }: Props): ReactNode {
  const article = useRef<HTMLElement>(null);
  const { card, settled } = slot;
  const kept = useKeptHeight(article, settled !== null, held);
  useFocusKept(article, settled !== null);
  const folded = onUnfold !== null && settled === null;
  const danger = card.effect === 'dangerous' && settled === null && !folded;
  return (
    <article
      ref={article}
      className={settled !== null ? 'stub-slot' : folded ? 'fold-slot' : `card${danger ? ' danger' : ''}`}
      data-slot={settled === null ? 'open' : 'done'}
      data-request={card.id}
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

/** The height of the card that was here, for as long as its room is held. */
function useKeptHeight(article: { current: HTMLElement | null }, done: boolean, held: boolean): number | null {
  const height = useRef(0);
  if (!done && article.current !== null) height.current = article.current.getBoundingClientRect().height;
  return done && held && height.current > 0 ? height.current : null;
}

/** When the card with the focused button goes, its slot takes the focus; otherwise it would be lost to the top of the page. */
function useFocusKept(article: { current: HTMLElement | null }, done: boolean): void {
  const had = useRef(false);
  if (!done || !had.current) had.current = article.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (done && had.current) article.current?.focus({ preventScroll: true });
  }, [article, done]);
}
