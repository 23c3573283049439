/** Ended requests, folded to one line. */
import { useState, type ReactNode } from 'react';
import type { Slot } from '../../state/state.js';
import { countEnded } from '../../state/waiting.js';
import { t } from '../../strings.js';
import { FoldButton } from '../../ui/FoldButton.js';
import { AnsweredRequest } from './AnsweredRequest.js';

export function AnsweredRequests({ slots }: { slots: readonly Slot[] }): ReactNode {
  const [open, setOpen] = useState(false);
  const { answered, unanswered } = countEnded(slots);
  const parts = [
    ...(answered > 0 ? [t('page.needs.answered', { count: answered })] : []),
    ...(unanswered > 0 ? [t('page.needs.unanswered', { count: unanswered })] : []),
  ];
  return (
    <div className="answered" data-fold={open ? 'open' : 'closed'}>
      <FoldButton open={open} label={parts.join(t('page.marks.comma'))} onToggle={() => setOpen(!open)} />
      {open ? (
        <ul className="plain">
          {slots.map(({ card, settled }) => (
            <li key={card.id}>{settled === null ? null : <AnsweredRequest card={card} settled={settled} />}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
