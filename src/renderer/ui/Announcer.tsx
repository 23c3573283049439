/** Announces new requests to screen readers, politely. Never moves the focus. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { askerKind, askerName, toPlainText, titleText } from '../../main/protocol/index.js';
import type { Slot } from '../state/state.js';
import { formatter, t } from '../strings.js';

const MAX_TITLE_CHARS = 160;

export function Announcer({ slots }: { slots: Slot[] }): ReactNode {
  const known = useRef(new Set<string>());
  const [text, setText] = useState('');
  useEffect(() => {
    const fresh = slots.filter((slot) => slot.settled === null && !known.current.has(key(slot)));
    known.current = new Set(slots.map(key));
    const last = fresh[fresh.length - 1];
    // Emptied when nothing waits, so that a screen reader does not find an old announcement.
    if (slots.every(({ settled }) => settled !== null)) setText('');
    if (last !== undefined)
      setText(fresh.length === 1 ? sentence(last) : t('page.needs.count', { count: fresh.length }));
  }, [slots]);
  return (
    <p className="vh" role="status">
      {text}
    </p>
  );
}

function key({ card }: Slot): string {
  return `${card.id} ${card.digest}`;
}

function sentence({ card, changed }: Slot): string {
  const what = titleText(formatter, card.subject, { lower: true });
  const said = t('page.needs.announce', {
    who: askerKind(card.agent),
    agent: toPlainText(askerName(formatter, card.agent)),
    what: toPlainText(what, MAX_TITLE_CHARS),
  });
  return changed ? `${t('page.card.changed')} ${said}` : said;
}
