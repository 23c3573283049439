/** A request in its place. The same element holds the card and later its result, so that focus and place survive the answer. */
import { useRef, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { useFocusOnEnd } from '../../ui/focus-on-end.js';
import type { Slot } from '../../state/state.js';
import { ApprovalCard } from './ApprovalCard.js';
import { FoldedRequest } from './FoldedRequest.js';
import { AnsweredRequest } from './AnsweredRequest.js';

interface Props {
  slot: Slot;
  online: boolean;
  /** It is folded to one line until this is called; null: never folded. */
  onUnfold: (() => void) | null;
  actions: Actions;
}

export function RequestSlot({ slot, online, onUnfold, actions }: Props): ReactNode {
  const article = useRef<HTMLElement>(null);
  const { card, settled } = slot;
  useFocusOnEnd(article, settled !== null);
  const folded = onUnfold !== null && settled === null;
  const danger = card.effect === 'dangerous' && settled === null && !folded;
  return (
    <article
      ref={article}
      className={settled !== null ? 'answered-slot' : folded ? 'fold-slot' : `card${danger ? ' danger' : ''}`}
      data-slot={settled === null ? 'open' : 'done'}
      data-request={card.id}
      data-anchor
      data-effect={card.effect}
      aria-labelledby={`t-${card.id}`}
      tabIndex={-1}
    >
      {folded ? (
        <FoldedRequest card={card} online={online} onOpen={onUnfold} />
      ) : settled === null ? (
        <ApprovalCard slot={slot} online={online} actions={actions} />
      ) : (
        <AnsweredRequest card={card} settled={settled} />
      )}
    </article>
  );
}
