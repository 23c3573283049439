import type { ReactNode } from 'react';
import { RevealedText } from '../../ui/RevealedText.js';

/** Longer messages are cut at first: Markdown of any length could block the page. */
export const MAX_PARSED_CHARS = 12_000;

/** A message as it was written, where its Markdown is not read. */
export function PlainText({ text }: { text: string }): ReactNode {
  return (
    <p className="plain">
      <RevealedText text={text.slice(0, MAX_PARSED_CHARS)} />
    </p>
  );
}
